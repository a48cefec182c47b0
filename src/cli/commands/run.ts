import { Option, type Command } from 'commander';
import type { StopFlags } from '../stopping.js';
import { atLeastOne, collect, growingNumbers, openShare, positiveNumber, wholeNumber } from '../values.js';

/** Options of `assay run`, as commander gives them. */
export interface RunFlags extends StopFlags {
  suite?: string[];
  mode?: 'replay' | 'live' | 'record';
  format: 'table' | 'json' | 'junit' | 'markdown';
  json?: boolean;
  out?: string;
  filter?: string[];
  case?: string[];
  tag?: string[];
  bail?: boolean;
  failFast?: boolean;
  concurrency?: number;
  config?: string;
  quiet?: boolean;
  color: boolean;
  verifyDeterminism?: boolean;
  suiteKind?: 'regression' | 'capability';
  baseline?: string;
  writeBaseline?: string;
  allowUnverifiable?: boolean;
  allowNewFailures?: boolean;
  dumpRecords?: string;
  historyDir?: string;
  maxSteps?: number;
  outputs?: string;
  update?: boolean;
  resume?: boolean | string;
  store: boolean;
  fsync?: 'always' | 'batch' | 'off';
  seed?: number;
  strict?: boolean;
  timeout?: number;
  maxCost?: number;
  keepWorkspace?: boolean;
  model?: string;
  judge?: string;
  simulator?: string;
  allowSameJudge?: boolean;
  allChecks?: boolean;
  cache: boolean;
  /** Only scenarios: `assay scenario run`. */
  scenarios?: boolean;
  /** Write what simulated users say to the recordings that the scenarios name. */
  record?: boolean;
  progress?: 'text' | 'json';
  spend?: boolean;
}

const EXAMPLES = `
Examples:
  assay run                               the default suite (eval.suite_dir), else the bundled one
  assay run --suite evals/regression      one directory of trace fixtures
  assay run -s my-suite -t 5              an assertion suite by name, five trials a case
  assay run --filter 'multi*' --bail      some cases, stop at the first that does not pass
  assay run --format junit --out junit.xml

Exit codes: 0 every case passed (a weighted suite: its gate passed); 1 anything else about the evaluation;
2 the command line is wrong; 130 or 143 interrupted, finished trials kept.`;

