import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AssayError, compareUtf8, didYouMean, quote } from '../core/index.js';
import type { Suite } from './case.js';
import { formatOfFile } from './load-suite.js';
import { PROGRAM_ENDINGS } from './program-suite.js';
import { isFixtureName } from './trace-suite.js';

/** Where suites are looked for by name, in this order. Directories that do not exist hold none. */
export interface SuiteRoots {
  /** The user's own suites; null when there is no such place. */
  userDir: string | null;
  projectDirs: readonly string[];
  /** Suites that come with Assay; null to leave them out. */
  bundledDir: string | null;
}

/** Whose suite it is. */
export type SuiteOrigin = 'user' | 'project' | 'bundled';

/** A suite that can be found by name. */
export interface FoundSuite {
  /** What to write to get it. */
  name: string;
  /** Absolute. */
  path: string;
  origin: SuiteOrigin;
  format: Suite['format'];
}

/** The suite that a name stands for. */
export interface ResolvedSuite extends FoundSuite {
  /** Paths of the suites of the same name that come later in the order and are hidden by this one. */
  shadowed: string[];
}

/** A suite in a list, where hidden ones are shown as well. */
export interface ListedSuite extends FoundSuite {
  /** Path of the suite of the same name that is taken instead; null when this one is. */
  shadowedBy: string | null;
}

interface Candidate {
  path: string;
  origin: SuiteOrigin;
  format: Suite['format'];
  /** It is a symlink to somewhere outside its root. */
  outside: boolean;
}

const FOLDERS = ['', 'Regression', 'regression', 'Capability', 'capability'];
const BUNDLED_FOLDERS = [...FOLDERS, 'bundled'];
const DRAFTS = '_drafts';
const FILE_ENDINGS = ['.yaml', '.yml', ...PROGRAM_ENDINGS];

interface Root {
  directory: string;
  origin: SuiteOrigin;
  folders: readonly string[];
}

function rootsInOrder(roots: SuiteRoots): Root[] {
  return [
    ...(roots.userDir === null
      ? []
      : [{ directory: roots.userDir, origin: 'user' as const, folders: FOLDERS }]),
    ...roots.projectDirs.map((directory) => ({ directory, origin: 'project' as const, folders: FOLDERS })),
    ...(roots.bundledDir === null
      ? []
      : [{ directory: roots.bundledDir, origin: 'bundled' as const, folders: BUNDLED_FOLDERS }]),
  ];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // A place that is not there, or cannot be read, holds no suites.
    return [];
  }
}

function isOutside(path: string, root: string): boolean {
  const way = relative(realpathSync(root), realpathSync(path));
  return way === '..' || way.startsWith(`..${sep}`);
}

function holdsFixtures(directory: string): boolean {
  return (
    statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true &&
    namesIn(directory).some(isFixtureName)
  );
}

/** Every suite of this name in one root, in order of preference. */
function candidatesIn(root: Root, name: string): Candidate[] {
  const found: Candidate[] = [];
  const add = (path: string, format: Suite['format']): void => {
    found.push({ path, origin: root.origin, format, outside: isOutside(path, root.directory) });
  };
  for (const ending of FILE_ENDINGS) {
    for (const folder of root.folders) {
      const path = join(root.directory, folder, name + ending);
      const format = formatOfFile(path);
      if (format !== null && statSync(path, { throwIfNoEntry: false })?.isFile() === true) add(path, format);
    }
  }
  for (const folder of root.folders) {
    const path = join(root.directory, folder, name);
    if (holdsFixtures(path)) add(path, 'trace');
  }
  return found;
}

/** One place under two names (a file system that ignores case, a project that is its own bundle) is one suite. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ path }) => {
    const real = realpathSync(path);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function lookUp(name: string, roots: SuiteRoots): Candidate[] {
  return withoutRepeats(rootsInOrder(roots).flatMap((root) => candidatesIn(root, name)));
}

/** Why a name cannot be that of a suite; null when it can. Names never lead out of the places where suites are. */
function nameFault(name: string): string | null {
  if (name.trim() === '') return 'the name of a suite must not be empty';
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'the name of a suite has no control characters';
  if (name.includes('\\') || name.startsWith('/') || /^[A-Za-z]:/.test(name)) {
    return 'the name of a suite is no path of its own: it is looked up in the suite directories';
  }
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'the name of a suite cannot lead out of the suite directories';
  }
  return null;
}

/** Names of all suites that can be found, sorted. */
function availableNames(roots: SuiteRoots): string[] {
  const names = new Set<string>();
  for (const root of rootsInOrder(roots)) {
    for (const folder of [...root.folders, DRAFTS]) {
      const directory = join(root.directory, folder);
      const prefix = folder === DRAFTS ? `${DRAFTS}/` : '';
      for (const entry of namesIn(directory)) {
        const ending = FILE_ENDINGS.find((candidate) => entry.endsWith(candidate) && entry !== candidate);
        if (ending !== undefined) names.add(prefix + entry.slice(0, -ending.length));
        else if (holdsFixtures(join(directory, entry))) names.add(prefix + entry);
      }
    }
  }
  return [...names].toSorted(compareUtf8);
}

/**
 * Finds a suite by name: the user's before the project's before the bundled ones; in each place `.yaml` before `.yml`
 * before `.suite.*` programs before directories of fixtures, and the place itself before its Regression and Capability
 * folders.
 * @throws AssayError `SUITE_NOT_FOUND` for a name that is unknown, or that is no name
 */
export function resolveSuite(name: string, roots: SuiteRoots): ResolvedSuite {
  const fault = nameFault(name);
  if (fault !== null) {
    throw new AssayError('SUITE_NOT_FOUND', `${quote(name)} names no suite: ${fault}`, {
      fix: 'write the name of a suite, or the path of an existing file',
    });
  }
  const [first, ...rest] = lookUp(name, roots);
  if (first === undefined) {
    const available = availableNames(roots);
    const meant = didYouMean(name, available);
    const all =
      available.length === 0
        ? 'there are no suites in the suite directories'
        : `the suites are: ${available.join(', ')}`;
    throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${name}`, {
      fix: meant === null ? all : `did you mean ${meant}?`,
    });
  }
  if (first.outside) {
    throw new AssayError('SUITE_NOT_FOUND', `suite ${name}: ${first.path} leads out of its directory`, {
      fix: 'put the file itself there, or run it by its path',
    });
  }
  const { path, origin, format } = first;
  return { name, path, origin, format, shadowed: rest.map((candidate) => candidate.path) };
}

/**
 * All suites in the suite directories, sorted by name, hidden ones after the one that hides them. Nothing is loaded, so
 * broken ones are listed too.
 */
export function listSuites(roots: SuiteRoots): ListedSuite[] {
  return availableNames(roots).flatMap((name) => {
    const candidates = lookUp(name, roots).filter((candidate) => !candidate.outside);
    return candidates.map(({ path, origin, format }, index) => ({
      name,
      path,
      origin,
      format,
      shadowedBy: index === 0 ? null : (candidates[0]?.path ?? null),
    }));
  });
}
