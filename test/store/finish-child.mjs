// Finishes runs of one suite for ever, so that it dies while results are written. Argument: store root.
import { writeSync } from 'node:fs';
import { systemSource } from '../../dist/core/index.js';
import { RunFile, RunStore } from '../../dist/store/index.js';
import { childCase, childHeader, childSummary, childTrial } from './child-trial.mjs';

const [root] = process.argv.slice(2);
const source = systemSource();
for (let round = 1; ; round += 1) {
  const store = await RunStore.create({ root, suite: 'finish', header: childHeader, fsync: 'off', source });
  const line = await store.append(childTrial('case-1'));
  const file = RunFile.create({
    directory: store.directory,
    header: store.header,
    fsync: 'off',
    describe: () => 'all',
  });
  const cases = 1 + ((round * 37) % 400);
  for (let index = 0; index < cases; index += 1) file.addCase(childCase(`case-${index}`), [line]);
  await file.finish(childSummary(store, cases));
  writeSync(1, `finished ${store.runId} ${cases}\n`);
  await store.end(childSummary(store, cases));
}
