import type { JsonObject } from '../core/index.js';

/** Scored trials of a case so far, in the order of their numbers; errored trials are no evidence. */
export interface CaseProgress {
  passed: number;
  failed: number;
}

/** What a stopped case came to. `inconclusive` is never a pass. */
export type CaseVerdict = 'pass' | 'fail' | 'inconclusive';

/**
 * When the trials of a case end, fixed before the first of them. A pure function of the counts, so that its error
 * rates and its cost can be computed exactly and its rate estimated without bias.
 */
export interface StoppingRule {
  /** Name and parameters, as they stand in the header of the run. `first`: trials that every case is sure to get. */
  readonly description: JsonObject & { rule: string; first: number; most: number };
  /** In one line. */
  readonly summary: string;
  /** Trials at most, 1 to 1000. */
  readonly most: number;
  /** Pass rate of a healthy case, and of one that is to be found, for stating error rates. */
  readonly bar: number;
  readonly dropTo: number;
  /** The verdict that these counts give; null while more trials are needed. */
  at(progress: CaseProgress): CaseVerdict | null;
}

/** Whether a case goes on. */
export function decide(rule: StoppingRule, progress: CaseProgress): 'continue' | 'stop' {
  const done = progress.passed + progress.failed;
  return done >= rule.most || rule.at(progress) !== null ? 'stop' : 'continue';
}

/** The verdict of a case whose trials have ended; without enough evidence it is inconclusive. */
export function verdictAt(rule: StoppingRule, progress: CaseProgress): CaseVerdict {
  return rule.at(progress) ?? 'inconclusive';
}
