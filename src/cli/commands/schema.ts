import { Argument, type Command } from 'commander';

/** Adds `assay schema`. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print a JSON Schema, so that editors complete and check what you write')
    .addArgument(
      new Argument('[kind]', 'which format').choices(['trace', 'suite', 'config']).default('trace'),
    )
    .addHelpText('after', '\nExample:\n  assay schema trace > trace.schema.json')
    .action(async (kind: 'trace' | 'suite' | 'config') => {
      const { schemaAction } = await import('../actions/schema-action.js');
      schemaAction(kind);
    });
}
