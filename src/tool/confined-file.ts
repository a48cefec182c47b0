import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readlinkSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { quote } from '../core/index.js';

const LONGEST_PATH = 1024;

/** A path that would leave the workspace, or that no confined tool may touch. */
export class ConfinementError extends Error {
  constructor(path: string, why: string) {
    super(`${quote(path)} ${why}`);
    this.name = 'ConfinementError';
  }
}

function isInside(root: string, path: string): boolean {
  const between = relative(root, path);
  return between === '' || (!between.startsWith('..') && !isAbsolute(between));
}

function refuseByWords(path: string): void {
  if (path === '') throw new ConfinementError(path, 'is empty');
  if (path.length > LONGEST_PATH) throw new ConfinementError(path.slice(0, 60), 'is too long');
  if (/[\u0000-\u001f\u007f]/.test(path)) throw new ConfinementError(path, 'holds control characters');
  if (isAbsolute(path) || /^[\\/]/.test(path) || /^[A-Za-z]:/.test(path) || path.startsWith('~')) {
    throw new ConfinementError(path, 'must be relative to the workspace');
  }
  if (path.split(/[\\/]/).includes('..')) throw new ConfinementError(path, 'leaves the workspace');
}

/** The nearest ancestor of a path that exists, symbolic links resolved. */
function realAncestor(path: string): string {
  for (let current = path; ; current = dirname(current)) {
    try {
      return realpathSync(current);
    } catch (error) {
      // A dangling link is as good as a way out: whoever creates its target decides where a write lands.
      if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
        throw new ConfinementError(path, 'goes through a broken symbolic link');
      }
      if (dirname(current) === current) throw error;
    }
  }
}

/**
 * Absolute path of something in the workspace. Words first (relative, no `..`), then the file system: every symbolic
 * link on the way is followed and must end inside.
 * @throws ConfinementError
 */
export function confinedPath(root: string, path: string): string {
  refuseByWords(path);
  const realRoot = realpathSync(root);
  const target = resolve(realRoot, path);
  if (!isInside(realRoot, target)) throw new ConfinementError(path, 'leaves the workspace');
  if (!isInside(realRoot, realAncestor(target))) {
    throw new ConfinementError(path, 'leaves the workspace through a symbolic link');
  }
  return target;
}

/** Where an open file really is; null where the system cannot say. */
function pathOfDescriptor(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}

/** Opens a regular file of the workspace; a link swapped in between the look and the opening is noticed. */
function openConfined(root: string, path: string, flags: number): number {
  const target = confinedPath(root, path);
  const descriptor = openSync(target, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isFile()) throw new ConfinementError(path, 'is not a regular file');
    if (opened.nlink > 1) throw new ConfinementError(path, 'is a hard link to a file that may lie outside');
    const actual = pathOfDescriptor(descriptor);
    if (actual !== null && !isInside(realpathSync(root), actual)) {
      throw new ConfinementError(path, 'leaves the workspace through a symbolic link');
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A link that stays inside the workspace is followed once, by its real name. */
function realName(root: string, path: string): string {
  const target = confinedPath(root, path);
  return lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true
    ? relative(realpathSync(root), realpathSync(target))
    : path;
}

/**
 * Reads a file of the workspace as UTF-8.
 * @param limit bytes read at most
 * @throws ConfinementError, or the file system's error
 */
export function readConfined(
  root: string,
  path: string,
  limit: number,
): { text: string; truncated: boolean } {
  const descriptor = openConfined(root, realName(root, path), constants.O_RDONLY);
  try {
    const buffer = Buffer.alloc(limit + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, length);
      length += read;
      if (read === 0 || length === buffer.length) break;
    }
    return { text: buffer.subarray(0, Math.min(length, limit)).toString('utf8'), truncated: length > limit };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a file of the workspace, making its directories. Nothing is made when the path is refused.
 * @throws ConfinementError, or the file system's error
 */
export function writeConfined(root: string, path: string, text: string): void {
  const name = realName(root, path);
  const parent = dirname(confinedPath(root, name));
  mkdirSync(parent, { recursive: true });
  const descriptor = openConfined(root, name, constants.O_WRONLY | constants.O_CREAT);
  try {
    let bytes = Buffer.from(text, 'utf8');
    // Emptied only after the checks, so that a refused file keeps its content.
    ftruncateSync(descriptor, 0);
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
