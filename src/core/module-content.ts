import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { sha256 } from './json.js';

const SCRIPT = /\.[cm]?[jt]sx?$/;
// Also a specifier in a comment or a text: a file too many does no harm, one too few would hide an edit.
const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;
const ENDINGS = ['', '.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];
const MOST_FILES = 2000;

interface Known {
  /** Path, time of change and size of every file that counts. */
  files: readonly (readonly [path: string, changed: number, size: number])[];
  content: string;
}

const known = new Map<string, Known>();

function fileAt(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : null;
}

/** The file that a relative specifier leads to, as loaders of TypeScript look for it; null when there is none. */
function imported(specifier: string, directory: string): string | null {
  const path = resolve(directory, specifier);
  const bare = path.slice(0, path.length - extname(path).length);
  const candidates = [
    ...ENDINGS.map((ending) => path + ending),
    // Written as compiled, there as TypeScript.
    ...(/^\.[cm]?jsx?$/.test(extname(path)) ? ['.ts', '.mts', '.cts', '.tsx'].map((end) => bare + end) : []),
    ...ENDINGS.slice(1).map((ending) => join(path, `index${ending}`)),
  ];
  for (const candidate of candidates) {
    const found = fileAt(candidate);
    if (found !== null) return found;
  }
  return null;
}

function isCurrent({ files }: Known): boolean {
  return files.every(([path, changed, size]) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.mtimeMs === changed && stats.size === size;
  });
}

/**
 * SHA-256 of what a file holds; of a JavaScript or TypeScript file, with all files that it imports by relative paths,
 * and those that they import. The hash of a file that imports nothing is that of its bytes. Null when the file cannot be
 * read.
 * @param path absolute
 */
export function moduleContent(path: string): string | null {
  const earlier = known.get(path);
  if (earlier !== undefined && isCurrent(earlier)) return earlier.content;
  const files: [string, number, number][] = [];
  const hashes: string[] = [];
  const seen = new Set([path]);
  // The set grows while it is walked.
  for (const file of seen) {
    try {
      const { mtimeMs, size } = statSync(file);
      const text = readFileSync(file, 'latin1');
      files.push([file, mtimeMs, size]);
      hashes.push(sha256(text));
      if (!SCRIPT.test(file) || seen.size > MOST_FILES) continue;
      for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
        const found = imported(Buffer.from(specifier, 'latin1').toString('utf8'), dirname(file));
        if (found !== null) seen.add(found);
      }
    } catch {
      if (file === path) return null;
    }
  }
  const content = hashes.length === 1 ? (hashes[0] ?? '') : sha256(hashes.join('\n'));
  known.set(path, { files, content });
  return content;
}
