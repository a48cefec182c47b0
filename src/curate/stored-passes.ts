import type { TrialResult } from '../core/index.js';
import { findRun, listRuns, readRun, type StoredRun } from '../store/index.js';
import { saidInCase, type Case } from '../suite/index.js';
import type { FindStored } from './proof-recording.js';

/** Runs that are looked through for a passed trial, newest first. */
const MOST_RUNS = 20;

function isUsable(trial: TrialResult, tested: Case): boolean {
  const { recording } = trial;
  if (trial.status !== 'passed' || recording === null) return false;
  return saidInCase(
    tested,
    recording.turns.map((turn) => turn.user),
  );
}

/**
 * Looks for passed trials in the store: in the one run that `reference` names, else in the newest runs of the suite.
 * A trial is of use while the prompts of its case are the same, whatever its checks are by now.
 * @throws AssayError `RUN_NOT_FOUND` for a reference that names no run
 */
export function storedPasses(root: string, suite: string, reference: string | null): FindStored {
  const directories =
    reference === null
      ? listRuns(root, suite)
          .runs.slice(0, MOST_RUNS)
          .map((run) => run.directory)
      : [findRun(root, reference).directory];
  const opened = new Map<string, StoredRun>();
  const open = (directory: string): StoredRun => {
    const run = opened.get(directory) ?? readRun(directory);
    opened.set(directory, run);
    return run;
  };
  return (tested) => {
    for (const directory of directories) {
      const run = open(directory);
      const trial = run.find(tested.id)?.trials.findLast((one) => isUsable(one, tested));
      if (trial !== undefined) return { runId: run.header.runId, trial };
    }
    return null;
  };
}
