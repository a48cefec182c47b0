import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { isSafeRelativePath, type Recording } from '../core/index.js';

/** Where a workspace path leads once symbolic links are followed. */
export type WorkspacePlace =
  /** Out of the workspace, by its words or through a link. Nothing there was read. */
  | { kind: 'escapes' }
  /** Nowhere: the file, or a directory on the way to it, does not exist. */
  | { kind: 'nothing' }
  /** To something inside; `path` is absolute and has no links left. */
  | { kind: 'inside'; path: string };

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function contains(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Follows a workspace path to the file that a program would open. Throws on other file system errors. */
export function placeOf(recording: Recording, path: string): WorkspacePlace {
  if (!isSafeRelativePath(path)) return { kind: 'escapes' };
  if (recording.workspace === undefined) return { kind: 'nothing' };
  const root = realPath(recording.workspace.root);
  const place = root === null ? null : realPath(join(root, path));
  if (root === null || place === null) return { kind: 'nothing' };
  return contains(root, place) ? { kind: 'inside', path: place } : { kind: 'escapes' };
}

/** Whether anything at all stands at a workspace path: a link counts as itself, wherever it points. */
export function presenceOf(recording: Recording, path: string): 'escapes' | 'present' | 'nothing' {
  if (!isSafeRelativePath(path)) return 'escapes';
  if (recording.workspace === undefined) return 'nothing';
  const root = realPath(recording.workspace.root);
  if (root === null) return 'nothing';
  const full = join(root, path);
  const parent = full === root ? root : realPath(dirname(full));
  if (parent === null) return 'nothing';
  if (!contains(root, parent)) return 'escapes';
  try {
    lstatSync(full);
    return 'present';
  } catch (error) {
    if (isMissing(error)) return 'nothing';
    throw error;
  }
}
