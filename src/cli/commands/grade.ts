import { Option, type Command } from 'commander';

/** Options of `assay grade`. */
export interface GradeFlags {
  suite?: string;
  format: 'table' | 'json' | 'junit' | 'markdown';
  json?: boolean;
  out?: string;
  config?: string;
  color: boolean;
  quiet?: boolean;
}

/** Adds `assay grade`. */
export function addGrade(program: Command): void {
  program
    .command('grade')
    .description("grade a stored run again with today's assertions; the agent is never called")
    .argument('[run]', 'run id, a prefix of it, a path, or latest', 'latest')
    .option('-s, --suite <suite>', 'suite to grade with (default: the one the run names)')
    .addOption(
      new Option('--format <format>', 'form of the result on stdout')
        .choices(['table', 'json', 'junit', 'markdown'])
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('-o, --out <file>', 'write the result to a file instead of stdout')
    .option('--config <file>', 'configuration file')
    .option('-q, --quiet', 'no notes on stderr')
    .option('--no-color', 'no colours')
    .action(async (run: string, flags: GradeFlags) => {
      const { gradeAction } = await import('../actions/grade-action.js');
      await gradeAction(run, flags);
    });
}
