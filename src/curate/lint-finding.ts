import type { Case, LintRule, Suite } from '../suite/index.js';

/** Something in a suite that loads but deserves a second look. */
export interface LintFinding {
  /** Stable id of the rule, under which it is silenced. */
  rule: LintRule;
  file: string;
  line: number;
  /** '' when the finding is about the suite as a whole. */
  caseId: string;
  /** What is wrong, and why that matters. */
  message: string;
  fix: string;
}

/** What rules need beside the case. */
export interface LintContext {
  suite: Suite;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A finding about a case. */
export function caseFinding(tested: Case, rule: LintRule, message: string, fix: string): LintFinding {
  const { file, line } = tested.source;
  return { rule, file, line, caseId: tested.id, message, fix };
}

/** A finding about a suite as a whole. */
export function suiteFinding(suite: Suite, rule: LintRule, message: string, fix: string): LintFinding {
  return { rule, file: suite.displayPath, line: 1, caseId: '', message, fix };
}
