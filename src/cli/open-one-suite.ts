import { loadConfig, type LoadedConfig } from '../config/index.js';
import { AssayError, systemSource } from '../core/index.js';
import type { PlanContext } from '../curate/index.js';
import type { Suite } from '../suite/index.js';
import { openSuites, suiteRoots } from './open-suites.js';
import { suiteBounds } from './project-root.js';

/** One suite, and what planning a change of it needs. */
export interface OpenedSuite {
  suite: Suite;
  loaded: LoadedConfig;
  cwd: string;
  context: PlanContext;
}

/**
 * Opens the one suite that a command is about. Cases that an idle run passes do not stop it: it may be there to mend
 * them.
 * @throws AssayError when it cannot be opened
 */
export async function openOneSuite(name: string, flags: { config?: string }): Promise<OpenedSuite> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const [suite] = await openSuites([name], { loaded, cwd, gate: false });
  if (suite === undefined) throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${name}`);
  const now = new Date(systemSource().now()).toISOString();
  const bounds = suiteBounds(suite.path, loaded, cwd);
  return { suite, loaded, cwd, context: { roots: suiteRoots(loaded), cwd, ...bounds, now } };
}
