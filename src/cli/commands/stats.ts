import type { Command } from 'commander';

/** Adds `assay stats`. */
export function addStats(program: Command): void {
  program
    .command('stats')
    .description('compute one statistic, as JSON')
    .argument('[group]', 'name of the statistic, such as wilson')
    .argument('[input]', 'its inputs, as a JSON object')
    .option('--list', 'explain every statistic')
    .addHelpText('after', `\nExample:\n  assay stats wilson '{"n":20,"c":17}'`)
    .action(async (group: string | undefined, input: string | undefined, flags: { list?: boolean }) => {
      const { statsAction } = await import('../actions/stats-action.js');
      statsAction(group, input, flags.list === true);
    });
}
