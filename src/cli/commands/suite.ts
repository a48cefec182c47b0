import type { Command } from 'commander';

/** Options of `assay suite prove`. */
export interface ProveFlags {
  config?: string;
  json?: boolean;
}

/** Options of `assay suite create`. */
export interface CreateFlags {
  type: 'regression' | 'capability';
  description?: string;
  domain?: string;
  config?: string;
  force?: boolean;
}

/** Adds `assay suite`. */
export function addSuite(program: Command): void {
  const group = program.command('suite').description('look after suites');
  group
    .command('prove')
    .description('show which cases an agent that does nothing would pass')
    .argument('[suite...]', 'suites: names, files or directories')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (suites: string[], flags: ProveFlags) => {
      const { proveAction } = await import('../actions/prove-action.js');
      await proveAction(suites, flags);
    });
  group
    .command('create')
    .description('write a new assertion suite that runs at once')
    .argument('<name>', 'name of the suite')
    .option('--type <type>', 'regression or capability', 'regression')
    .option('-d, --description <text>', 'what the suite is about')
    .option('--domain <domain>', 'domain label')
    .option('--force', 'overwrite a suite of that name')
    .option('--config <file>', 'configuration file')
    .action(async (name: string, flags: CreateFlags) => {
      const { createAction } = await import('../actions/create-action.js');
      await createAction(name, flags);
    });
}
