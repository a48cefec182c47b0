import { Option, type Command } from 'commander';
import type { SkilledAgent } from '../../skill/index.js';

/** Options of `assay skill install` and `assay skill uninstall`. */
export interface SkillFlags {
  agent: SkilledAgent;
  user?: boolean;
  directory?: string;
  dryRun?: boolean;
  force?: boolean;
  json?: boolean;
  config?: string;
}

const AGENTS: readonly SkilledAgent[] = ['claude-code', 'codex', 'gemini'];

const PLACES = `
Places:              project            user (--user)
  claude-code        .claude/skills     ~/.claude/skills
  codex              .agents/skills     ~/.agents/skills
  gemini             .gemini/skills     ~/.gemini/skills
--directory names any other; the skill gets a directory assay of its own there.`;

function addPlaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--agent <agent>', 'agent that is to know the skill').choices(AGENTS).default('claude-code'),
    )
    .option('--user', 'for every project of this user, instead of this project')
    .option('--directory <dir>', 'directory of skills, instead of the one of an agent')
    .option('--dry-run', 'show what would happen, and the differences of edited files; change nothing');
}

/** Adds `assay skill`. */
export function addSkill(program: Command): void {
  const group = program.command('skill').description("Assay's workflows as a skill of an agent");
  addPlaceOptions(group.command('install').description("write the skill into an agent's directory of skills"))
    .option('--force', 'replace files that were edited; they are kept aside')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', PLACES)
    .action(async (flags: SkillFlags) => {
      const { skillInstallAction } = await import('../actions/skill-action.js');
      await skillInstallAction(flags);
    });
  addPlaceOptions(
    group.command('uninstall').description('take the skill back, and put what it replaced where it was'),
  )
    .option('--force', 'also files that were edited since')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', PLACES)
    .action(async (flags: SkillFlags) => {
      const { skillUninstallAction } = await import('../actions/skill-action.js');
      await skillUninstallAction(flags);
    });
}