/** Declares arguments and options of a run. */
export function declareRun(command: Command): Command {
  return command
    .argument('[suite...]', 'suites: names, files or directories')
    .option('-s, --suite <suite>', 'a suite: name, file or directory (repeatable)', collect)
    .addOption(
      new Option(
        '--mode <mode>',
        'scripted model, a real one, or a real one whose replies become the script',
      ).choices(['replay', 'live', 'record']),
    )
    .addOption(
      new Option('--format <format>', 'form of the result on stdout')
        .choices(['table', 'json', 'junit', 'markdown'])
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --out <file>', 'write the result to a file instead of stdout')
    .option('--filter <glob>', 'only cases whose id matches (repeatable; * and ? are wildcards)', collect)
    .option('--case <id>', 'only the case of this id (repeatable)', collect)
    .option('--tag <tag>', 'only cases with this tag (repeatable)', collect)
    .option('--bail', 'stop after the first case that does not pass')
    .option('--fail-fast', 'the same as --bail')
    .option('--curtail', 'stop the trials of a case once its pass^k verdict is decided')
    .addOption(
      new Option('--stop <rule>', 'end the trials of a case by evidence (docs/stopping-early.md)').choices([
        'sprt',
        'gate',
        'futility',
      ]),
    )
    .option('--sequential <looks>', 'trials after which a case may be decided, such as 3,10', growingNumbers)
    .option('--bar <share>', 'pass rate of a healthy case, for --stop and --sequential', openShare)
    .option('--drop-to <share>', 'pass rate of a case that is to be found', openShare)
    .option('--false-alarm <share>', 'chance to fail a healthy case', openShare)
    .option('--miss <share>', 'chance to pass a case that is to be found', openShare)
    .option(
      '--budget <dollars>',
      'start no more cases once agents, judges and simulators have cost this',
      positiveNumber,
    )
    .option(
      '--budget-tokens <n>',
      'start no more cases once agents, judges and simulators have used this',
      atLeastOne,
    )
    .option('-t, --trials <n>', 'trials a case, overriding the suite', atLeastOne)
    .option('--concurrency <n>', 'trials under way at once', atLeastOne)
    .option(
      '--model <model>',
      'model of the agent, such as claude-cli:sonnet (default: the suite, then its level)',
    )
    .option('--judge <model>', 'model of the judge')
    .option('--simulator <model>', 'model that plays the users of scenarios')
    .option('--allow-same-judge', 'let a model judge itself; the report says so')
    .option('--all-checks', 'ask the judge also about cases that have failed already')
    .option('--no-cache', 'ask the judge again even where its answer is known')
    .option('--outputs <file>', 'grade answers produced elsewhere: JSON lines of {id, trial, output}')
    .option('--update', 'rewrite the golden files of matches-file assertions from the answers')
    .option('--resume [run]', 'finish an interrupted run: reuse its finished trials')
    .option('--seed <n>', 'seed of the order of trials', wholeNumber)
    .option('--max-steps <n>', 'model requests of the built-in loop in one turn', atLeastOne)
    .option('--timeout <seconds>', 'time limit of one turn', positiveNumber)
    .option(
      '--max-cost <dollars>',
      'what agents, judges and simulators may cost together; no call is made beyond it',
      positiveNumber,
    )
    .option('--no-spend', 'refuse every model that may bill an account (docs/mcp.md)')
    .option('--keep-workspace', 'leave the directories of trials where they are')
    .option('--strict', 'fail a replay whose agent asks something else than when it was recorded')
    .option('--verify-determinism', 'replay every case twice and compare the recordings')
    .addOption(
      new Option('--suite-kind <kind>', 'override what the directory says').choices([
        'regression',
        'capability',
      ]),
    )
    .addOption(
      new Option('--baseline <file>', 'compare with a baseline and gate on what got worse').conflicts(
        'writeBaseline',
      ),
    )
    .option('--write-baseline <file>', 'write the results as a baseline; every case must have finished')
    .option('--allow-unverifiable', 'do not gate on cases that the baseline knew differently')
    .option('--allow-new-failures', 'do not gate on failing cases that the baseline does not know')
    .option('--dump-records <dir>', 'write every case with its transcript to a file of its own')
    .option('--history-dir <dir>', 'where history is written, overriding the configuration; "" for nowhere')
    .option('--config <file>', 'configuration file (default: assay.config.yaml, .json or .toml)')
    .addOption(
      new Option('--fsync <promise>', 'when finished trials are synced to disk').choices([
        'always',
        'batch',
        'off',
      ]),
    )
    .option('--no-store', 'keep nothing on disk')
    .option('-q, --quiet', 'no progress and no notes on stderr')
    .addOption(
      new Option(
        '--progress <form>',
        'form of the progress on stderr: for people, or one JSON document a line',
      )
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--no-color', 'no colours');
}

function declare(command: Command): Command {
  return declareRun(command)
    .description('run suites and gate on the result')
    .addHelpText('after', EXAMPLES)
    .action(async (suites: string[], flags: RunFlags) => {
      const { runAction } = await import('../actions/run-action.js');
      await runAction({ ...flags, suite: [...suites, ...(flags.suite ?? [])] });
    });
}

/** Adds `assay run`. */
export function addRun(program: Command): void {
  declare(program.command('run'));
}

/** Adds `assay eval run`, a synonym. */
export function addEval(program: Command): void {
  const group = program.command('eval').description('synonym: assay eval run is assay run');
  declare(group.command('run'));
}
