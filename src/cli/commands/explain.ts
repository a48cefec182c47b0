import type { Command } from 'commander';

/** Options of `assay explain`. */
export interface ExplainFlags {
  json?: boolean;
}

/** Adds `assay explain`. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('say what a check does, with an example')
    .argument('[check]', 'name of a check, such as contains or response_matches; without it, all of them')
    .option('--json', 'as JSON')
    .action(async (check: string | undefined, flags: ExplainFlags) => {
      const { explainAction } = await import('../actions/explain-action.js');
      explainAction(check, flags);
    });
}
