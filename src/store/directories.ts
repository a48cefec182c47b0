import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AssayError } from '../core/index.js';
import { errorCode, storeError } from './store-error.js';

/** Mode of every directory Assay makes for results: nobody but the user. */
export const PRIVATE_DIRECTORY = 0o700;

/** Mode of every file Assay writes results to. */
export const PRIVATE_FILE = 0o600;

/** What stands at a path, links not followed; null when nothing does. Throws AssayError `STORE`. */
export function stateAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw storeError('look at', path, error);
  }
}

function targetOf(path: string): string {
  try {
    return `it leads to: ${realpathSync(path)}`;
  } catch {
    return 'it is to lead to (it leads nowhere now)';
  }
}

/** Makes a directory and its missing parents. Node's own recursive call hides why it failed on a read-only disk. */
function makeDirectory(path: string): void {
  const parent = dirname(path);
  if (parent !== path && stateAt(parent) === null) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY });
  } catch (error) {
    // Another run may have made it at the same time.
    if (stateAt(path)?.isDirectory() !== true) throw storeError('make the directory', path, error);
  }
}

/**
 * Makes sure that a directory exists. It and every missing parent are made with mode 0700; what exists keeps its
 * mode. A symbolic link is refused, because it would lead results out of the place that was named. Throws
 * AssayError `STORE`.
 */
export function ensurePrivateDirectory(path: string): void {
  const absolute = resolve(path);
  const before = stateAt(absolute);
  if (before?.isSymbolicLink() === true) {
    throw new AssayError('STORE', `${absolute} is a symbolic link; results are never written through one`, {
      fix: `Remove the link, or set \`store.dir\` in assay.config.yaml to the directory ${targetOf(absolute)}.`,
    });
  }
  if (before === null) makeDirectory(absolute);
  else if (!before.isDirectory()) {
    throw new AssayError('STORE', `${absolute} is a file, not a directory`, {
      fix: 'Move the file, or set `store.dir` in assay.config.yaml to another place.',
    });
  }
}

/**
 * Writes a directory's entries to the disk, so that a new or renamed file in it outlives a power failure. Where a
 * system has no such operation, it is left out.
 */
export function syncDirectory(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EIO' || code === 'ENOSPC') throw storeError('sync the directory', path, error);
  } finally {
    closeSync(descriptor);
  }
}
