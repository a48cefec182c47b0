import { Option, type Command } from 'commander';
import type { ChoiceWeights, CompareJob } from '../../compare/index.js';
import { atLeastOne, openShare, positiveNumber, shareValue, weightsValue } from '../values.js';

/** Options of `assay compare prompts`, `models` and `ablate`. */
export interface JobFlags {
  format: 'table' | 'json' | 'markdown';
  json?: boolean;
  out?: string;
  gate?: boolean;
  allowUndecided?: boolean;
  resume?: string | true;
  judge?: string;
  allowSameJudge?: boolean;
  concurrency?: number;
  maxCost?: number;
  budget?: number;
  budgetTokens?: number;
  quiet?: boolean;
  config?: string;
  models?: string;
  name?: string;
  suite?: string;
  hypothesis?: string;
  success?: string;
  refutedBy?: string;
  difference?: number;
  tolerance?: number;
  trials?: number;
  earlyStop?: boolean;
  weights?: ChoiceWeights;
  limitCost?: number;
  limitLatency?: number;
}

const JOBS: readonly { kind: CompareJob['kind']; about: string }[] = [
  { kind: 'prompts', about: 'run two or more system texts against each other' },
  { kind: 'models', about: 'run two or more models against each other' },
  { kind: 'ablate', about: 'take the parts of a system text away, one at a time' },
];

function declare(command: Command, kind: CompareJob['kind']): void {
  command
    .argument(
      kind === 'models' ? '[file]' : '<file>',
      'the comparison, set down beforehand (docs/compare.md)',
    )
    .addOption(
      new Option('--format <format>', 'form of the result')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --out <file>', 'write the result to a file instead of stdout')
    .option('--gate', 'make the verdicts the exit code')
    .option('--allow-undecided', 'with --gate: not enough data is no failure')
    .option('--resume [run]', 'finish an interrupted comparison')
    .option('--judge <model>', 'model of the judge')
    .option('--allow-same-judge', 'let a model judge itself')
    .option('--concurrency <n>', 'trials under way at once', atLeastOne)
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
    .option(
      '--max-cost <dollars>',
      'what agents, judges and simulators may cost together; no call is made beyond it',
      positiveNumber,
    )
    .option('-q, --quiet', 'no progress and no notes on stderr')
    .option('--config <file>', 'configuration file');
  if (kind === 'models') {
    command
      .option('--models <models>', 'models parted by commas, instead of a file; the first is the baseline')
      .option('-s, --suite <suite>', 'with --models: the suite')
      .option('--name <name>', 'with --models: name of the comparison')
      .option('--hypothesis <text>', 'with --models: what is expected')
      .option('--success <text>', 'with --models: what result would make it true')
      .option('--refuted-by <text>', 'with --models: what result would prove it wrong')
      .option('--difference <share>', 'with --models: smallest difference that matters', openShare)
      .option('--tolerance <share>', 'with --models: differences up to this do not matter', shareValue)
      .option('-t, --trials <n>', 'with --models: trials a case', atLeastOne)
      .option('--early-stop', 'with --models: end once every model is decided')
      .option(
        '--weights <weights>',
        'with --models: weigh the choice, such as quality=50,cost=25,latency=25',
        weightsValue,
      )
      .option('--limit-cost <dollars>', 'with --models: what a trial may cost on average', positiveNumber)
      .option('--limit-latency <ms>', 'with --models: what a trial may take on average', positiveNumber);
  }
  command.action(async (file: string | undefined, flags: JobFlags) => {
    const { compareJobAction } = await import('../actions/compare-job-action.js');
    await compareJobAction(kind, file, flags);
  });
}

/** Adds the comparisons that run something, below `assay compare`. */
export function addCompareJobs(compare: Command): void {
  for (const { kind, about } of JOBS) declare(compare.command(kind).description(about), kind);
}
