import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AssayError, compareUtf8 } from '../core/index.js';
import { loadAssertionSuite, type AssertionLoadOptions } from './assertion-suite.js';
import type { Suite } from './case.js';
import { displayPath, loadTraceSuite } from './load.js';
import { isFixtureName } from './trace-suite.js';
import { loadProgramSuite, PROGRAM_ENDINGS } from './program-suite.js';

/** How the suite in a file is written, by the file's name; null when the name is of no suite. */
export function formatOfFile(name: string): Suite['format'] | null {
  if (PROGRAM_ENDINGS.some((ending) => name.endsWith(ending))) return 'program';
  if (/\.ya?ml$/.test(name)) return 'assertion';
  return isFixtureName(name) ? 'trace' : null;
}

/** A directory is a suite of the trace fixtures in it; one that holds other suites is none. */
function refuseFolderOfSuites(path: string, shown: string): void {
  const names = readdirSync(path).toSorted(compareUtf8);
  const formats = names.map((name) => formatOfFile(name));
  if (formats.includes('trace')) return;
  const suites = names.filter((_, index) => formats[index] !== null);
  if (suites.length === 0) return;
  throw new AssayError(
    'SUITE_EMPTY',
    `${shown} holds no trace fixtures, but suites of its own: ${suites.join(', ')}`,
    {
      fix: `name one of them, such as ${join(shown, suites[0] ?? '')}`,
    },
  );
}

/**
 * Loads the suite at a path, whatever it is written in: a directory of trace fixtures or one `.json` fixture, a `.yaml`
 * or `.yml` assertion suite, a `.suite.ts` or `.scenario.ts`, `.mts`, `.js` or `.mjs` program.
 * @throws AssayError `SUITE_NOT_FOUND`, `SUITE_EMPTY`, `SUITE_LEGACY`, `VACUOUS`, or `SUITE_INVALID` with every problem
 */
export async function loadSuiteAt(path: string, options: AssertionLoadOptions = {}): Promise<Suite> {
  try {
    return await loadByForm(path, options);
  } catch (error) {
    // What the file system refuses (a link that loops, a directory without permission) is a fault of the suite.
    if (AssayError.isInstance(error) || !(error instanceof Error && 'code' in error)) throw error;
    const cwd = options.cwd ?? process.cwd();
    throw new AssayError(
      'SUITE_INVALID',
      `${displayPath(resolve(cwd, path), cwd)} cannot be read: ${error.message}`,
      {
        fix: 'check the path and its permissions',
        cause: error,
      },
    );
  }
}

async function loadByForm(path: string, options: AssertionLoadOptions): Promise<Suite> {
  const cwd = options.cwd ?? process.cwd();
  const absolute = resolve(cwd, path);
  const shown = displayPath(absolute, cwd);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    refuseFolderOfSuites(absolute, shown);
    return loadTraceSuite(path, options);
  }
  switch (formatOfFile(absolute)) {
    case 'assertion':
      return loadAssertionSuite(path, options);
    case 'program':
      return loadProgramSuite(path, options);
    case 'trace':
      return loadTraceSuite(path, options);
    case null:
      if (stats === undefined) return loadTraceSuite(path, options);
      throw new AssayError('SUITE_NOT_FOUND', `${shown} is not a suite`, {
        fix: 'name a directory of *.json fixtures, or a file that ends in .yaml, .yml, .json, .suite.ts or .scenario.ts',
      });
  }
}
