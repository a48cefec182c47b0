import type { Source } from '../core/index.js';
import type { ModelsConfig } from './config.js';
import type { ModelError } from './model-error.js';

/** When and how often a failed call is tried again. */
export interface RetryPolicy {
  /** Tries in all, 1 or more. */
  maxTries: number;
  /** Wait after the first failure, milliseconds; it doubles with every further one. */
  baseMs: number;
  /** Longest single wait, milliseconds. A server that asks for more is not waited for: the call fails. */
  maxWaitMs: number;
  /** Longest sum of waits, milliseconds. */
  maxTotalWaitMs: number;
}

/** The policy where the configuration says nothing. */
export const DEFAULT_RETRY: RetryPolicy = {
  maxTries: 4,
  baseMs: 1000,
  maxWaitMs: 60_000,
  maxTotalWaitMs: 180_000,
};

/** The configured policy. */
export function retryPolicy(config: ModelsConfig['retry']): RetryPolicy {
  const milliseconds = (seconds: number | undefined, standard: number): number =>
    seconds === undefined ? standard : Math.round(seconds * 1000);
  return {
    maxTries: config?.max_tries ?? DEFAULT_RETRY.maxTries,
    baseMs: milliseconds(config?.base_secs, DEFAULT_RETRY.baseMs),
    maxWaitMs: milliseconds(config?.max_wait_secs, DEFAULT_RETRY.maxWaitMs),
    maxTotalWaitMs: milliseconds(config?.max_total_wait_secs, DEFAULT_RETRY.maxTotalWaitMs),
  };
}

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/**
 * True when another try can help: by status and kind of error, never by the words of a message. 408, 409, 425, 429,
 * 500, 502 to 504 and the non-standard 520 and above (529 is "overloaded"), broken connections and cut replies.
 */
export function isTransient(error: ModelError): boolean {
  if (error.kind === 'network' || error.kind === 'cut') return true;
  if (error.kind !== 'http' && error.kind !== 'rate-limit') return false;
  return error.status !== null && (TRANSIENT_STATUSES.has(error.status) || error.status >= 520);
}

/**
 * Milliseconds to wait before the next try, or null when there must be none. A wait the server asks for is kept to in
 * full, with up to a tenth added; otherwise the wait is exponential, between half and all of `baseMs * 2^(tried - 1)`.
 * @param tried number of tries made so far, 1 or more
 * @param waitedMs sum of the waits so far
 */
export function nextWait(
  policy: RetryPolicy,
  error: ModelError,
  progress: { tried: number; waitedMs: number },
  source: Source,
): number | null {
  if (!isTransient(error) || progress.tried >= policy.maxTries) return null;
  const asked = error.retryAfterMs;
  const exponential = Math.min(policy.maxWaitMs, policy.baseMs * 2 ** (progress.tried - 1));
  if (asked !== null && asked > policy.maxWaitMs) return null;
  const wait = Math.round(
    asked === null ? exponential * (0.5 + source.random() / 2) : asked * (1 + source.random() / 10),
  );
  return progress.waitedMs + wait > policy.maxTotalWaitMs ? null : wait;
}

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/;

/**
 * What a server asks us to wait, milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date (RFC 9110,
 * 10.2.3). Null when it does not ask or cannot be read; a date in the past means 0.
 * @param headers names in lower case
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | null {
  const exact = headers['retry-after-ms']?.trim();
  if (exact !== undefined && PLAIN_NUMBER.test(exact)) return Number(exact);
  const after = headers['retry-after']?.trim();
  if (after === undefined || after === '') return null;
  if (PLAIN_NUMBER.test(after)) return Number(after) * 1000;
  // Date.parse takes nearly anything; an HTTP date has a name and a time of day.
  if (!/[A-Za-z]{3}/.test(after) || !/\d:\d\d/.test(after)) return null;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
