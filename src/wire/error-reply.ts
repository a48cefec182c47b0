import type { JsonValue } from '../core/index.js';
import type { Protocol } from './neutral.js';

const ANTHROPIC_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const GEMINI_STATUSES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [529, 'UNAVAILABLE'],
]);

function anthropicType(status: number): string {
  return ANTHROPIC_TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function openAiType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** An error in the words of a protocol. */
export interface WireError {
  /** HTTP status, 400 to 599. */
  status: number;
  message: string;
  /** Machine-readable code, where the protocol has room for one. */
  code: string | null;
}

/** The body of an error answer, shaped as the protocol's clients expect it. */
export function errorBody(protocol: Protocol, error: WireError, requestId: string): JsonValue {
  const { status, message, code } = error;
  if (protocol === 'anthropic') {
    const details = code === null ? {} : { details: { error_code: code } };
    return {
      type: 'error',
      error: { type: anthropicType(status), message, ...details },
      request_id: requestId,
    };
  }
  if (protocol === 'gemini') {
    const fallback = status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT';
    return { error: { code: status, message, status: GEMINI_STATUSES.get(status) ?? fallback } };
  }
  return { error: { message, type: openAiType(status), param: null, code } };
}
