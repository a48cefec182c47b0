import type { RunSummary } from '../core/index.js';

/** Everything in a report that differs from run to run or from machine to machine, in one place. */
export function runFacts(summary: RunSummary): object {
  return {
    run_id: summary.runId,
    started_at: summary.startedAt,
    finished_at: summary.finishedAt,
    directory: summary.directory,
    suite_path: summary.suitePath,
    seed: summary.seed,
    interrupted: summary.interrupted,
    reused_trials: summary.totals.reusedTrials,
    assay_version: summary.assayVersion,
    git: summary.git,
  };
}
