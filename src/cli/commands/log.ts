import { Option, type Command } from 'commander';
import { atLeastOne, secondsValue } from '../values.js';

/** Options of `assay log`. */
export interface LogFlags {
  workflow?: string;
  input?: string;
  status?: 'ok' | 'error';
  duration?: number;
  skill?: string;
  list?: boolean;
  last?: number;
  json?: boolean;
  log?: string;
  config?: string;
}

const EXAMPLES = `
Examples:
  assay log --workflow RunEval --status ok --duration 42 --input 'run suite greetings with three trials'
  assay log --workflow RunEval --status error --duration 3 --input - < summary.txt
  assay log --list --status error --last 20

--input - reads the summary from stdin, where no shell looks at its quotes. Lines that a hook wrote are listed as well.`;

/** Adds `assay log`. */
export function addLog(program: Command): void {
  program
    .command('log')
    .description('note one execution of a workflow, or list them')
    .option('--workflow <name>', 'workflow that ran, such as RunEval')
    .option('--input <text>', 'what was asked, in about eight words; - for stdin')
    .addOption(new Option('--status <status>', 'how it ended').choices(['ok', 'error']))
    .option('--duration <seconds>', 'how long it took', secondsValue)
    .option('--skill <name>', 'skill it belongs to (default: assay)')
    .option('--list', 'list what is logged; --workflow, --status and --skill narrow it')
    .option('--last <n>', 'with --list: only the newest', atLeastOne)
    .option('--json', 'as JSON')
    .option('--log <file>', 'the log (default: store.execution_log, else execution.jsonl in the store)')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: LogFlags) => {
      const { logAction } = await import('../actions/log-action.js');
      await logAction(flags);
    });
}
