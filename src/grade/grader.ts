import type { CheckOutcome, CheckSpec, JudgeTrace, Recording } from '../core/index.js';
import type { ScoringRule } from './verdict.js';

/** What one grader found, before negation, weight and label are put on it. */
export interface Verdict {
  outcome: CheckOutcome;
  /** What was seen, as a fact that reads right whether the check is negated or not. */
  evidence: string;
  /** 0..1; absent means 1 for a pass and 0 for everything else. */
  score?: number;
  /** Set by judged checks. */
  judge?: JudgeTrace;
  /** The verdict stands in both polarities: an empty answer or a path that escapes is wrong under `not-` as well. */
  settled?: boolean;
}

/** Asks a model about one judged check. May reject; the check is then an error. */
export type JudgeGrader = (spec: CheckSpec, recording: Recording) => Promise<Verdict>;

/** How to grade, beside what to grade. */
export interface GradeContext {
  /** `fail`: an empty graded text fails every text check, in either polarity. `grade`: it is graded like any text. */
  emptyText: 'fail' | 'grade';
  /** With it, no judge is asked once the case has failed by this rule; its checks are `unknown` and say so. */
  decide?: ScoringRule;
  /** Answers judged checks; without it they are errors. */
  judge?: JudgeGrader;
  limits?: {
    /** Milliseconds that one regular expression may run; default 1000. */
    regexMs?: number;
  };
}

/** Default time bound of one regular expression, in milliseconds. */
const DEFAULT_REGEX_MS = 1000;

/** The time bound of one regular expression in this context, in milliseconds. */
export function regexLimit(context: GradeContext): number {
  return context.limits?.regexMs ?? DEFAULT_REGEX_MS;
}

/** A pass or a fail with the fact that decides it. */
export function decide(holds: boolean, evidence: string): Verdict {
  return { outcome: holds ? 'pass' : 'fail', evidence };
}

/** A fail that `not-` does not turn into a pass. */
export function settledFail(evidence: string): Verdict {
  return { outcome: 'fail', evidence, settled: true };
}

/** Ends a switch over a closed set; reached only when unchecked data got past the types. */
export function unreachable(value: never): never {
  throw new Error(`unknown kind: ${JSON.stringify(value)}`);
}

/** A check that could not be evaluated. */
export function cannotGrade(evidence: string): Verdict {
  return { outcome: 'error', evidence };
}
