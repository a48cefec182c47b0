import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorMessage, isSafeRelativePath } from '../core/index.js';

/** A text that was read, or why not. */
export type InsideText = { ok: true; text: string; path: string } | { ok: false; message: string };

const LARGEST = 16 * 1024 * 1024;

/**
 * Reads a file that a file from outside names: relative to `root`, and inside it with every link followed.
 * @param root absolute
 */
export function readInside(root: string, written: string): InsideText {
  const path = written.replace(/^file:\/\//, '').replace(/^\.\//, '');
  if (!isSafeRelativePath(path)) return { ok: false, message: 'is not a path inside its directory' };
  try {
    const real = realpathSync(resolve(root, path));
    const way = relative(realpathSync(root), real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      return { ok: false, message: 'leads out of its directory' };
    const stats = statSync(real);
    if (!stats.isFile()) return { ok: false, message: 'is not a file' };
    if (stats.size > LARGEST) return { ok: false, message: 'is larger than 16 MB' };
    const bytes = readFileSync(real);
    const text = bytes.toString('utf8');
    if (text.includes('\0') || text.includes('\uFFFD')) return { ok: false, message: 'is not UTF-8 text' };
    return { ok: true, text, path: real };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { ok: false, message: missing ? 'does not exist' : `cannot be read: ${errorMessage(error)}` };
  }
}
