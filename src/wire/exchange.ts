import type { Message } from '../core/index.js';
import type { WireError } from './error-reply.js';
import type { NeutralReply, NeutralRequest } from './neutral.js';
import type { WireFault } from './script.js';

/**
 * What became of a request: it got a step of its lane, a scripted fault, a side answer, or an error because its
 * lane had nothing left (`exhausted`), no lane wanted it (`unmatched`) or it made no sense (`refused`).
 */
export type ExchangeOutcome = 'step' | 'fault' | 'side' | 'exhausted' | 'unmatched' | 'refused';

/** One request of a trial and what it was answered. */
export interface Exchange {
  /** 1-based, in order of arrival. */
  number: number;
  outcome: ExchangeOutcome;
  /** Null for a request that belongs to no lane. */
  lane: string | null;
  /** 0-based user turn. */
  turn: number;
  /** 0-based index of the item among its lane's; null when none was used. */
  item: number | null;
  /** Number of the exchange whose answer was given again; null for a first answer. */
  retryOf: number | null;
  /** Number of the exchange whose reply this request follows; null at the beginning of a conversation. */
  parent: number | null;
  request: NeutralRequest;
  /** The messages that are new since the parent's reply. */
  fresh: Message[];
  /** What was said; for a fault that breaks a reply, the reply it broke. */
  reply: NeutralReply | null;
  fault: WireFault | null;
  error: WireError | null;
  /** Null while the answer is on its way; false when the client did not get all of it. */
  delivered: boolean | null;
  /** Milliseconds since the trial was opened. */
  startedAt: number;
  endedAt: number | null;
}
