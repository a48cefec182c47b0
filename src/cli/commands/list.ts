import { Argument, type Command } from 'commander';

/** Options of `assay list`. */
export interface ListFlags {
  config?: string;
  json?: boolean;
}

/** Adds `assay list`. */
export function addList(program: Command): void {
  program
    .command('list')
    .description('list suites, stored runs and decided comparisons, newest first')
    .addArgument(
      new Argument('[what]', 'what to list').choices(['suites', 'runs', 'comparisons', 'all']).default('all'),
    )
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (what: 'suites' | 'runs' | 'comparisons' | 'all', flags: ListFlags) => {
      const { listAction } = await import('../actions/list-action.js');
      await listAction(what, flags);
    });
}
