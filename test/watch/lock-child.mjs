// Asks for a lock, gives it up and dies as it is told; says what came of it. Argument: directory of the lock.
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';
import { takeLock } from '../../dist/watch/index.js';

const [directory] = process.argv.slice(2);
let held = null;
writeSync(1, 'ready\n');
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'take') {
    const answer = takeLock(directory, Date.now());
    held = answer.held;
    const after = answer.held === null ? answer.owner.pid : (answer.dead?.pid ?? 'nobody');
    writeSync(1, `${held === null ? 'refused by' : 'taken from'} ${after}\n`);
  } else if (word === 'give up') {
    held?.release();
    held = null;
    writeSync(1, 'given up\n');
  }
}
