import type { Command } from 'commander';
import { collect, wholeNumber } from '../values.js';

/** Options of `assay api`. */
export interface ApiFlags {
  port: number;
  allowOrigin?: string[];
  json?: boolean;
  config?: string;
}

const EXAMPLES = `
Examples:
  assay api --port 31400
  curl -s http://127.0.0.1:31400/api/evals      {"suites": [{"suite", "type", "passed", "score", …}], "ts"}`;

/** Adds `assay api`. */
export function addApi(program: Command): void {
  program
    .command('api')
    .description('serve the newest result of every suite to dashboards: GET /api/evals on 127.0.0.1')
    .option('--port <n>', 'port; 0 for any free one', wholeNumber, 0)
    .option(
      '--allow-origin <origin>',
      'a web page that may read it, such as http://127.0.0.1:5173 (repeatable)',
      collect,
    )
    .option('--json', 'say the address as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ApiFlags) => {
      const { apiAction } = await import('../actions/api-action.js');
      await apiAction(flags);
    });
}
