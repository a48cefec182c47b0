// Stores a run of many cases and prints a line for each trial as soon as its promise is kept. Started again, it takes
// the run up. Arguments: store root, fsync mode, number of cases, and `hurry` when it will not be killed.
import { writeSync } from 'node:fs';
import { sha256, systemSource } from '../../dist/core/index.js';
import { listRuns, RunFile, RunStore } from '../../dist/store/index.js';
import { childCase, childHeader, childSummary, childTrial } from './child-trial.mjs';

const [root, fsync, count, hurry] = process.argv.slice(2);
const slowly = hurry !== 'hurry';
const source = systemSource();
const ids = Array.from({ length: Number(count) }, (_, index) => `case-${index}`);
const planned = ids.map((id) => ({ id, hash: sha256(id), trials: 1 }));

async function open() {
  const [found] = listRuns(root).runs;
  if (found !== undefined) {
    const resumed = await RunStore.resume({ directory: found.directory, cases: planned, fsync, source });
    return {
      store: resumed.store,
      todo: resumed.cases.filter((one) => one.rerun.length > 0).map((one) => one.id),
    };
  }
  return {
    store: await RunStore.create({ root, suite: 'crash', header: childHeader, fsync, source }),
    todo: ids,
  };
}

const { store, todo } = await open();
const inFlight = new Set();
for (const id of todo) {
  const finished = store.append(childTrial(id)).then(() => writeSync(1, `stored ${id}\n`));
  inFlight.add(finished);
  void finished.finally(() => inFlight.delete(finished));
  if (inFlight.size >= 10) {
    await Promise.race(inFlight);
    // At most ten trials a millisecond, so that a killed run is never a finished one.
    if (slowly) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
await Promise.all(inFlight);
const file = RunFile.create({
  directory: store.directory,
  header: store.header,
  fsync,
  describe: () => 'all',
});
for (const id of ids) file.addCase(childCase(id), []);
await file.finish(childSummary(store, ids.length));
await store.end(childSummary(store, ids.length));
writeSync(1, 'done\n');
