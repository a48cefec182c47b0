import { Option, type Command } from 'commander';
import { addManage } from './suite-manage.js';
import { addProgress } from './suite-progress.js';
import { addProve } from './suite-prove.js';
import { addVerify } from './suite-verify.js';

/** Options of `assay suite create`. */
export interface CreateFlags {
  type: 'regression' | 'capability';
  description?: string;
  domain?: string;
  format: 'yaml' | 'fixtures' | 'program';
  user?: boolean;
  config?: string;
  force?: boolean;
}

/** Adds `assay suite`. */
export function addSuite(program: Command): void {
  const group = program.command('suite').description('look after suites');
  addProve(group);
  addVerify(group);
  addManage(group);
  addProgress(group);
  group
    .command('create')
    .description('write a new suite that runs at once')
    .argument('<name>', 'name of the suite')
    .addOption(
      new Option('-t, --type <type>', 'kind of the suite')
        .choices(['regression', 'capability'])
        .default('regression'),
    )
    .addOption(
      new Option('--format <format>', 'how it is written')
        .choices(['yaml', 'fixtures', 'program'])
        .default('yaml'),
    )
    .option('--user', "among the user's own suites instead of the project's")
    .option('-d, --description <text>', 'what the suite is about')
    .option('--domain <domain>', 'domain label')
    .option('--force', 'overwrite a suite of that name')
    .option('--config <file>', 'configuration file')
    .action(async (name: string, flags: CreateFlags) => {
      const { createAction } = await import('../actions/create-action.js');
      await createAction(name, flags);
    });
}
