import { AssayError, clip, terminalLine, type ErrorKind } from '../core/index.js';
import { redactKeys } from './redact.js';
import type { ModelUsage } from './usage.js';

/**
 * What went wrong with a call. A failure is never an answer.
 * - `refusal`: the model or its provider declined to answer at all.
 * - `usage-limit`: the subscription's allowance is used up; waiting minutes does not help.
 * - `login-needed`: not logged in, or the key is missing or refused (401, 403).
 * - `not-installed`: the program or the provider package is not there.
 * - `timeout`, `cancelled`: ended by us.
 * - `non-json`, `empty`, `exit`: a program or server whose reply cannot be read, says nothing, or reports failure.
 * - `rate-limit` (429), `http` (any other status), `network`, `cut` (the reply broke off).
 * - `invalid-reply`: readable, but not what the protocol promises.
 * - `request`: this model cannot take this request; nothing was sent.
 * - `module`: the user's function threw or returned something else than an answer.
 * - `outputs`: the file of stored answers has none for this case and trial.
 */
export type ModelErrorKind =
  | 'refusal'
  | 'usage-limit'
  | 'login-needed'
  | 'not-installed'
  | 'timeout'
  | 'cancelled'
  | 'non-json'
  | 'empty'
  | 'exit'
  | 'rate-limit'
  | 'http'
  | 'network'
  | 'cut'
  | 'invalid-reply'
  | 'request'
  | 'module'
  | 'outputs';

const MAX_MESSAGE = 2000;

/** One try of a call. */
export interface ModelTry {
  /** HTTP status of a failed try, when there was one. */
  status: number | null;
  /** Null for the try that answered. */
  kind: ModelErrorKind | null;
  /** Milliseconds waited after this try, before the next. */
  waitMs: number;
  latencyMs: number;
  /** One line; null for the try that answered. */
  error: string | null;
}

/** Everything a `ModelError` may carry beside its kind and message. */
export interface ModelErrorDetails {
  status?: number | null;
  /** What the server asked us to wait, milliseconds. */
  retryAfterMs?: number | null;
  /** Text that did arrive before the failure. */
  output?: string;
  usage?: ModelUsage | null;
  /** US dollars. */
  cost?: number | null;
  tries?: readonly ModelTry[];
  fix?: string;
  cause?: unknown;
}

/** One safe line. A message that was shortened already stays as it is. */
function shortMessage(message: string): string {
  const line = terminalLine(redactKeys(message));
  return line.length > MAX_MESSAGE + 100 ? clip(line, MAX_MESSAGE) : line;
}

/** A call that gave no answer. */
export class ModelError extends AssayError {
  readonly kind: ModelErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly output: string;
  readonly usage: ModelUsage | null;
  readonly cost: number | null;
  /** Every try made, in order; empty when the failure came before the first. */
  readonly tries: readonly ModelTry[];

  constructor(kind: ModelErrorKind, message: string, details: ModelErrorDetails = {}) {
    super('MODEL', shortMessage(message), {
      ...(details.fix === undefined ? {} : { fix: details.fix }),
      ...(details.cause === undefined ? {} : { cause: details.cause }),
    });
    this.name = 'ModelError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.output = details.output ?? '';
    this.usage = details.usage ?? null;
    this.cost = details.cost ?? null;
    this.tries = details.tries ?? [];
  }

  /** The same error with the tries that led to it. */
  withTries(tries: readonly ModelTry[]): ModelError {
    return new ModelError(this.kind, this.message, {
      status: this.status,
      retryAfterMs: this.retryAfterMs,
      output: this.output,
      usage: this.usage,
      cost: this.cost,
      fix: this.fix,
      tries,
      ...(this.cause === undefined ? {} : { cause: this.cause }),
    });
  }
}

/** True for a `ModelError` of any loaded copy of this package. */
export function isModelError(value: unknown): value is ModelError {
  return AssayError.isInstance(value) && value.code === 'MODEL' && 'kind' in value && 'tries' in value;
}

/** How a trial that ended with this error is to be classed. */
export function trialErrorKind(error: ModelError): ErrorKind {
  if (error.kind === 'timeout') return 'timeout';
  return error.kind === 'cancelled' ? 'cancelled' : 'model';
}

/** The kind that an HTTP status stands for. */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'login-needed';
  return status === 429 ? 'rate-limit' : 'http';
}
