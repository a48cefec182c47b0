// Waits for a word, tries to take a run up, says whether it may, and holds the run until its input ends.
// Argument: directory of the run.
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';
import { systemSource } from '../../dist/core/index.js';
import { RunStore } from '../../dist/store/index.js';

const [directory] = process.argv.slice(2);
const words = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let held = null;
writeSync(1, 'ready\n');
for (let word = await words.next(); !word.done; word = await words.next()) {
  if (word.value === 'take') {
    try {
      held = (await RunStore.resume({ directory, cases: [], fsync: 'off', source: systemSource() })).store;
      writeSync(1, 'taken\n');
    } catch (error) {
      writeSync(
        1,
        `${error.code === 'STORE' && /process \d+ /.test(error.message) ? 'refused' : error.stack}\n`,
      );
    }
  } else {
    await held?.close();
    held = null;
    writeSync(1, 'given up\n');
  }
}
