import type { Command } from 'commander';
import { atLeastOne, collect, openShare } from '../values.js';

/** Options of `assay plan`. */
export interface PlanFlags {
  suite?: string[];
  filter?: string[];
  case?: string[];
  tag?: string[];
  trials?: number;
  model?: string;
  concurrency?: number;
  effect?: number;
  alpha: number;
  power: number;
  json?: boolean;
  config?: string;
}

const EXAMPLES = `
Examples:
  assay plan my-suite -t 3                what a run takes and the smallest difference it can show
  assay plan my-suite --effect 0.05       the trials, or the cases, that show 5 points`;

/** Adds `assay plan`. */
export function addPlan(program: Command): void {
  program
    .command('plan')
    .description('before spending: trials, tokens, cost, time, and what a run can show')
    .argument('[suite...]', 'suites: names, files or directories')
    .option('-s, --suite <suite>', 'a suite: name, file or directory (repeatable)', collect)
    .option('--filter <glob>', 'only cases whose id matches (repeatable)', collect)
    .option('--case <id>', 'only the case of this id (repeatable)', collect)
    .option('--tag <tag>', 'only cases with this tag (repeatable)', collect)
    .option('-t, --trials <n>', 'trials a case, overriding the suite', atLeastOne)
    .option('--model <model>', 'model of the agent: its history and its price count')
    .option('--concurrency <n>', 'trials under way at once', atLeastOne)
    .option('--effect <share>', 'difference that is to be shown: 0.05 is 5 points', openShare)
    .option('--alpha <share>', 'two-sided error rate', openShare, 0.05)
    .option('--power <share>', 'chance to see the difference', openShare, 0.8)
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXAMPLES)
    .action(async (suites: string[], flags: PlanFlags) => {
      const { planAction } = await import('../actions/plan-action.js');
      await planAction({ ...flags, suite: [...suites, ...(flags.suite ?? [])] });
    });
}
