import { appendFileSync, existsSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { AssayError, errorMessage, type JsonObject } from '../core/index.js';
import { writeFileAtomic } from '../store/index.js';
import type { Suite, SuiteRoots } from '../suite/index.js';

/** What was done with a suite. */
export type CurationAction = 'create' | 'add-case' | 'edit' | 'graduate' | 'retire';

/** One line of a suite directory's history. */
export interface CurationEntry {
  /** ISO time. */
  at: string;
  action: CurationAction;
  suite: string;
  /** Ids of the cases it is about; empty for the suite as a whole. */
  cases: string[];
  /** Why, and on what evidence. */
  details: JsonObject;
}

/** A file as it would be; null removes it. */
export interface PlannedFile {
  /** Absolute. */
  path: string;
  text: string | null;
}

/** A change that is worked out and admitted, and not yet made. */
export interface ChangePlan {
  /** What would happen, one line each; data, not yet safe to print. */
  lines: string[];
  files: PlannedFile[];
  entry: CurationEntry;
  /** Absolute path of the history it is noted in. */
  history: string;
}

/** Name of the file in which a suite directory keeps what was done with its suites. */
export const HISTORY_NAME = '_history.jsonl';

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
}

/** Where the history of a suite is kept: in the suite directory it is found under, else beside it. */
export function historyPath(suite: Pick<Suite, 'path'>, roots: SuiteRoots): string {
  const directories = [...(roots.userDir === null ? [] : [roots.userDir]), ...roots.projectDirs];
  const root = directories.find((directory) => isInside(suite.path, directory));
  return join(root ?? dirname(suite.path), HISTORY_NAME);
}

/**
 * Refuses to change a suite that comes with Assay.
 * @throws AssayError `INPUT`
 */
export function requireOwn(suite: Pick<Suite, 'path' | 'name'>, roots: SuiteRoots): void {
  const { bundledDir } = roots;
  const own = [...(roots.userDir === null ? [] : [roots.userDir]), ...roots.projectDirs];
  if (bundledDir === null || !isInside(suite.path, bundledDir)) return;
  if (own.some((directory) => isInside(suite.path, directory))) return;
  throw new AssayError('INPUT', `${suite.name} comes with Assay and cannot be changed`, {
    fix: 'copy it into your suite directory, and change the copy',
  });
}

/**
 * Makes a planned change: new texts first, then removals, each file as a whole; at last the history. Whatever stops it
 * half-way, no case is lost.
 * @throws AssayError `STORE` when a file cannot be written
 */
export async function applyPlan(plan: ChangePlan): Promise<void> {
  const written = plan.files.filter((file) => file.text !== null);
  for (const { path, text } of written) {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, text ?? '', 0o644);
  }
  for (const { path, text } of plan.files) {
    if (text === null && existsSync(path)) unlinkSync(path);
  }
  mkdirSync(dirname(plan.history), { recursive: true });
  appendFileSync(plan.history, `${JSON.stringify(plan.entry)}\n`);
}

/**
 * The text of a file.
 * @throws AssayError `INPUT`
 */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}
