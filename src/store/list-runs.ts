import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorMessage, type RunSummary } from '../core/index.js';
import type { StoredHeader } from './header.js';
import { liveOwner } from './owner.js';
import { storedHeader, storedSummary } from './read-run.js';
import { runsDirectory } from './run-directory.js';
import { isRunId, newestFirst } from './safe-name.js';
import { errorCode, storeError } from './store-error.js';

/** A run's directory, not yet looked into. */
export interface FoundRun {
  runId: string;
  /** Directory name of the suite. */
  suiteDirectory: string;
  /** Absolute path of the run. */
  directory: string;
}

/**
 * How a stored run stands. `running`: a live process writes it; `finished`: it ended; `interrupted`: it was stopped
 * and said so; `unfinished`: it just ended, as after a crash.
 */
export type RunState = 'running' | 'finished' | 'interrupted' | 'unfinished';

/** A line of a list of runs. */
export interface RunListing extends FoundRun {
  state: RunState;
  header: StoredHeader;
  /** Null while running and when unfinished. */
  summary: RunSummary | null;
}

/** A folder of the store that could not be read. */
export interface ListingProblem {
  path: string;
  message: string;
}

/** Directories in a directory, links not followed; [] when it does not exist. */
function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storeError('list', path, error);
  }
}

/**
 * The run directories of a store, newest first by their ids; nothing in them is read. `suite` is a suite's name or
 * the name of its directory. Throws AssayError `STORE` when the store itself cannot be listed.
 */
export function runDirectories(root: string, suite?: string, problems: ListingProblem[] = []): FoundRun[] {
  const runs = runsDirectory(resolve(root));
  const present = directoriesIn(runs);
  const wanted = suite === undefined ? present : present.filter((name) => isNamed(name, suite, root));
  const found: FoundRun[] = [];
  for (const suiteDirectory of wanted) {
    try {
      for (const runId of directoriesIn(join(runs, suiteDirectory))) {
        if (isRunId(runId))
          found.push({ runId, suiteDirectory, directory: join(runs, suiteDirectory, runId) });
      }
    } catch (error) {
      problems.push({ path: join(runs, suiteDirectory), message: errorMessage(error) });
    }
  }
  return found.toSorted((left, right) => newestFirst(left.runId, right.runId));
}

function isNamed(name: string, suite: string, root: string): boolean {
  return name === suite || join(runsDirectory(resolve(root)), name) === runsDirectory(resolve(root), suite);
}

function listing(found: FoundRun): RunListing {
  const header = storedHeader(found.directory);
  const summary = storedSummary(found.directory);
  const alive = liveOwner(found.directory) !== null;
  if (summary === null) return { ...found, header, summary, state: alive ? 'running' : 'unfinished' };
  return { ...found, header, summary, state: summary.interrupted ? 'interrupted' : 'finished' };
}

/**
 * The stored runs, newest first, from the first and last lines of their journals. A folder that cannot be read is a
 * problem in the answer and never hides the others. Throws AssayError `STORE` when the store itself cannot be listed.
 */
export function listRuns(root: string, suite?: string): { runs: RunListing[]; problems: ListingProblem[] } {
  const problems: ListingProblem[] = [];
  const runs: RunListing[] = [];
  for (const found of runDirectories(root, suite, problems)) {
    try {
      runs.push(listing(found));
    } catch (error) {
      problems.push({ path: found.directory, message: errorMessage(error) });
    }
  }
  return { runs, problems };
}
