import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { moduleContent } from '../core/index.js';

/** Where paths in a suite are looked up, and what they may not leave. Both absolute. */
export interface PathRoot {
  /** Directory of the file that names the path. */
  directory: string;
  /** Directory that no path leaves, also not through a symlink. */
  within: string;
}

/** A path that may be used, or why not. */
export type InsidePath =
  | { ok: true; path: string; exists: boolean }
  | { ok: false; message: string; fix: string };

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real path of the nearest ancestor that exists. */
function realAncestor(path: string): string {
  for (let current = path; ; current = dirname(current)) {
    try {
      return realpathSync(current);
    } catch {
      if (dirname(current) === current) return current;
    }
  }
}

/**
 * Admits a path that someone wrote in a suite: relative to the directory of its file, and inside the root with every
 * symlink followed.
 */
export function insidePath(written: string, root: PathRoot): InsidePath {
  const refused = (message: string, fix: string): InsidePath => ({ ok: false, message, fix });
  if (written.trim() === '' || written.includes('\0')) {
    return refused('is not a path', 'write a path relative to the suite file');
  }
  if (isAbsolute(written) || /^[A-Za-z]:/.test(written) || written.startsWith('\\')) {
    return refused(
      'is an absolute path',
      'write it relative to the suite file, so that it works on every machine',
    );
  }
  const path = resolve(root.directory, written);
  const leaves = (): InsidePath =>
    refused(`leaves ${root.within}`, 'keep the file inside that directory, and name it from the suite file');
  if (!isInside(path, root.within)) return leaves();
  if (!isInside(realAncestor(path), realAncestor(root.within))) return leaves();
  return { ok: true, path, exists: statSync(path, { throwIfNoEntry: false })?.isFile() === true };
}

/** A path inside the root as hashes name it: relative, with slashes. */
export function portablePath(path: string, root: string): string {
  return relative(root, path).split(sep).join('/');
}

/** A file inside the root as hashes name it: its relative path with slashes, and the hash of its content; a module counts with what it imports. */
export function fileIdentity(path: string, root: string): { path: string; content: string | null } {
  return { path: portablePath(path, root), content: moduleContent(path) };
}
