import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How this command line is started once more: the same program with the same files. */
export const THIS_PROGRAM: readonly [string, string] = [
  process.execPath,
  join(dirname(fileURLToPath(import.meta.url)), 'main.js'),
];
