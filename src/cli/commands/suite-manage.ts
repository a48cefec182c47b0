import { Argument, type Command } from 'commander';
import { collect } from '../values.js';

/** Options of `assay suite list`. */
export interface SuiteListFlags {
  config?: string;
  json?: boolean;
}

/** Options of `assay suite show`. */
export interface SuiteShowFlags {
  config?: string;
  json?: boolean;
  all?: boolean;
}

/** Options of `assay suite add-case`. */
export interface AddCaseFlags {
  config?: string;
  file?: string;
  id?: string;
  prompt?: string;
  answer?: string;
  assert?: string[];
  tag?: string[];
  negative?: boolean;
}

/** Options of `assay suite edit`. */
export interface EditFlags {
  config?: string;
  case?: string;
  set?: string[];
  unset?: string[];
}

function addLists(group: Command): void {
  group
    .command('list')
    .description('list suites with their kind and number of cases')
    .addArgument(new Argument('[type]', 'only suites of this kind').choices(['regression', 'capability']))
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (type: string | undefined, flags: SuiteListFlags) => {
      const { suiteListAction } = await import('../actions/suite-list-action.js');
      await suiteListAction(type ?? null, flags);
    });
  group
    .command('show')
    .description('one suite: what it holds, how its runs went, whether it still tells')
    .argument('<suite>', 'name, file or directory')
    .option('--all', 'print every case')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (suite: string, flags: SuiteShowFlags) => {
      const { suiteShowAction } = await import('../actions/suite-show-action.js');
      await suiteShowAction(suite, flags);
    });
}

/** Adds `assay suite list`, `show`, `add-case` and `edit`. */
export function addManage(group: Command): void {
  addLists(group);
  group
    .command('add-case')
    .description('add a case; comments and layout of the file stay')
    .argument('<suite>', 'name, file or directory')
    .option('--file <file>', 'a case as YAML or JSON; - for stdin')
    .option('--id <id>', 'id of the case')
    .option('--prompt <text>', 'what the user says')
    .option('--answer <text>', 'scripted answer, for a trace fixture')
    .option('--assert <yaml>', 'an assertion, such as "{type: contains, value: ok}" (repeatable)', collect)
    .option('--tag <tag>', 'a tag (repeatable)', collect)
    .option('--negative', 'the case shows what the agent should not do')
    .option('--config <file>', 'configuration file')
    .action(async (suite: string, flags: AddCaseFlags) => {
      const { addCaseAction } = await import('../actions/suite-add-case-action.js');
      await addCaseAction(suite, flags);
    });
  group
    .command('edit')
    .description('set or remove keys; comments and layout of the file stay')
    .argument('<suite>', 'name, file or directory')
    .option('--case <id>', 'edit this case instead of the suite itself')
    .option(
      '--set <key=value>',
      'set a key, such as threshold=0.8 or assert[0].weight=2 (repeatable)',
      collect,
    )
    .option('--unset <key>', 'remove a key (repeatable)', collect)
    .option('--config <file>', 'configuration file')
    .action(async (suite: string, flags: EditFlags) => {
      const { editAction } = await import('../actions/suite-edit-action.js');
      await editAction(suite, flags);
    });
}
