import type { RunSummary } from './run.js';

/**
 * Whether a run's result is acceptable. A regression suite must have passed its gate. A suite of trace fixtures of
 * kind capability is tracked and never gates: it is acceptable when every trial ran and was scored.
 */
export function acceptable(summary: RunSummary): boolean {
  const { totals } = summary;
  if (totals.cases === 0 || summary.interrupted) return false;
  if (summary.outcome === 'passed') return true;
  const unscored = totals.notRun + totals.errored + (totals.trials - totals.scoredTrials);
  const tracked = summary.format === 'trace' && summary.kind === 'capability';
  return tracked && summary.outcome === 'failed' && unscored === 0;
}

/** Exit code of one or several runs: 0 when there is at least one run and every one is acceptable, else 1. */
export function exitCodeOf(summaries: readonly RunSummary[]): 0 | 1 {
  return summaries.length > 0 && summaries.every(acceptable) ? 0 : 1;
}
