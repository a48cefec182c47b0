import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../config/index.js';
import { assayVersion, AssayError, terminalLine, terminalSafe } from '../../core/index.js';
import {
  applyInstall,
  applyUninstall,
  editedFiles,
  planInstall,
  planUninstall,
  SKILL_NAME,
  skillDirectory,
  type InstallPlan,
} from '../../skill/index.js';
import { displayPath } from '../../suite/index.js';
import { BUNDLED_SKILL } from '../bundled-skill.js';
import type { SkillFlags } from '../commands/skill.js';
import { ExitCode } from '../exit-code.js';
import { projectRoot } from '../project-root.js';
import { note, say } from '../streams.js';

const MOST_DIFF_LINES = 200;

async function placeOf(flags: SkillFlags, cwd: string): Promise<string> {
  if (flags.directory !== undefined) {
    if (flags.user === true) {
      throw new AssayError('USAGE', '--user and --directory both say where', { fix: 'leave one out' });
    }
    return join(resolve(cwd, flags.directory), SKILL_NAME);
  }
  const project = projectRoot(await loadConfig(cwd, flags.config), cwd);
  return skillDirectory(flags.agent, flags.user === true ? 'user' : 'project', { project, home: homedir() });
}

const SAID = {
  new: 'writes',
  update: 'updates',
  unchanged: 'leaves',
  edited: 'replaces edited',
  stale: 'removes',
} as const;

/** Shows what replacing the edited files would take away. */
async function sayDifferences(plan: InstallPlan): Promise<void> {
  const { createTwoFilesPatch } = await import('diff');
  for (const { name, before, after } of editedFiles(plan)) {
    const patch = createTwoFilesPatch(name, name, before ?? '', after ?? '', 'edited', "Assay's");
    const lines = terminalSafe(patch).split('\n');
    say(lines.slice(0, MOST_DIFF_LINES).join('\n'));
    if (lines.length > MOST_DIFF_LINES) say(`and ${lines.length - MOST_DIFF_LINES} more lines`);
  }
}

/** `assay skill install`. */
export async function skillInstallAction(flags: SkillFlags): Promise<void> {
  const cwd = process.cwd();
  const directory = await placeOf(flags, cwd);
  const plan = planInstall(BUNDLED_SKILL, directory);
  const edited = editedFiles(plan);
  const dry = flags.dryRun === true;
  if (!dry) await applyInstall(plan, { version: assayVersion(), force: flags.force === true });
  const shown = displayPath(directory, cwd);
  if (flags.json === true) {
    const files = plan.files.map(({ name, change }) => ({ name, change }));
    say(
      JSON.stringify(
        { schema: 'assay/skill-install/v1', directory: shown, dry_run: dry, written: !dry, files },
        null,
        2,
      ),
    );
  } else {
    say(terminalLine(`skill ${SKILL_NAME} in ${shown}${dry ? ' (nothing is written)' : ''}`));
    for (const { name, change } of plan.files) {
      const kept = change === 'edited' && !dry ? '  (the edited one is kept in .assay-backup)' : '';
      say(terminalLine(`  ${SAID[change]} ${name}${kept}`));
    }
    if (dry) await sayDifferences(plan);
    else note('assay skill uninstall takes it back');
  }
  if (dry && edited.length > 0 && flags.force !== true) {
    note(
      `without --force nothing would be written: ${edited.map(({ name }) => name).join(', ')} ${edited.length === 1 ? 'is' : 'are'} edited`,
    );
    throw new ExitCode(1);
  }
}

const TAKEN_BACK = {
  remove: 'removed',
  restore: 'put back',
  edited: 'left, because it was edited:',
  gone: 'was gone:',
} as const;

const WOULD_TAKE_BACK = {
  remove: 'removes',
  restore: 'puts back',
  edited: 'leaves, because it was edited:',
  gone: 'is gone:',
} as const;

/** `assay skill uninstall`. Exit code 1 when an edited file stays. */
export async function skillUninstallAction(flags: SkillFlags): Promise<void> {
  const cwd = process.cwd();
  const directory = await placeOf(flags, cwd);
  const plan = planUninstall(directory, flags.force === true);
  const dry = flags.dryRun === true;
  if (!dry) applyUninstall(plan);
  const shown = displayPath(directory, cwd);
  const files = plan.files.map(({ name, change }) => ({ name, change }));
  if (flags.json === true) {
    say(
      JSON.stringify({ schema: 'assay/skill-uninstall/v1', directory: shown, dry_run: dry, files }, null, 2),
    );
  } else {
    say(terminalLine(`skill ${SKILL_NAME} in ${shown}${dry ? ' (nothing is changed)' : ''}`));
    const words = dry ? WOULD_TAKE_BACK : TAKEN_BACK;
    for (const { name, change } of files) say(terminalLine(`  ${words[change]} ${name}`));
  }
  if (files.some(({ change }) => change === 'edited')) {
    note('--force takes edited files back as well');
    throw new ExitCode(1);
  }
}
