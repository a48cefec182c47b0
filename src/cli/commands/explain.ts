import type { Command } from 'commander';

/** Adds `assay explain`. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('say what a check does, with an example')
    .argument('[check]', 'name of a check, such as contains or response_matches; without it, all of them')
    .action(async (check: string | undefined) => {
      const { explainAction } = await import('../actions/explain-action.js');
      explainAction(check);
    });
}
