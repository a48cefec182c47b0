import { AssayError, errorMessage } from '../core/index.js';
import { isModelError, kindOfStatus, ModelError, type ModelErrorKind } from './model-error.js';
import { readRetryAfter } from './retry.js';
import { isTimeout } from './wait.js';

/** Codes of the system and of `fetch` that mean a connection could not be made or broke. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** `fetch` gives up after minutes of silence; that was a time limit, and asking again would take as long. */
const SILENCE_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Markers of the AI SDK's errors that have a meaning of their own; they are the same in every copy of it. */
const SDK_KINDS: readonly [string, ModelErrorKind][] = [
  ['AI_LoadAPIKeyError', 'login-needed'],
  ['AI_EmptyResponseBodyError', 'empty'],
  ['AI_JSONParseError', 'non-json'],
  ['AI_TypeValidationError', 'invalid-reply'],
  ['AI_InvalidResponseDataError', 'invalid-reply'],
  ['AI_UnsupportedFunctionalityError', 'request'],
  ['AI_InvalidPromptError', 'request'],
  ['AI_InvalidArgumentError', 'request'],
  ['AI_NoSuchModelError', 'request'],
];

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function statusOf(error: unknown): number | null {
  const status = member(error, 'statusCode') ?? member(error, 'status');
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status < 600
    ? status
    : null;
}

function headersOf(error: unknown): Record<string, string | undefined> {
  const headers = member(error, 'responseHeaders') ?? member(error, 'headers');
  const entries =
    headers instanceof Headers
      ? [...headers.entries()]
      : typeof headers === 'object' && headers !== null
        ? Object.entries(headers)
        : [];
  const read: Record<string, string | undefined> = {};
  for (const [name, value] of entries) if (typeof value === 'string') read[name.toLowerCase()] = value;
  return read;
}

function networkCode(error: unknown): string | null {
  // The code is on the error or, with fetch, on its cause; a list of attempts has it on each.
  for (let depth = 0, at: unknown = error; depth < 4 && at !== undefined; depth += 1) {
    const code = member(at, 'code');
    if (
      typeof code === 'string' &&
      (NETWORK_CODES.has(code) || SILENCE_CODES.has(code) || code === 'ENOTFOUND')
    )
      return code;
    const attempts = member(at, 'errors');
    at = Array.isArray(attempts) ? attempts[0] : member(at, 'cause');
  }
  return null;
}

function sdkKind(error: unknown): ModelErrorKind | null {
  return SDK_KINDS.find(([name]) => member(error, 'name') === name)?.[1] ?? null;
}

/**
 * Anything thrown by a model as a `ModelError`. The kind comes from our own abort, a status, an error code or an error
 * type, never from the words of a message. Assay's other errors are for the caller and must not come here.
 * @param signal the signal given to the model; once it has aborted, that is why the call failed
 * @param now milliseconds since the epoch, for Retry-After dates
 * @param otherwise the kind of what is none of these
 */
export function classifyFailure(
  error: unknown,
  signal: AbortSignal | undefined,
  now: number,
  otherwise: ModelErrorKind = 'invalid-reply',
): ModelError {
  if (isModelError(error)) return error;
  const message = AssayError.isInstance(error) ? error.message : errorMessage(error);
  if (signal?.aborted === true) {
    const why = errorMessage(signal.reason);
    return new ModelError(isTimeout(signal.reason) ? 'timeout' : 'cancelled', why, { cause: error });
  }
  const status = statusOf(error);
  // A reply that could not be read carries the status of its success; its error type says more.
  if (status !== null && status >= 400) {
    const retryAfterMs = readRetryAfter(headersOf(error), now);
    return new ModelError(kindOfStatus(status), `the provider answered ${status}: ${message}`, {
      status,
      retryAfterMs,
      cause: error,
    });
  }
  const code = networkCode(error) ?? networkCode(member(error, 'cause'));
  if (code !== null) {
    // A host that does not exist will not exist in a second.
    if (code === 'ENOTFOUND') {
      return new ModelError(
        'request',
        `there is no such host: ${errorMessage(member(error, 'cause') ?? error)}`,
        {
          fix: 'check the host in the base URL of the model',
          cause: error,
        },
      );
    }
    const kind = SILENCE_CODES.has(code) ? 'timeout' : code === 'UND_ERR_SOCKET' ? 'cut' : 'network';
    return new ModelError(kind, `the connection failed (${code}): ${message}`, { cause: error });
  }
  const cause = member(error, 'cause');
  const kind = sdkKind(error) ?? sdkKind(cause);
  if (kind !== null) return new ModelError(kind, message, { cause: error });
  return new ModelError(otherwise, message, { cause: error });
}
