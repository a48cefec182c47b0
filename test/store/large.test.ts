import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listRuns } from '../../src/store/index.js';
import { temporaryDirectory } from './builders.js';
import { runToEnd } from './crash-kit.js';

const CHILD = fileURLToPath(new URL('large-child.mjs', import.meta.url));

test('writing 100,000 cases takes no more memory than a few thousand', async () => {
  const root = temporaryDirectory();
  const peak = async (cases: number): Promise<number> => {
    const round = await runToEnd({
      // A heap that could not hold the cases, nor the text of their results.
      command: [process.execPath, '--max-old-space-size=96', CHILD, root, String(cases)],
    });
    expect([round.errors, round.exitCode]).toEqual(['', 0]);
    const told: { written: number; read: number } = JSON.parse(round.lines.at(-1) ?? '');
    expect(told.read).toBe(cases);
    return told.written;
  };
  const small = await peak(5000);
  const large = await peak(100_000);
  const [run] = listRuns(root).runs;
  expect(statSync(join(run?.directory ?? '', 'run.json')).size).toBeGreaterThan(100_000_000);
  expect(large).toBeLessThan(small + 60);
}, 180_000);
