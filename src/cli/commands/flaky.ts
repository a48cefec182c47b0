import type { Command } from 'commander';
import { wholeNumber } from '../values.js';

/** Options of `assay flaky`. */
export interface FlakyFlags {
  suite?: string;
  regrade: number;
  json?: boolean;
  quiet?: boolean;
  config?: string;
}

/** Adds `assay flaky`. */
export function addFlaky(program: Command): void {
  program
    .command('flaky')
    .description('how much of a run is chance, and whose: agent, grader or harness')
    .argument('[run]', 'run id, a prefix of it, a path, or latest', 'latest')
    .option('-s, --suite <suite>', 'suite to grade with (default: the one the run names)')
    .option('--regrade <n>', 'times every recording is graded again; judges are asked anew', wholeNumber, 1)
    .option('--json', 'as JSON')
    .option('-q, --quiet', 'no notes on stderr')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', '\nExits 1 when a grader or the harness is noisy; agent noise is no fault.')
    .action(async (run: string, flags: FlakyFlags) => {
      const { flakyAction } = await import('../actions/flaky-action.js');
      await flakyAction(run, flags);
    });
}
