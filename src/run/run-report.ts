import type { CaseResult, RunSummary } from '../core/index.js';

/** The result of running a suite. */
export interface RunReport extends RunSummary {
  /** Every case's result, in suite order; empty when the run was told not to keep them. */
  cases: CaseResult[];
  /** 0 when the suite's gate passed, 1 otherwise. A pure function of the report. */
  exitCode(): 0 | 1;
}

/**
 * The exit code of a finished run. A capability suite of trace fixtures is tracked and never gates: only an error or a
 * case that was not run makes it 1.
 */
export function exitCodeOf(summary: RunSummary): 0 | 1 {
  if (summary.kind === 'capability' && summary.format === 'trace') {
    const { errored, notRun, cases } = summary.totals;
    return errored > 0 || notRun > 0 || cases === 0 ? 1 : 0;
  }
  return summary.outcome === 'passed' ? 0 : 1;
}

/** A summary and its cases as a report. */
export function createRunReport(summary: RunSummary, cases: CaseResult[]): RunReport {
  return { ...summary, cases, exitCode: () => exitCodeOf(summary) };
}
