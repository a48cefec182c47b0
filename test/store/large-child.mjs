// Stores and reads a run of very many cases and prints the peak of its memory in MiB. Arguments: store root, cases.
import { writeSync } from 'node:fs';
import { sha256, systemSource } from '../../dist/core/index.js';
import { readRun, RunFile, RunStore } from '../../dist/store/index.js';
import { childCase, childHeader, childSummary, childTrial } from './child-trial.mjs';

const [root, count] = process.argv.slice(2);
const source = systemSource();
const store = await RunStore.create({ root, suite: 'large', header: childHeader, fsync: 'off', source });
const file = RunFile.create({
  directory: store.directory,
  header: store.header,
  fsync: 'off',
  describe: () => 'all',
});
const made = childTrial('case-0');
const result = childCase('case-0');
for (let from = 0; from < Number(count); from += 500) {
  const ids = Array.from({ length: 500 }, (_, index) => `case-${from + index}`);
  const stored = await Promise.all(
    ids.map((caseId) => store.append({ ...made, caseId, receipt: { ...made.receipt, caseId } })),
  );
  ids.forEach((id, index) => file.addCase({ ...result, id }, [stored[index]]));
}
await file.finish(childSummary(store, Number(count)));
await store.end(childSummary(store, Number(count)));
const written = process.resourceUsage().maxRSS / 1024;
let read = 0;
for (const one of readRun(store.directory).cases()) read += one.trials.length;
writeSync(1, `${JSON.stringify({ written: Math.round(written), read, hash: sha256('x').length })}\n`);
