import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SENTINEL_PRESETS, sentinelPreset } from '../config/index.js';
import { matchesPathGlob } from '../match/index.js';

/** Which files shape the agent. */
export interface Sentinels {
  /** The sentinel that an absolute path matches, as the configuration has it; null for every other file. */
  match: (path: string) => string | null;
  /** Directories under which sentinels may lie, absolute; none lies in another. */
  directories: string[];
  /** The globs, as they are written. */
  globs: string[];
}

/** Where sentinels are looked for. */
export interface SentinelPlace {
  /** The project, absolute. */
  root: string;
  /** Absolute paths of further files that always count: those that are part of the prompt. */
  files: readonly string[];
  home?: string;
}

interface Pattern {
  written: string;
  /** Absolute, with `/` between names. */
  glob: string;
}

/** On these systems two spellings of a name are one file. */
const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32';

function comparable(path: string): string {
  const plain = (sep === '/' ? path : path.replaceAll(sep, '/')).normalize('NFC');
  return FOLDS_CASE ? plain.toLowerCase() : plain;
}

/** The path with links followed, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}

function absoluteGlob(written: string, place: SentinelPlace): string {
  if (written.startsWith('~/')) return `${comparable(place.home ?? homedir())}/${written.slice(2)}`;
  return written.startsWith('/') || isAbsolute(written) ? written : `${comparable(place.root)}/${written}`;
}

function patternsOf(written: readonly string[], place: SentinelPlace): Pattern[] {
  const globs = written.flatMap((entry): readonly string[] => {
    const preset = sentinelPreset(entry);
    return preset === null ? [entry] : SENTINEL_PRESETS[preset];
  });
  return [...new Set(globs)].map((glob) => ({ written: glob, glob: comparable(absoluteGlob(glob, place)) }));
}

/** Where sentinels lead that are links: by target, the glob. Of a glob with wildcards only the nearest file is known. */
function linkTargets(patterns: readonly Pattern[]): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { written, glob } of patterns) {
    const path = glob.replaceAll('**/', '');
    if (/[*?]/.test(path) || lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    targets.set(comparable(real(path)), written);
  }
  return targets;
}

/** The part of a glob before its first wildcard, without the last name. */
function startOf(glob: string): string {
  const names = glob.split('/');
  const wild = names.findIndex((name) => /[*?]/.test(name));
  return names.slice(0, wild === -1 ? -1 : wild).join('/') || '/';
}

/** True when a path is a directory or lies below it; both absolute. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function outermost(directories: readonly string[]): string[] {
  const sorted = [...new Set(directories)].toSorted((left, right) => left.length - right.length);
  return sorted.filter((one, index) => !sorted.slice(0, index).some((other) => isInside(one, other)));
}

/**
 * The sentinels of a configuration. Globs know `*`, `?` and `**`; they start at the project, or with `/` or `~/`
 * anywhere. A path counts as it is named and with links followed. A glob that starts at the root of the disk is looked
 * for by a watcher in the project and in `~/.claude`; a hook, which is told of every path, takes it at its word.
 */
export function sentinelsOf(written: readonly string[], place: SentinelPlace): Sentinels {
  const patterns = patternsOf(written, place);
  const files = new Map([
    ...linkTargets(patterns),
    ...place.files.map((path): [string, string] => [comparable(real(path)), path]),
  ]);
  const find = (path: string): string | null => {
    const name = comparable(path);
    return patterns.find(({ glob }) => matchesPathGlob(name, glob))?.written ?? files.get(name) ?? null;
  };
  const root = resolve(place.root);
  const home = join(place.home ?? homedir(), '.claude');
  const directories = patterns.flatMap(({ written: glob }) => {
    const start = startOf(absoluteGlob(glob, { ...place, root }));
    return start === '/' ? [root, home] : [start];
  });
  return {
    match(path) {
      const found = find(path) ?? find(real(path));
      if (found !== null) return found;
      // The project itself may lie behind a link.
      const trueRoot = real(root);
      return trueRoot === root || !isInside(path, trueRoot)
        ? null
        : find(join(root, relative(trueRoot, path)));
    },
    directories: outermost([...directories, ...place.files.map((path) => dirname(resolve(path)))]),
    globs: patterns.map(({ written: glob }) => glob),
  };
}
