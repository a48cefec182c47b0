import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { configSchema, loadConfig, type LoadedConfig } from '../config/index.js';
import { AssayError, systemSource } from '../core/index.js';
import { suiteSummary } from '../report/index.js';
import { displayPath } from '../suite/index.js';
import {
  sentinelsOf,
  watchPlace,
  type LogEntry,
  type Sentinels,
  type WatchPlace,
  type WorkContext,
} from '../watch/index.js';
import { storeRoot } from './run-store.js';
import { note } from './streams.js';
import { assayCommand } from './this-program.js';

/** What the commands about changed configurations work with. */
export interface WatchContext {
  loaded: LoadedConfig;
  place: WatchPlace;
  sentinels: Sentinels;
  /** Why the configuration could not be read, so that the defaults are used; null when it could. */
  problem: AssayError | null;
  /** The configuration file, absolute; null when there is none. */
  configFile: string | null;
}

/** How long a burst is waited for when the configuration is broken. */
const HOPELESS_QUIET_SECS = 2;

function contextOf(
  loaded: LoadedConfig,
  problem: AssayError | null,
  configFile: string | null,
): WatchContext {
  const { config, root } = loaded;
  const written = problem === null ? config.config_change.sentinels : ['preset:agent-files', 'preset:lifeos'];
  const files = (config.eval.system_prompt_files ?? []).map((file) => resolve(root, file));
  return {
    loaded,
    place: watchPlace(storeRoot(loaded)),
    sentinels: sentinelsOf(written, { root, files }),
    problem,
    configFile,
  };
}

/**
 * Reads the configuration of a project.
 * @throws AssayError `CONFIG`
 */
export async function watchContext(cwd: string, named?: string): Promise<WatchContext> {
  const loaded = await loadConfig(cwd, named);
  return contextOf(loaded, null, loaded.file === null ? null : resolve(cwd, loaded.file));
}

/**
 * The same for what nobody looks at while it runs. A configuration that cannot be read is no reason to be silent: the
 * defaults are used, so that the run fails on it and says so.
 */
export async function watchContextAnyway(cwd: string, named?: string): Promise<WatchContext> {
  try {
    return await watchContext(cwd, named);
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    const path = named === undefined ? null : resolve(cwd, named);
    const root = path !== null && existsSync(dirname(path)) ? dirname(path) : cwd;
    const loaded: LoadedConfig = {
      config: configSchema.parse({}),
      file: named ?? null,
      root,
      explicit: new Set(),
    };
    return contextOf(loaded, error, path);
  }
}

/** What edits are tested with. */
export function workContext(
  context: WatchContext,
  given: { signal: AbortSignal; onEntry?: (entry: LogEntry) => void },
): WorkContext {
  const { loaded, place, configFile, problem } = context;
  const { config, root } = loaded;
  const block = config.config_change;
  return {
    place,
    // A run that can only fail is not waited for.
    config: problem === null ? block : { ...block, quiet_secs: HOPELESS_QUIET_SECS },
    suite: config.eval.config_change_suite,
    storeRoot: storeRoot(loaded),
    directory: root,
    configFile,
    assay: assayCommand(),
    environment: process.env,
    source: systemSource(),
    describe: suiteSummary,
    onUnlogged: note,
    shown: (path) => displayPath(path, root),
    ...given,
  };
}

/**
 * Where an agent's hook starts to look for the configuration: the project of its session. A session whose directory was
 * removed has that of the configuration it names.
 * @throws AssayError `INPUT` when there is none
 */
export function hookDirectory(named?: string): string {
  const { CLAUDE_PROJECT_DIR: claude = '', GEMINI_PROJECT_DIR: gemini = '' } = process.env;
  const project = [claude, gemini].find((path) => path !== '' && existsSync(path));
  if (project !== undefined) return project;
  try {
    return process.cwd();
  } catch (error) {
    if (named !== undefined && isAbsolute(named)) return dirname(named);
    throw new AssayError(
      'INPUT',
      'the working directory is gone, and no --config says which project it was',
      {
        fix: 'run assay hook install again, in a project with an assay.config.yaml',
        cause: error,
      },
    );
  }
}

/** A signal that Ctrl-C, SIGTERM and the end of the terminal raise, and a function that stops listening. */
export function untilStopped(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, stop);
  return {
    signal: controller.signal,
    release() {
      for (const name of signals) process.off(name, stop);
    },
  };
}
