import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { AssayError, terminalLine } from '../../core/index.js';
import { newScenario } from '../../scenario/index.js';
import { writeFileAtomic } from '../../store/index.js';
import { admitSuiteText, displayPath } from '../../suite/index.js';
import type { ScenarioCreateFlags } from '../commands/scenario.js';
import { suiteRoots } from '../open-suites.js';
import { say } from '../streams.js';

/**
 * `assay scenario create`.
 * @throws AssayError for a bad name or text, and when the scenario exists already
 */
export async function scenarioCreateAction(name: string, flags: ScenarioCreateFlags): Promise<void> {
  const cwd = process.cwd();
  const loaded = await loadConfig(cwd, flags.config);
  const { userDir, projectDirs } = suiteRoots(loaded);
  const { path, text, yaml } = newScenario({
    name,
    directory: (flags.user === true ? userDir : projectDirs[0]) ?? cwd,
    kind: flags.type,
    format: flags.format,
    level: flags.level,
    maxTurns: flags.maxTurns,
    description: flags.description ?? null,
    persona: flags.persona ?? null,
    goal: flags.goal ?? null,
    opening: flags.opening ?? null,
    systemPrompt: flags.systemPrompt ?? null,
    criteria: flags.criterion ?? [],
  });
  if (existsSync(path) && flags.force !== true) {
    throw new AssayError('INPUT', `${displayPath(path, cwd)} exists already`, {
      fix: 'use --force to overwrite it',
    });
  }
  // Both forms say the same, and nothing is written that would not load.
  admitSuiteText(path, yaml, { cwd });
  mkdirSync(dirname(path), { recursive: true });
  await writeFileAtomic(path, text, 0o644);
  say(terminalLine(`wrote ${displayPath(path, cwd)}`));
  say(`\nnext: assay scenario run ${name} -t 1, then refine the criteria until you agree with every verdict`);
}
