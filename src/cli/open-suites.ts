import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedConfig } from '../config/index.js';
import { AssayError, formatProblem, type Problem } from '../core/index.js';
import { loadSuite } from '../run/index.js';
import { displayPath, resolveSuite, type Suite, type SuiteKind, type SuiteRoots } from '../suite/index.js';
import { suiteBounds } from './project-root.js';
import { note } from './streams.js';

/** Directory of the suites that come with Assay. */
export const BUNDLED_SUITES: string = join(dirname(fileURLToPath(import.meta.url)), '../../evals');

const DEFAULT_USER_SUITES = join(homedir(), '.config', 'assay', 'suites');

/** Where suites are looked for by name: the user's own, then the project's, then those that come with Assay. */
export function suiteRoots(loaded: LoadedConfig): SuiteRoots {
  const { eval: block } = loaded.config;
  return {
    userDir: block.user_suites === undefined ? DEFAULT_USER_SUITES : resolve(loaded.root, block.user_suites),
    projectDirs: [resolve(loaded.root, block.project_suites)],
    bundledDir: BUNDLED_SUITES,
  };
}

/** How suites are opened. */
export interface OpenOptions {
  loaded: LoadedConfig;
  cwd: string;
  kind?: SuiteKind;
  /** Refuse regression cases that an idle run passes. Default true. */
  gate?: boolean;
  quiet?: boolean;
  /** Golden files are about to be written and need not exist. */
  update?: boolean;
  /** Recordings of simulated users are about to be written. */
  recordingAgain?: boolean;
}

function looksLikePath(name: string): boolean {
  return name.includes('/') || name.includes('\\') || /\.(json|ya?ml|m?[jt]s)$/.test(name);
}

/** The file or directory that a name on the command line stands for. */
function pathOf(name: string, options: OpenOptions): string {
  const { loaded, cwd } = options;
  const direct = resolve(cwd, name);
  if (name !== '' && existsSync(direct)) return direct;
  if (looksLikePath(name) && !name.startsWith('_drafts/')) return direct;
  const resolved = resolveSuite(name, suiteRoots(loaded));
  if (resolved.shadowed.length > 0 && options.quiet !== true) {
    note(
      `suite ${name} is taken from ${displayPath(resolved.path, cwd)}; it hides ${resolved.shadowed.map((path) => displayPath(path, cwd)).join(', ')}`,
    );
  }
  return resolved.path;
}

/** The default suite: the configured directory, or the bundled one where the project has none. */
function defaultPath(options: OpenOptions): string {
  const { loaded, cwd } = options;
  const configured = resolve(loaded.root, loaded.config.eval.suite_dir);
  if (existsSync(configured) || loaded.explicit.has('suite_dir')) return configured;
  if (options.quiet !== true) {
    note(
      `no ${displayPath(configured, cwd)} here: running the suite that comes with Assay (assay init writes your own)`,
    );
  }
  return join(BUNDLED_SUITES, 'regression');
}

/**
 * Opens the suites named, or the default one. The problems of all of them are reported together, and nothing runs.
 * @throws AssayError for what cannot be opened
 */
export async function openSuites(names: readonly string[], options: OpenOptions): Promise<Suite[]> {
  const suites: Suite[] = [];
  const failures: AssayError[] = [];
  for (const name of names.length > 0 ? names : [null]) {
    try {
      const path = name === null ? defaultPath(options) : pathOf(name, options);
      suites.push(
        await loadSuite(path, {
          cwd: options.cwd,
          gate: options.gate !== false,
          goldenFilesMayBeMissing: options.update === true,
          recordingAgain: options.recordingAgain === true,
          ...suiteBounds(path, options.loaded, options.cwd),
          ...(options.quiet === true
            ? {}
            : { warn: (problem: Problem): void => note(`warning: ${formatProblem(problem)}`) }),
          ...(options.kind === undefined ? {} : { kind: options.kind }),
        }),
      );
    } catch (error) {
      if (!AssayError.isInstance(error)) throw error;
      failures.push(error);
    }
  }
  const [first, ...rest] = failures;
  if (first === undefined) return suites;
  if (rest.length === 0) throw first;
  const problems = failures.flatMap((failure): readonly Problem[] =>
    failure.problems.length > 0
      ? failure.problems
      : [{ file: failure.message, line: null, column: null, key: '', message: failure.fix, fix: '' }],
  );
  throw new AssayError(first.code, `${failures.length} suites cannot be loaded`, { problems });
}
