import { Option, type Command } from 'commander';
import { AGENT_PRESETS, PROTOCOLS, type Protocol } from '../../core/index.js';
import { atLeastOne, collect, positiveNumber } from '../values.js';

/** Options of `assay record`. */
export interface RecordFlags {
  prompt?: string[];
  model?: string;
  upstream?: string;
  protocol?: Protocol;
  preset?: string;
  stdin?: boolean;
  name?: string;
  out?: string;
  files?: string;
  turn?: number;
  fixture?: string;
  fromLog?: string;
  timeout?: number;
  config?: string;
  force?: boolean;
}

const EXAMPLES = `
Examples:
  assay record --model anthropic:claude-sonnet-4-5 --prompt 'Fix the test' -- node my-agent.mjs '{{prompt}}'
  assay record --preset claude-code --model anthropic:claude-sonnet-4-5 --prompt 'Fix the test'
  assay record --upstream http://127.0.0.1:9000 --prompt hello -- python3 agent.py '{{prompt}}'
  assay record --fixture evals/regression/fix.json --turn 2 --model anthropic:claude-sonnet-4-5
  assay record --from-log traffic.har --name fix

The key comes from where the configuration says; the agent gets a stand-in and never sees it.`;

/** Adds `assay record`. */
export function addRecord(program: Command): void {
  program
    .command('record')
    .description('run an agent once with a real model and keep it as a trace fixture')
    .argument('[command...]', 'the program and its arguments, after --; {{prompt}} stands for the prompt')
    .option('-p, --prompt <text>', 'what the user says (repeat for more turns)', collect)
    .option('--model <model>', 'the real model, such as anthropic:claude-sonnet-4-5')
    .option(
      '--upstream <url>',
      'address of the provider, instead of a model; the agent’s own key is passed on',
    )
    .addOption(new Option('--protocol <protocol>', 'how the agent speaks to its model').choices(PROTOCOLS))
    .addOption(new Option('--preset <preset>', 'a well-known agent').choices(Object.keys(AGENT_PRESETS)))
    .option('--stdin', 'give the prompt on standard input')
    .option('--files <directory>', 'files to put into the workspace first')
    .option('--name <name>', 'name of the case')
    .option('-o, --out <file>', 'where to write the fixture (default: stdout)')
    .option('--force', 'overwrite the file')
    .option('--fixture <file>', 'a fixture to record again')
    .option('--turn <n>', 'record only this turn of the fixture again, counted from 1', atLeastOne)
    .option('--from-log <file>', 'make the fixture from stored traffic: HAR, or OTLP as JSON')
    .option('--timeout <seconds>', 'time limit of one turn', positiveNumber)
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXAMPLES)
    .action(async (command: string[], flags: RecordFlags) => {
      const { recordAction } = await import('../actions/record-action.js');
      await recordAction(command, flags);
    });
}
