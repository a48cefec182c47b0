import type { Command } from 'commander';

/** Options of `assay watch`. */
export interface WatchFlags {
  config?: string;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  assay watch                  until Ctrl-C; edits of CLAUDE.md, AGENTS.md and GEMINI.md run core-dispositions
  assay watch --json           one JSON line for everything that happens

What is looked at is config_change.sentinels, which suite is run is eval.config_change_suite (docs/config-change.md).
assay hook does the same for the edits of one agent, without a process that waits.`;

/** Adds `assay watch`. */
export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('run a suite whenever a file that shapes the agent is edited, and tell of drops')
    .option('--json', 'one JSON document a line')
    .option('--config <file>', 'configuration file (default: assay.config.yaml, .json or .toml)')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: WatchFlags) => {
      const { watchAction } = await import('../actions/watch-action.js');
      await watchAction(flags);
    });
}
