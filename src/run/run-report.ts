import { exitCodeOf, type CaseResult, type RunSummary } from '../core/index.js';

/** The result of running a suite. */
export interface RunReport extends RunSummary {
  /** Every case's result, in suite order; empty when the run was told not to keep them. */
  cases: CaseResult[];
  /** 0 when the result is acceptable, 1 otherwise. A pure function of the report. */
  exitCode(): 0 | 1;
}

/** A summary and its cases as a report. */
export function createRunReport(summary: RunSummary, cases: CaseResult[]): RunReport {
  return { ...summary, cases, exitCode: () => exitCodeOf([summary]) };
}
