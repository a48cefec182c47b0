import type { Command } from 'commander';

/** Adds `assay init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('write a configuration, one example case of each polarity, and a CI snippet')
    .argument('[directory]', 'where', '.')
    .option('--force', 'overwrite files that exist')
    .action(async (directory: string, flags: { force?: boolean }) => {
      const { initAction } = await import('../actions/init-action.js');
      initAction(directory, flags.force === true);
    });
}
