import { Option, type Command } from 'commander';
import { atLeastOne, collect } from '../values.js';
import { declareRun, type RunFlags } from './run.js';

/** Options of `assay scenario create`. */
export interface ScenarioCreateFlags {
  description?: string;
  persona?: string;
  goal?: string;
  opening?: string;
  systemPrompt?: string;
  criterion?: string[];
  maxTurns: number;
  level: 'low' | 'medium' | 'high' | 'max';
  type: 'regression' | 'capability';
  format: 'yaml' | 'program';
  user?: boolean;
  force?: boolean;
  config?: string;
}

interface ScenarioRunFlags extends RunFlags {
  scenario?: string[];
  timeoutMs?: number;
}

const EXAMPLES = `
Examples:
  assay scenario run refund                 every scenario of a suite
  assay scenario run refund -t 5            five conversations each; all must pass
  assay scenario run refund --record        record what the simulated users say, for CI

Exit codes are those of assay run. A regression suite with a scenario passes when every trial of every case does.`;

/** Adds `assay scenario`. */
export function addScenario(program: Command): void {
  const group = program.command('scenario').description('conversations with a simulated user');
  group
    .command('create')
    .description('write a new scenario that runs at once')
    .argument('<name>', 'name of the scenario')
    .option('-d, --description <text>', 'what it is about')
    .option('--persona <text>', 'who the simulated user is')
    .option('--goal <text>', 'what the simulated user wants')
    .option('--opening <text>', 'what the user says first')
    .option('--system-prompt <text>', 'system prompt of the agent')
    .option('--criterion <text>', 'what must hold of the conversation (repeatable)', collect)
    .option('--max-turns <n>', 'user turns at most', atLeastOne, 6)
    .addOption(
      new Option('--level <level>', 'level of the agent')
        .choices(['low', 'medium', 'high', 'max'])
        .default('medium'),
    )
    .addOption(
      new Option('-t, --type <type>', 'kind of the suite')
        .choices(['regression', 'capability'])
        .default('regression'),
    )
    .addOption(
      new Option('--format <format>', 'how it is written').choices(['yaml', 'program']).default('yaml'),
    )
    .option('--user', "among the user's own suites instead of the project's")
    .option('--force', 'overwrite a scenario of that name')
    .option('--config <file>', 'configuration file')
    .action(async (name: string, flags: ScenarioCreateFlags) => {
      const { scenarioCreateAction } = await import('../actions/scenario-create-action.js');
      await scenarioCreateAction(name, flags);
    });
  declareRun(group.command('run'))
    .description('run the scenarios of suites and gate on the result')
    .option('--scenario <name>', 'the same as --suite (repeatable)', collect)
    .option('--timeout-ms <ms>', 'time limit of one turn, in milliseconds', atLeastOne)
    .option('--record', 'write what simulated users say to the files that recorded: names; one trial each')
    .addHelpText('after', EXAMPLES)
    .action(async (suites: string[], flags: ScenarioRunFlags) => {
      const { scenarioRunAction } = await import('../actions/scenario-run-action.js');
      const { scenario, timeoutMs, ...rest } = flags;
      await scenarioRunAction({
        ...rest,
        suite: [...suites, ...(rest.suite ?? []), ...(scenario ?? [])],
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs / 1000 }),
      });
    });
}
