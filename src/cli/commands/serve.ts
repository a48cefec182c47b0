import { Option, type Command } from 'commander';
import { PROTOCOLS, type Protocol } from '../../core/index.js';
import { atLeastOne, wholeNumber } from '../values.js';

/** Options of `assay serve`. */
export interface ServeFlags {
  protocol?: Protocol;
  port: number;
  case?: string;
  distribution?: boolean;
  seed?: number;
  once?: boolean;
  writeBytes?: number;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  assay serve evals/regression/hello.json --protocol anthropic --port 8080
  ANTHROPIC_BASE_URL=… my-agent "Please do it"      then start the agent by hand
  assay serve answers.json --distribution --seed 7  weighted answers, for trying pass^k without a model`;

/** Adds `assay serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('play the model of a fixture, for debugging an agent by hand')
    .argument('<fixture>', 'a trace fixture, or a directory of them with --case')
    .addOption(
      new Option('--protocol <protocol>', 'print only the address for this protocol').choices(PROTOCOLS),
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 for any free one', wholeNumber, 0)
    .option('--case <id>', 'the case to play, where there are several')
    .option('--distribution', 'the file holds several weighted answers for each step')
    .option('--seed <n>', 'what the draws of --distribution depend on', wholeNumber)
    .option('--once', 'end as soon as the script has been played')
    .option('--write-bytes <n>', 'send every answer that many bytes at a time', atLeastOne)
    .option('--json', 'one JSON document a line')
    .addHelpText('after', EXAMPLES)
    .action(async (fixture: string, flags: ServeFlags) => {
      const { serveAction } = await import('../actions/serve-action.js');
      await serveAction(fixture, flags);
    });
}
