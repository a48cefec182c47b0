import { statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { AssayError } from '../core/index.js';
import type { Suite, SuiteKind } from './case.js';
import { readTraceDirectory, readTraceFile, type InspectCase } from './trace-suite.js';

/** How to load a suite. */
export interface LoadOptions {
  /** Directory that messages are relative to; default the working directory. */
  cwd?: string;
  /** Overrides the kind that the suite's place or its own text gives. */
  kind?: SuiteKind;
  /** Called with every admitted case; what it returns refuses the suite. */
  inspect?: (kind: SuiteKind) => InspectCase | undefined;
}

/** A path as the user would write it: relative to `cwd` unless it lies elsewhere. */
export function displayPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === '' ? '.' : shown.startsWith('..') ? path : shown;
}

/** A suite of trace fixtures: every check of every case must hold, once, and nothing else is set. */
export function traceSuite(
  own: Pick<Suite, 'name' | 'path' | 'displayPath' | 'root' | 'kind' | 'cases'>,
): Suite {
  const { cases, ...place } = own;
  return {
    ...place,
    format: 'trace',
    description: null,
    gate: 'all',
    passThreshold: 1,
    saturationThreshold: 0.95,
    trials: 1,
    agentLevel: 'medium',
    judgeLevel: 'high',
    agentModel: null,
    judgeModel: null,
    criteria: [],
    owner: null,
    cases,
  };
}

/**
 * Loads the suite at a path: a directory of trace fixtures or one fixture file.
 * @throws AssayError `SUITE_NOT_FOUND`, `SUITE_EMPTY`, `SUITE_INVALID` (all problems of all files) or `VACUOUS`.
 */
export function loadTraceSuite(path: string, options: LoadOptions = {}): Suite {
  const cwd = options.cwd ?? process.cwd();
  const absolute = resolve(cwd, path);
  const shown = displayPath(absolute, cwd);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${shown}`, {
      fix: 'name a directory of *.json fixtures with --suite, or run assay init to make one',
    });
  }
  const directory = stats.isDirectory();
  const name = basename(absolute, directory ? '' : extname(absolute));
  const kind =
    options.kind ??
    (basename(directory ? absolute : dirname(absolute)) === 'capability' ? 'capability' : 'regression');
  const inspect = options.inspect?.(kind);
  const cases = directory
    ? readTraceDirectory(absolute, shown, inspect)
    : readTraceFile(dirname(absolute), join(shown, '..'), basename(absolute), inspect);
  const root = directory ? absolute : dirname(absolute);
  return traceSuite({ name, path: absolute, displayPath: shown, root, kind, cases });
}
