import type { Source } from '../core/index.js';
import { abortReason, wait } from './wait.js';

/** How a call ended, as far as its limiter cares. `failed` neither grows nor shrinks the limit. */
export type CallOutcome = 'answered' | 'rate-limited' | 'failed';

/** The right to have one call under way. */
export interface Permit {
  /** Ends the call. A second call does nothing. `retryAfterMs` is what a server asked for with its 429. */
  release(outcome: CallOutcome, retryAfterMs?: number | null): void;
}

/** Bounds the calls under way to one account. */
export interface Limiter {
  /** Waits for a free place and for the end of a pause. Rejects with the signal's reason when it aborts. */
  acquire(signal?: AbortSignal): Promise<Permit>;
  /** Most calls at once, now. */
  readonly limit: number;
  /** Calls under way. */
  readonly active: number;
}

/** Calls at once where the configuration says nothing. */
const DEFAULT_CONCURRENCY = 10;
/** The same for command lines: each call is a process of hundreds of megabytes. */
const PROGRAM_CONCURRENCY = 4;

/** One episode of limits costs one cut: further 429 within this time are of the same episode. Milliseconds. */
const EPISODE_MS = 15_000;
const CUT = 0.5;

/**
 * A limiter for one account. A 429 halves the limit, at most once in 15 seconds (or in the time the server asks for,
 * if longer), and pauses everybody for the time the server asks for; a full round of answers without a 429 gives one
 * place back. Waiters are served in order.
 */
function createLimiter(max: number, source: Source): Limiter {
  let limit = max;
  let active = 0;
  let answered = 0;
  let pausedUntil = 0;
  let episodeEnds = -Infinity;
  const queue: (() => void)[] = [];

  function wake(): void {
    while (active < limit) {
      const next = queue.shift();
      if (next === undefined) return;
      active += 1;
      next();
    }
  }

  function settle(outcome: CallOutcome, retryAfterMs: number | null): void {
    active -= 1;
    const now = source.monotonic();
    if (outcome === 'rate-limited') {
      answered = 0;
      pausedUntil = Math.max(pausedUntil, now + (retryAfterMs ?? 0));
      if (now >= episodeEnds) {
        limit = Math.max(1, Math.floor(limit * CUT));
        episodeEnds = now + EPISODE_MS;
      }
      episodeEnds = Math.max(episodeEnds, pausedUntil);
    } else if (outcome === 'answered') {
      answered += 1;
      if (answered >= limit && limit < max) {
        limit += 1;
        answered = 0;
      }
    }
    wake();
  }

  async function enter(signal?: AbortSignal): Promise<void> {
    if (active < limit && queue.length === 0) {
      active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        const index = queue.indexOf(start);
        if (index >= 0) queue.splice(index, 1);
        if (signal !== undefined) reject(abortReason(signal));
      };
      const start = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      if (signal?.aborted === true) {
        stop();
        return;
      }
      queue.push(start);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  return {
    get limit() {
      return limit;
    },
    get active() {
      return active;
    },
    async acquire(signal) {
      await enter(signal);
      let open = true;
      const release: Permit['release'] = (outcome, retryAfterMs = null) => {
        if (!open) return;
        open = false;
        settle(outcome, retryAfterMs);
      };
      try {
        // Waits again only when the pause was made longer meanwhile, so a clock that stands still ends too.
        for (let waitedFor = 0; pausedUntil > Math.max(waitedFor, source.monotonic());) {
          waitedFor = pausedUntil;
          await wait(pausedUntil - source.monotonic(), signal);
        }
      } catch (error) {
        release('failed');
        throw error;
      }
      return { release };
    },
  };
}

/** The limiters of a run, one an account. */
export interface ModelLimits {
  /** The limiter of a `limitKey`; the same one every time. */
  of(key: string): Limiter;
}

/** Creates the limiters of a run. `concurrency` is the configuration's map, with `default` for the rest. */
export function createLimits(
  source: Source,
  concurrency: Readonly<Record<string, number>> = {},
): ModelLimits {
  const limiters = new Map<string, Limiter>();
  return {
    of(key) {
      const known = limiters.get(key);
      if (known !== undefined) return known;
      const own = Object.hasOwn(concurrency, key) ? concurrency[key] : undefined;
      const standard = key.endsWith('-cli') ? PROGRAM_CONCURRENCY : DEFAULT_CONCURRENCY;
      const limiter = createLimiter(own ?? concurrency['default'] ?? standard, source);
      limiters.set(key, limiter);
      return limiter;
    },
  };
}
