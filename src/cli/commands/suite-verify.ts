import type { Command } from 'commander';
import { collect } from '../values.js';

/** Options of `assay suite verify`. */
export interface VerifyFlags {
  config?: string;
  json?: boolean;
  case?: string[];
  judges?: boolean;
  judge?: string;
  strict?: boolean;
  quiet?: boolean;
}

const EXPLAINED = `
No agent runs. The script of a fixture and the reference of a case must pass; doing nothing and every known_bad answer
must fail. Judged checks are asked with --judges only; what they alone would decide is listed as undecided.

Exit codes: 1 when an answer does not come out as it must or cannot be graded; with --strict also when one is undecided
or a case has no reference; else 0.`;

/** Adds `assay suite verify`. */
export function addVerify(group: Command): void {
  group
    .command('verify')
    .description('hold reference and known-bad answers against their cases, without a model')
    .argument('[suite...]', 'suites: names, files or directories')
    .option('--case <id>', 'only this case (repeatable)', collect)
    .option('--strict', 'also fail on cases without a reference and on undecided answers')
    .option('--judges', 'ask the judge as well (costs model calls)')
    .option('--judge <model>', 'model of the judge')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .option('-q, --quiet', 'no notes on stderr')
    .addHelpText('after', EXPLAINED)
    .action(async (suites: string[], flags: VerifyFlags) => {
      const { verifyAction } = await import('../actions/verify-action.js');
      await verifyAction(suites, flags);
    });
}
