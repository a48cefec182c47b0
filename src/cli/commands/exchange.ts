import { Argument, Option, type Command } from 'commander';

/** Options of `assay import`. */
export interface ImportFlags {
  out?: string;
  name?: string;
  force?: boolean;
  data?: string;
  match: string;
  root?: string;
  json?: boolean;
  config?: string;
}

/** Options of `assay export`. */
export interface ExportFlags {
  out?: string;
  force?: boolean;
  dialect?: 'A' | 'B';
  against?: string;
  arms: string;
  quiet?: boolean;
  config?: string;
}

/** Forms that can be imported. */
const IMPORTS = [
  'promptfoo',
  'evals',
  'grading',
  'benchmark',
  'openai-graders',
  'openai-evals',
  'inspect',
  'agentevals',
];

/** Forms that can be exported. */
const EXPORTS = ['evals', 'grading', 'benchmark', 'openai-graders', 'openai-evals', 'agentevals'];

const IMPORT_HELP = `
promptfoo       a configuration: prompts x tests become cases, one suite for every provider
evals           evals.json of a skill, dialect A (skill-creator) or B (agentskills.io)
benchmark       benchmark.json or the folder of an iteration: a run for every configuration
grading         one grading.json
openai-graders  a hosted eval with string_check graders; items with --data FILE.jsonl
openai-evals    samples of an open-source eval (JSONL); --match says how they are graded
inspect         an .eval or .json log of Inspect: a run to show, compare and grade again
agentevals      trajectories: a run to grade with assay grade RUN --suite SUITE

What came over and what did not is printed at the end, with line numbers. docs/import-export.md says more.`;

const EXPORT_HELP = `
evals, openai-graders and openai-evals take a suite; grading, benchmark and agentevals take a run.
What has no place in the other form is listed on stderr.`;

/** Adds `assay import` and `assay export`. */
export function addExchange(program: Command): void {
  program
    .command('import')
    .description('read suites and results of other tools')
    .addArgument(new Argument('<format>', 'form of the file').choices(IMPORTS))
    .argument('<file>', 'the file, or the folder of an iteration')
    .option(
      '-o, --out <path>',
      'suite file to write, or directory for several (default: the suite directory)',
    )
    .option('--name <name>', 'name of the suite')
    .option('--force', 'overwrite suites that are there')
    .option('--data <file>', 'items of openai-graders, JSON lines')
    .addOption(
      new Option('--match <kind>', 'how samples of openai-evals are graded')
        .choices(['match', 'includes', 'json-match'])
        .default('match'),
    )
    .option('--root <directory>', 'directory of the skill of evals.json, to which its files are relative')
    .option('--json', 'the table as JSON')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', IMPORT_HELP)
    .action(async (format: string, file: string, flags: ImportFlags) => {
      const { importAction } = await import('../actions/import-action.js');
      await importAction(format, file, flags);
    });
  program
    .command('export')
    .description('write suites and results in the forms of other tools')
    .addArgument(new Argument('<format>', 'form to write').choices(EXPORTS))
    .argument('<what>', 'suite or run')
    .option('-o, --out <path>', 'file to write (grading: directory); stdout when absent')
    .option('--force', 'overwrite files that are there')
    .addOption(new Option('--dialect <dialect>', 'of evals and benchmark').choices(['A', 'B']))
    .option('--against <run>', 'benchmark: the run to compare with')
    .option('--arms <names>', 'names of the configurations', 'with_skill,without_skill')
    .option('-q, --quiet', 'no table on stderr')
    .option('--config <file>', 'configuration file')
    .addHelpText('after', EXPORT_HELP)
    .action(async (format: string, what: string, flags: ExportFlags) => {
      const { exportAction } = await import('../actions/export-action.js');
      await exportAction(format, what, flags);
    });
}
