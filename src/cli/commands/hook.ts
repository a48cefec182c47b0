import { Option, type Command } from 'commander';
import { atLeastOne } from '../values.js';

/** Options of `assay hook` and `assay hook work`. */
export interface HookFlags {
  agent?: string;
  config?: string;
}

/** Options of `assay hook install`, `uninstall` and `doctor`. */
export interface HookInstallFlags {
  agent?: string;
  scope?: 'local' | 'project' | 'user';
  command?: string;
  yes?: boolean;
  config?: string;
}

/** Options of `assay hook log`. */
export interface HookLogFlags {
  lines: number;
  json?: boolean;
  config?: string;
}

const EXAMPLES = `
Examples:
  assay hook install --agent claude-code    put the hook into .claude/settings.local.json, after showing the change
  assay hook doctor                         prove that installed hooks fire, without spending anything
  assay hook log                            what fired, what was skipped and why
  assay hook uninstall --agent claude-code  take it out again

assay hook itself is run by the agent after every edit: it reads the payload on standard input, notes the edit of a
sentinel (config_change.sentinels) and always ends with exit code 0. A process of its own waits until the burst of
edits is over, runs the suite and tells of drops (docs/config-change.md).`;

const scope = (): Option =>
  new Option('--scope <scope>', "whose settings: this project's here, this project's, the user's").choices([
    'local',
    'project',
    'user',
  ]);

/** Adds `assay hook` and what belongs to it. */
export function addHook(program: Command): void {
  const hook = program
    .command('hook')
    .enablePositionalOptions()
    .description('run by an agent after an edit: queue the edit of a sentinel; always ends with exit code 0')
    .option('--agent <agent>', 'which agent runs it; install writes this')
    .option('--config <file>', 'configuration file (default: that of the project of the session)')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: HookFlags) => {
      const { hookAction } = await import('../actions/hook-action.js');
      await hookAction(flags);
    });
  hook
    .command('install')
    .description("put the hook into an agent's settings")
    .requiredOption('--agent <agent>', 'claude-code, codex or gemini')
    .addOption(scope())
    .option(
      '--command <line>',
      'what comes before "hook" in the line that the agent runs, such as "npx assay"',
    )
    .option('-y, --yes', 'do it without asking')
    .option('--config <file>', 'configuration file')
    .action(async (_own: HookInstallFlags, command: Command) => {
      const { hookInstallAction } = await import('../actions/hook-install-action.js');
      await hookInstallAction(command.optsWithGlobals());
    });
  hook
    .command('uninstall')
    .description("take the hook out of an agent's settings: the file is again as it was")
    .requiredOption('--agent <agent>', 'claude-code, codex or gemini')
    .addOption(scope())
    .option('-y, --yes', 'do it without asking')
    .option('--config <file>', 'configuration file')
    .action(async (_own: HookInstallFlags, command: Command) => {
      const { hookUninstallAction } = await import('../actions/hook-install-action.js');
      await hookUninstallAction(command.optsWithGlobals());
    });
  hook
    .command('doctor')
    .description('run the installed hooks on the payload of an edit and show what they log; nothing is spent')
    .option('--agent <agent>', 'only this agent')
    .addOption(scope())
    .option('--config <file>', 'configuration file')
    .action(async (_own: HookInstallFlags, command: Command) => {
      const { hookDoctorAction } = await import('../actions/hook-doctor-action.js');
      await hookDoctorAction(command.optsWithGlobals());
    });
  hook
    .command('log')
    .description('what fired, what was skipped and why, oldest first')
    .option('-n, --lines <n>', 'only the last lines', atLeastOne, 20)
    .option('--json', 'the lines as they are stored')
    .option('--config <file>', 'configuration file')
    .action(async (_own: HookLogFlags, command: Command) => {
      const { hookLogAction } = await import('../actions/hook-log-action.js');
      await hookLogAction(command.optsWithGlobals());
    });
  hook
    .command('work')
    .description('test the edits that wait; assay hook starts this by itself')
    .option('--config <file>', 'configuration file')
    .action(async (_own: HookFlags, command: Command) => {
      const { hookWorkAction } = await import('../actions/hook-work-action.js');
      await hookWorkAction(command.optsWithGlobals());
    });
}
