import { mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, type Source } from '../core/index.js';
import { ensurePrivateDirectory, PRIVATE_DIRECTORY } from './directories.js';
import { isRunId, safeDirectoryName } from './safe-name.js';
import { errorCode, storeError } from './store-error.js';
import { isTemporaryName } from './temporary-file.js';

const MOST_IDS = 100_000;

/** Directory of the runs of all suites, or of one. */
export function runsDirectory(root: string, suite?: string): string {
  const runs = join(root, 'runs');
  return suite === undefined ? runs : join(runs, safeDirectoryName(suite));
}

/**
 * Makes the directory of a new run. Making it is what reserves the id: of two runs that start in the same
 * millisecond with the same id, one gets the next id. Throws AssayError `STORE`.
 */
export function makeRunDirectory(
  root: string,
  suite: string,
  source: Source,
  wanted: string | undefined,
): { runId: string; directory: string } {
  ensurePrivateDirectory(root);
  ensurePrivateDirectory(runsDirectory(root));
  const parent = runsDirectory(root, suite);
  ensurePrivateDirectory(parent);
  let runId = wanted ?? source.id('run');
  for (let attempt = 1; ; attempt += 1) {
    if (!isRunId(runId)) {
      throw new AssayError('STORE', `${JSON.stringify(runId)} is not a run id`, {
        fix: 'Run ids look like run_1760000000000_k3x9q2: run_ and up to 80 letters, digits and underscores.',
      });
    }
    const directory = join(parent, runId);
    try {
      mkdirSync(directory, { mode: PRIVATE_DIRECTORY });
      return { runId, directory };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || attempt >= MOST_IDS) {
        throw storeError('make the directory', directory, error);
      }
    }
    runId = source.id('run');
  }
}

/** Removes what a killed writer left half-written. Only the run's owner may. */
export function clearTemporaryFiles(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!isTemporaryName(name)) continue;
    try {
      unlinkSync(join(directory, name));
    } catch {
      // It takes space and does no harm.
    }
  }
}
