import type { Message } from '../core/index.js';
import type { StateKeys } from './conversation.js';
import type { Exchange } from './exchange.js';
import { brings, type LaneState } from './lane-state.js';
import { squeeze } from './messages.js';
import type { NeutralRequest, RequestIds } from './neutral.js';
import type { WireFault } from './script.js';

interface Attempt {
  exact: string;
  first: Exchange;
  latest: Exchange;
}

/** What a request repeats. */
export interface Repetition {
  /** The first exchange of the state that came again; null when it is new. */
  first: Exchange | null;
  /** The same request is waiting for its answer right now, so this is another conversation. */
  twin: boolean;
}

/** True for a fault that comes again when the same request comes again. */
export function isSticky(fault: WireFault): boolean {
  if (fault.fault !== 'status') return false;
  return fault.sticky ?? !([408, 409, 429].includes(fault.status) || fault.status >= 500);
}

/** Remembers which states of which conversations have been answered, so that a client's retry is known as one. */
export class Attempts {
  private known = new Map<string, Attempt[]>();

  /**
   * Remembers an exchange as the first for its state, or as another try at it.
   * @param first the exchange whose state came again; when that was a fault and this is not, this takes its place
   */
  add(keys: StateKeys, exchange: Exchange, first: Exchange | null): void {
    const attempts = this.known.get(keys.loose) ?? [];
    this.known.set(keys.loose, attempts);
    const earlier = attempts.find((attempt) => attempt.first === first);
    if (earlier === undefined) attempts.push({ exact: keys.exact, first: exchange, latest: exchange });
    else {
      if (exchange.retryOf === null) earlier.first = exchange;
      earlier.latest = exchange;
    }
  }

  /** Forgets everything: the turn is over, and what comes now is new even if it looks the same. */
  clear(): void {
    this.known = new Map();
  }

  /**
   * Says what a request repeats. The same state is a retry, except while its answer is still on its way: a client that
   * waits does not ask again, so that is a twin. A state that differs in system prompt or model only is a retry when
   * the earlier answer did not arrive or the client says so.
   */
  find(keys: StateKeys, ids: RequestIds): Repetition {
    const attempts = (this.known.get(keys.loose) ?? []).filter(
      (attempt) => attempt.exact === keys.exact || attempt.latest.delivered === false || ids.attempt > 0,
    );
    const failed = attempts.find(
      (attempt) => attempt.latest.delivered === false || attempt.latest.outcome === 'fault',
    );
    if (failed !== undefined) return { first: failed.first, twin: false };
    const open = attempts.some((attempt) => attempt.latest.delivered === null);
    if (open && ids.attempt === 0) return { first: null, twin: true };
    return { first: attempts.at(-1)?.first ?? null, twin: false };
  }
}

/**
 * True when a repeated request is no retry but the next user turn with the same words, as sent by an agent that keeps
 * no history: the answer arrived, the turn is used up, and the next one begins with the same text.
 */
export function beginsSameTurnAgain(
  first: Exchange,
  lane: LaneState | undefined,
  request: NeutralRequest,
  fresh: readonly Message[],
): boolean {
  if (first.delivered !== true || request.ids.attempt > 0 || lane === undefined) return false;
  const next = lane.expectedUser;
  if (next === null || lane.currentUser === null) return false;
  return squeeze(next) === squeeze(lane.currentUser) && brings(fresh, next);
}
