import type { Command } from 'commander';
import { addManage } from './suite-manage.js';
import { addProgress } from './suite-progress.js';
import { addProve } from './suite-prove.js';
import { addVerify } from './suite-verify.js';

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
  addProve(group);
  addVerify(group);
  addManage(group);
  addProgress(group);
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
