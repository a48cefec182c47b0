// Stores trials until the disk refuses, prints a line for each one whose promise was kept and then the refusal.
// Arguments: store root, fsync mode, number of cases, user id to become first (or '').
import { writeSync } from 'node:fs';
import { systemSource } from '../../dist/core/index.js';
import { RunFile, RunStore } from '../../dist/store/index.js';
import { childCase, childHeader, childSummary, childTrial } from './child-trial.mjs';

const [root, fsync, count, user] = process.argv.slice(2);
if (user !== '') process.setuid(Number(user));

try {
  const store = await RunStore.create({
    root,
    suite: 'disk',
    header: childHeader,
    fsync,
    source: systemSource(),
  });
  const waiting = [];
  for (let index = 0; index < Number(count); index += 1) {
    const id = `case-${index}`;
    waiting.push(store.append(childTrial(id)).then(() => writeSync(1, `stored ${id}\n`)));
    if (index % 20 === 19) await Promise.all(waiting);
  }
  await Promise.all(waiting);
  const line = await store.append(childTrial('case-last'));
  const file = RunFile.create({
    directory: store.directory,
    header: store.header,
    fsync,
    describe: () => 'all',
  });
  for (let index = 0; index < Number(count); index += 1) file.addCase(childCase(`case-${index}`), [line]);
  await file.finish(childSummary(store, Number(count)));
  writeSync(1, 'finished\n');
} catch (error) {
  writeSync(1, `refused ${JSON.stringify({ code: error.code, message: error.message, fix: error.fix })}\n`);
  process.exitCode = 3;
}
