import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { AssayError } from '../core/index.js';
import { stateAt } from './directories.js';
import { JOURNAL_NAME } from './journal.js';
import { runDirectories, type FoundRun } from './list-runs.js';
import { runsDirectory } from './run-directory.js';

const MOST_CANDIDATES = 10;
const RUN_FILES = new Set([JOURNAL_NAME, 'run.json']);

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The run at a path: its folder, or a file in it. */
function atPath(reference: string): FoundRun | null {
  const path = resolve(reference);
  const directory = RUN_FILES.has(basename(path)) && !isDirectory(path) ? dirname(path) : path;
  if (!isDirectory(directory) || stateAt(join(directory, JOURNAL_NAME)) === null) return null;
  return { runId: basename(directory), suiteDirectory: basename(dirname(directory)), directory };
}

function candidates(found: readonly FoundRun[]): string {
  const shown = found.slice(0, MOST_CANDIDATES).map((one) => `${one.suiteDirectory}/${one.runId}`);
  const more = found.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function notFound(message: string, known: readonly FoundRun[]): AssayError {
  return new AssayError('RUN_NOT_FOUND', message, {
    fix:
      known.length === 0
        ? 'Start one with `assay run`.'
        : `The newest are ${candidates(known)}. \`assay list\` shows all.`,
  });
}

/** The runs that a reference without a suite part names, newest first. */
function named(reference: string, known: readonly FoundRun[]): FoundRun[] {
  if (reference === 'latest') return known.slice(0, 1);
  const exact = known.filter((one) => one.runId === reference);
  if (exact.length > 0) return exact;
  return known.filter((one) => one.runId.startsWith(reference) || one.runId.startsWith(`run_${reference}`));
}

/**
 * The stored run that a reference names: `latest`, a run id, the beginning of one (`run_` may be left out) when only
 * one run begins so, any of these after `suite/`, or the path of a run's folder or of a file in it. `latest` is the run that
 * was started last, whether it finished or not. Throws AssayError `RUN_NOT_FOUND` that lists candidates.
 */
export function findRun(root: string, reference: string): FoundRun {
  const text = reference.trim();
  const slash = text.lastIndexOf('/');
  const isPath =
    slash !== -1 || text.includes('\\') || isAbsolute(text) || RUN_FILES.has(text) || text === '.';
  if (isPath) {
    const there = atPath(text);
    if (there !== null) return there;
  }
  const suite = slash === -1 ? undefined : text.slice(0, slash);
  const name = text.slice(slash + 1);
  const known = runDirectories(root, suite);
  const [first, second] = name === '' ? [] : named(name, known);
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    throw new AssayError('RUN_NOT_FOUND', `"${text}" fits more than one run`, {
      fix: `Write more of the id: ${candidates(named(name, known))}.`,
    });
  }
  const everything = suite === undefined ? known : runDirectories(root);
  if (everything.length === 0) {
    throw notFound(`no run is stored in ${runsDirectory(resolve(root))}`, []);
  }
  if (suite !== undefined && known.length === 0) {
    throw notFound(`there is no stored run of the suite "${suite}", and no run at that path`, everything);
  }
  throw notFound(`there is no stored run "${text}"`, known);
}
