import type { Command } from 'commander';
import { atLeastOne } from '../values.js';

/** Options of `assay history`. */
export interface HistoryFlags {
  historyDir?: string;
  last?: number;
  json?: boolean;
  color: boolean;
  config?: string;
}

/** Adds `assay history`. */
export function addHistory(program: Command): void {
  program
    .command('history')
    .description('show how suites did over time, from history files and stored runs')
    .argument('[suite]', 'name of a suite; without it, all of them')
    .option('--last <n>', 'only the newest runs of a suite', atLeastOne)
    .option('--history-dir <dir>', 'where history was written, overriding the configuration; "" for nowhere')
    .option('--json', 'as JSON')
    .option('--no-color', 'no colours')
    .option('--config <file>', 'configuration file')
    .action(async (suite: string | undefined, flags: HistoryFlags) => {
      const { historyAction } = await import('../actions/history-action.js');
      await historyAction(suite ?? null, flags);
    });
}
