import { Option, type Command } from 'commander';
import { collect } from '../values.js';

/** What the commands about progress have in common. */
interface RuleFlags {
  config?: string;
  rule: 'evidence' | 'simple';
}

/** Options of `assay suite saturation`. */
export interface SaturationFlags extends RuleFlags {
  json?: boolean;
}

/** Options of `assay suite graduate`. */
export interface GraduateFlags extends RuleFlags {
  case?: string[];
  ready?: boolean;
  into?: string;
  force?: boolean;
  yes?: boolean;
}

/** Options of `assay suite retire`. */
export interface RetireFlags {
  config?: string;
  case?: string[];
  reason: string;
  yes?: boolean;
}

const RULES = `
Rules:
  evidence  a case graduates when the trials of its last 10 comparable runs show a pass rate of at least 0.9 with 95 %
            confidence (29 of 29, or 45 of 46); a suite is saturated when each of its last 3 comparable runs has a lower
            bound of saturation_threshold or more, or leaves less to gain than such a run could show
  simple    the last 3 of at most 10 runs are all at or above saturation_threshold
Replayed runs are no evidence.`;

function rule(): Option {
  return new Option('--rule <rule>', 'how it is decided').choices(['evidence', 'simple']).default('evidence');
}

/** Adds `assay suite saturation`, `graduate` and `retire`. */
export function addProgress(group: Command): void {
  group
    .command('saturation')
    .description('does a suite still tell good from better, and which of its cases may graduate?')
    .argument('<suite>', 'name, file or directory')
    .addOption(rule())
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', RULES)
    .action(async (suite: string, flags: SaturationFlags) => {
      const { saturationAction } = await import('../actions/suite-saturation-action.js');
      await saturationAction(suite, flags);
    });
  group
    .command('graduate')
    .description('move a saturated capability suite, or single cases of it, to the regression suites')
    .argument('<suite>', 'name, file or directory')
    .option('--case <id>', 'only this case (repeatable)', collect)
    .option('--ready', 'every case whose evidence is enough')
    .option('--into <path>', 'suite file or fixture directory to move to')
    .addOption(rule())
    .option('--force', 'even where the evidence is not enough')
    .option('-y, --yes', 'do it without asking')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', RULES)
    .action(async (suite: string, flags: GraduateFlags) => {
      const { graduateAction } = await import('../actions/suite-graduate-action.js');
      await graduateAction(suite, flags);
    });
  group
    .command('retire')
    .description('move cases, or a whole suite, to _retired: nothing is run there, nothing is lost')
    .argument('<suite>', 'name, file or directory')
    .requiredOption('--reason <text>', 'why')
    .option('--case <id>', 'only this case (repeatable)', collect)
    .option('-y, --yes', 'do it without asking')
    .option('--config <file>', 'configuration file')
    .action(async (suite: string, flags: RetireFlags) => {
      const { retireAction } = await import('../actions/suite-retire-action.js');
      await retireAction(suite, flags);
    });
}
