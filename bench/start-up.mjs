// What it costs to say the version, beside a node that does nothing.
import { measure, printTable } from './measure.mjs';

export async function startUp({ cli, repeats }) {
  const most = Math.max(repeats, 5);
  printTable('Start-up', [
    ['node -e 0', await measure(['-e', '0'], { repeats: most })],
    ['assay --version', await measure([cli, '--version'], { repeats: most })],
    ['assay --help', await measure([cli, '--help'], { repeats: most })],
  ]);
}
