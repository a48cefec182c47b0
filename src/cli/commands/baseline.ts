import type { Command } from 'commander';

/** Options of `assay baseline show` and `assay baseline diff`. */
export interface BaselineFlags {
  json?: boolean;
  color: boolean;
}

/** Adds `assay baseline`. */
export function addBaseline(program: Command): void {
  const group = program.command('baseline').description('look into the baselines that runs are held against');
  group
    .command('show')
    .description('print what a baseline knows of each case')
    .argument('<file>', 'a baseline')
    .option('--json', 'as JSON')
    .option('--no-color', 'no colours')
    .action(async (file: string, flags: BaselineFlags) => {
      const { showBaseline } = await import('../actions/baseline-action.js');
      showBaseline(file, flags);
    });
  group
    .command('diff')
    .description('print what changed from one baseline to another')
    .argument('<before>', 'the older baseline')
    .argument('<after>', 'the newer baseline')
    .option('--json', 'as JSON')
    .option('--no-color', 'no colours')
    .action(async (before: string, after: string, flags: BaselineFlags) => {
      const { diffBaselines } = await import('../actions/baseline-action.js');
      diffBaselines(before, after, flags);
    });
}
