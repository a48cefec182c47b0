import type { Command } from 'commander';
import { collect, share } from '../values.js';

/** Options of `assay suite prove`. */
export interface ProveFlags {
  config?: string;
  json?: boolean;
  run?: string;
  case?: string[];
  minStrength?: number;
  minCaseStrength?: number;
  judges?: boolean;
  judge?: string;
  all?: boolean;
  quiet?: boolean;
}

const EXPLAINED = `
Takes a recording that passes each case (a replay of its script; else the newest passed trial of a stored run; else its
reference answer), puts one fault after the other in and counts how many the case notices. What it would still pass is
printed with the check that would catch it. Survivors that are fine are accepted in the suite file, with the reason:
accepted_mutants: [{id: ..., reason: ...}].

Exit codes: 1 when an agent that does nothing passes a case; with --min-strength or --min-case-strength also when a
share is below it or a case could not be proven; else 0.`;

/** Adds `assay suite prove`. */
export function addProve(group: Command): void {
  group
    .command('prove')
    .description('show by mutation what each case catches and what it would let pass')
    .argument('[suite...]', 'suites: names, files or directories')
    .option('--run <run>', 'take the recordings of this stored run (id, prefix, path or latest)')
    .option('--case <id>', 'only this case (repeatable)', collect)
    .option('--min-strength <share>', 'share of mutants that each suite must catch, such as 0.95', share)
    .option('--min-case-strength <share>', 'share of mutants that every single case must catch', share)
    .option('--judges', 'ask the judge about what the free checks let pass (costs model calls)')
    .option('--judge <model>', 'model of the judge')
    .option('--all', 'print every survivor')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .option('-q, --quiet', 'no notes on stderr')
    .addHelpText('after', EXPLAINED)
    .action(async (suites: string[], flags: ProveFlags) => {
      const { proveAction } = await import('../actions/prove-action.js');
      await proveAction(suites, flags);
    });
}
