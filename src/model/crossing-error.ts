import { errorMessage } from '../core/index.js';
import type { CrossingError } from './module-messages.js';
import { isModelError, ModelError } from './model-error.js';

const DEEPEST = 4;

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function headersOf(value: unknown): { [name: string]: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const headers: { [name: string]: string } = {};
  for (const [name, text] of value instanceof Headers ? value.entries() : Object.entries(value)) {
    if (typeof text === 'string') headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** Anything that was thrown, as it is sent to another thread. */
export function crossingError(error: unknown, depth = 0): CrossingError {
  const status = member(error, 'statusCode') ?? member(error, 'status');
  const code = member(error, 'code');
  const headers = headersOf(member(error, 'responseHeaders') ?? member(error, 'headers'));
  const attempts = member(error, 'errors');
  const cause: unknown = Array.isArray(attempts) ? attempts[0] : member(error, 'cause');
  const name = member(error, 'name');
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: errorMessage(error),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(headers === null ? {} : { headers }),
    ...(cause === undefined || depth >= DEEPEST ? {} : { cause: crossingError(cause, depth + 1) }),
    ...(isModelError(error)
      ? { classed: { kind: error.kind, fix: error.fix, retryAfterMs: error.retryAfterMs } }
      : {}),
  };
}

/** The error on the other side: classed the same way there as the one that was thrown would have been. */
export function crossedError(error: CrossingError): Error {
  const { name, message, status, code, headers, cause, classed } = error;
  if (classed !== undefined) {
    const { kind, fix, retryAfterMs } = classed;
    return new ModelError(kind, message, { fix, retryAfterMs, status: status ?? null });
  }
  const made = cause === undefined ? new Error(message) : new Error(message, { cause: crossedError(cause) });
  made.name = name;
  return Object.assign(
    made,
    status === undefined ? {} : { status },
    code === undefined ? {} : { code },
    headers === undefined ? {} : { headers },
  );
}
