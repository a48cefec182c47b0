import { Option, type Command } from 'commander';
import { openShare, shareValue } from '../values.js';
import { addCompareJobs } from './compare-jobs.js';

/** Options of `assay compare`. */
export interface CompareFlags {
  format: 'table' | 'json' | 'markdown';
  json?: boolean;
  out?: string;
  by: 'passed' | 'score';
  tolerance: number;
  alpha: number;
  gate?: boolean;
  allowUndecided?: boolean;
  config?: string;
}

const EXAMPLES = `
Examples:
  assay compare main-run feature-run                    two stored runs of one suite
  assay compare demo/latest 1718 --gate --tolerance 0.02
  assay compare A B C --format markdown                 each against A, adjusted for both

With --gate: 0 better or equivalent, 1 worse or not enough data (the latter 0 with --allow-undecided).`;

/** Adds `assay compare`. */
export function addCompare(program: Command): void {
  const compare = program
    .command('compare')
    .description('compare stored runs of one suite: better, worse, equivalent or not enough data')
    .argument('[runs...]', 'run ids, prefixes of them, paths, or suite/latest; the first is the baseline')
    .addOption(
      new Option('--format <format>', 'form of the result')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --out <file>', 'write the result to a file instead of stdout')
    .addOption(
      new Option('--by <measure>', 'what is compared').choices(['passed', 'score']).default('passed'),
    )
    .option('--tolerance <share>', 'differences up to this do not matter', shareValue, 0.05)
    .option('--alpha <share>', 'chance of a false better or worse', openShare, 0.05)
    .option('--gate', 'make the verdict the exit code')
    .option('--allow-undecided', 'with --gate: not enough data is no failure')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXAMPLES)
    .action(async (runs: string[], flags: CompareFlags) => {
      const { compareAction } = await import('../actions/compare-action.js');
      await compareAction(runs, flags);
    });
  addCompareJobs(compare);
}
