import { existsSync } from 'node:fs';
import { loadConfig } from '../../config/index.js';
import { AssayError, systemSource, terminalLine } from '../../core/index.js';
import { applyPlan, planCreate } from '../../curate/index.js';
import { displayPath } from '../../suite/index.js';
import type { CreateFlags } from '../commands/suite.js';
import { suiteRoots } from '../open-suites.js';
import { say } from '../streams.js';

/**
 * `assay suite create`.
 * @throws AssayError for a bad name, and when the suite exists already
 */
export async function createAction(name: string, flags: CreateFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const { userDir, projectDirs } = suiteRoots(loaded);
  const directory = (flags.user === true ? userDir : projectDirs[0]) ?? cwd;
  const plan = planCreate(
    {
      name,
      kind: flags.type,
      format: flags.format,
      description: flags.description ?? null,
      domain: flags.domain ?? null,
      directory,
    },
    new Date(systemSource().now()).toISOString(),
  );
  const existing = plan.files.find(({ path }) => existsSync(path));
  if (existing !== undefined && flags.force !== true) {
    throw new AssayError('INPUT', `${displayPath(existing.path, cwd)} exists already`, {
      fix: 'use --force to overwrite it',
    });
  }
  await applyPlan(plan);
  for (const { path } of plan.files) say(terminalLine(`wrote ${displayPath(path, cwd)}`));
  say(`\nnext: assay run -s ${name}`);
}
