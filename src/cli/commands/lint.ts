import type { Command } from 'commander';
import { collect } from '../values.js';

/** Options of `assay lint`. */
export interface LintFlags {
  suite?: string[];
  config?: string;
  reference?: boolean;
  strict?: boolean;
  json?: boolean;
}

/** Adds `assay lint`. */
export function addLint(program: Command): void {
  program
    .command('lint')
    .description('check suites without running them: every problem of every file, with its place and its fix')
    .argument(
      '[suite...]',
      'suites: names, files or directories; without one the suite that assay run takes by itself',
    )
    .option('-s, --suite <suite>', 'a suite (repeatable)', collect)
    .option('--reference', 'name the keys that only Assay reads')
    .option('--strict', 'exit code 1 when there are findings')
    .option('--json', 'as JSON')
    .option('--config <file>', 'configuration file')
    .action(async (suites: string[], flags: LintFlags) => {
      const { lintAction } = await import('../actions/lint-action.js');
      await lintAction({ ...flags, suite: [...suites, ...(flags.suite ?? [])] });
    });
}
