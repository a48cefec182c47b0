import type { Command } from 'commander';
import { atLeastOne } from '../values.js';

/** Options of `assay show`. */
export interface ShowFlags {
  trial?: number;
  failed?: boolean;
  json?: boolean;
  config?: string;
}

/** Adds `assay show`. */
export function addShow(program: Command): void {
  program
    .command('show')
    .description('print the transcripts of a stored run')
    .argument('[run]', 'run id, a prefix of it, a path, or latest', 'latest')
    .argument('[case]', 'id of a case; without it, an overview')
    .option('--trial <n>', 'only this trial', atLeastOne)
    .option('--failed', 'every trial that did not pass')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (run: string, caseId: string | undefined, flags: ShowFlags) => {
      const { showAction } = await import('../actions/show-action.js');
      await showAction(run, caseId, flags);
    });
}
