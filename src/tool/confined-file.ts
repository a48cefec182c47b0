import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { quote } from '../core/index.js';
import { HOLDS_DIRECTORIES, OpenDirectory } from './open-directory.js';
import { ConfinementError, foldedName, workspaceNames } from './workspace-name.js';

const OUTSIDE = 'leaves the workspace through a symbolic link';

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A file system's error in words that hold neither the place of the workspace nor the numbers of open files. */
function explained(path: string, error: unknown): unknown {
  if (error instanceof ConfinementError) return error;
  switch (codeOf(error)) {
    case 'ENOENT':
      return new Error(`${quote(path)} does not exist`);
    case 'ENOTDIR':
      return new Error(`a part of ${quote(path)} is not a directory`);
    case 'EISDIR':
      return new Error(`${quote(path)} is a directory`);
    case 'EACCES':
    case 'EPERM':
      return new Error(`${quote(path)} may not be opened`);
    case 'ENXIO':
      return new ConfinementError(path, 'is not a regular file');
    case 'ELOOP':
    case 'EMLINK':
      return new ConfinementError(path, OUTSIDE);
    case '':
      return error;
    default:
      return new Error(`${quote(path)} cannot be used: ${codeOf(error)}`);
  }
}

/**
 * The names that lead from the real root to what a path means now: every symbolic link on the way is followed and must
 * end inside; what does not exist yet keeps its names.
 */
function realNames(root: string, path: string): string[] {
  const names = workspaceNames(path);
  const missing: string[] = [];
  for (let current = join(root, ...names); ; current = dirname(current)) {
    let real: string;
    try {
      real = realpathSync(current);
    } catch (error) {
      // A dangling link is as good as a way out: whoever creates its target decides where a write lands.
      if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
        throw new ConfinementError(path, 'goes through a broken symbolic link');
      }
      if (current === root || codeOf(error) !== 'ENOENT') throw error;
      missing.unshift(basename(current));
      continue;
    }
    if (!isInside(root, real)) throw new ConfinementError(path, OUTSIDE);
    return [...relative(root, real).split(sep), ...missing].filter((name) => name !== '');
  }
}

/** Refuses to make a file beside one whose name only differs in case or form: on another system it would be the same. */
function refuseOtherSpelling(directory: OpenDirectory, name: string, path: string): void {
  const folded = foldedName(name);
  const names = directory.entries().map((entry) => entry.name);
  if (names.includes(name)) return;
  const other = names.find((known) => foldedName(known) === folded);
  if (other !== undefined) throw new ConfinementError(path, `is spelled ${quote(other)} in the workspace`);
}

/** Opens a regular file of the workspace and gives its number. Directories on the way are made when `make` says so. */
function openConfined(root: string, path: string, flags: number, make: boolean): number {
  const realRoot = realpathSync(root);
  const names = realNames(realRoot, path);
  const name = names.pop();
  if (name === undefined) throw new ConfinementError(path, 'is the workspace itself');
  let directory = OpenDirectory.open(realRoot);
  try {
    for (const inner of names) {
      if (make) refuseOtherSpelling(directory, inner, path);
      const next = directory.openDirectory(inner, make);
      directory.close();
      directory = next;
    }
    if (make) refuseOtherSpelling(directory, name, path);
    const descriptor = directory.openFile(name, flags);
    try {
      refuseUnlessPlain(descriptor, path, join(realRoot, ...names, name));
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  } finally {
    directory.close();
  }
}

/** The last look, at the file that is open: nothing can be swapped any more. */
function refuseUnlessPlain(descriptor: number, path: string, place: string): void {
  const opened = fstatSync(descriptor, { bigint: true });
  if (!opened.isFile()) throw new ConfinementError(path, 'is not a regular file');
  if (opened.nlink > 1n) throw new ConfinementError(path, 'is a hard link to a file that may lie outside');
  if (HOLDS_DIRECTORIES) return;
  // The path must still lead to the file that was opened.
  const named = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (realpathSync(place) !== place || named?.ino !== opened.ino || named.dev !== opened.dev) {
    throw new ConfinementError(path, OUTSIDE);
  }
}

/** Text of the first bytes of an open file; a character that is cut in two is left out. */
function readText(descriptor: number, limit: number): { text: string; truncated: boolean } {
  const buffer = Buffer.alloc(Math.min(limit, fstatSync(descriptor).size) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, length);
    length += read;
    if (read === 0 || length === buffer.length) break;
  }
  const truncated = length > limit;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    text: decoder.decode(buffer.subarray(0, Math.min(length, limit)), { stream: truncated }),
    truncated,
  };
}

/**
 * Reads a file of the workspace as UTF-8.
 * @param limit bytes read at most
 * @throws ConfinementError, or an Error in words for the agent
 */
export function readConfined(
  root: string,
  path: string,
  limit: number,
): { text: string; truncated: boolean } {
  try {
    const descriptor = openConfined(root, path, constants.O_RDONLY, false);
    try {
      return readText(descriptor, limit);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw explained(path, error);
  }
}

/**
 * Writes a file of the workspace, making its directories. Nothing is made when the path is refused.
 * @throws ConfinementError, or an Error in words for the agent
 */
export function writeConfined(root: string, path: string, text: string): void {
  try {
    const descriptor = openConfined(root, path, constants.O_WRONLY | constants.O_CREAT, true);
    try {
      let bytes = Buffer.from(text, 'utf8');
      // Emptied only after the checks, so that a refused file keeps its content.
      ftruncateSync(descriptor, 0);
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw explained(path, error);
  }
}

/** Bounds of a walk through the workspace. */
export interface WalkBounds {
  /** Files and directories looked at, at most. */
  entries: number;
  /** Directories inside one another, at most. */
  depth: number;
}

/** Text of a file that is met on a walk; null for one that cannot be read or is no plain file. */
export type ReadMet = (limit: number) => string | null;

/**
 * Walks through the regular files of the workspace in order of their paths; symbolic links are not followed. Gives true
 * when something was left out because of the bounds.
 */
export function walkConfined(
  root: string,
  bounds: WalkBounds,
  visit: (path: string, read: ReadMet) => void,
): boolean {
  let looked = 0;
  let cut = false;
  const walk = (directory: OpenDirectory, path: string, depth: number): void => {
    const entries = directory.entries().toSorted((left, right) => (left.name < right.name ? -1 : 1));
    for (const entry of entries) {
      looked += 1;
      cut ||= looked > bounds.entries;
      if (cut) return;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) visit(inner, (limit) => readMet(directory, entry.name, limit));
      if (!entry.isDirectory()) continue;
      if (depth >= bounds.depth) {
        cut = true;
        continue;
      }
      withDirectory(directory, entry.name, (opened) => walk(opened, inner, depth + 1));
    }
  };
  const top = OpenDirectory.open(realpathSync(root));
  try {
    walk(top, '', 0);
  } finally {
    top.close();
  }
  return cut;
}

function withDirectory(parent: OpenDirectory, name: string, use: (opened: OpenDirectory) => void): void {
  let opened: OpenDirectory;
  try {
    opened = parent.openDirectory(name, false);
  } catch {
    // Gone, closed to us, or a link by now.
    return;
  }
  try {
    use(opened);
  } finally {
    opened.close();
  }
}

function readMet(directory: OpenDirectory, name: string, limit: number): string | null {
  let descriptor: number;
  try {
    descriptor = directory.openFile(name, constants.O_RDONLY);
  } catch {
    return null;
  }
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    return opened.isFile() && opened.nlink === 1n ? readText(descriptor, limit).text : null;
  } finally {
    closeSync(descriptor);
  }
}
