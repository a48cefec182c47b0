// Prints what Assay costs beside the least that the same work can cost. Numbers to read, never tests.
//
//   npm run bench                                     everything
//   node bench/run.mjs --only outputs --cases 1000    one part, smaller
//
// The bare loop and the peers' own scripts are looked for in ../shared/bench beside the repository (--shared), installed
// peers in the directory that ASSAY_BENCH_PEERS names.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { outputs } from './outputs.mjs';
import { startUp } from './start-up.mjs';
import { traces } from './traces.mjs';
import { wire } from './wire.mjs';

const PARTS = { 'start-up': startUp, traces, outputs, wire };
const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    fixtures: { type: 'string', default: '10000' },
    large: { type: 'string', default: '100000' },
    cases: { type: 'string', default: '10000' },
    conversations: { type: 'string', default: '2000' },
    repeats: { type: 'string', default: '3' },
    shared: { type: 'string', default: join(root, '../shared/bench') },
  },
});
const count = (name) => {
  if (/^\d+$/.test(values[name])) return Number(values[name]);
  throw new Error(`--${name} must be a whole number`);
};
const cli = join(root, 'dist/bin/main.js');
if (!existsSync(cli)) throw new Error('nothing is built: npm run build');
const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const settings = {
  cli,
  directory,
  shared: resolve(values.shared),
  fixtures: count('fixtures'),
  large: count('large'),
  cases: count('cases'),
  conversations: count('conversations'),
  repeats: Math.max(1, count('repeats')),
};
console.log(`node ${process.version}, ${cpus().length} cores, medians of ${settings.repeats}`);
try {
  for (const name of values.only) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`--only ${name}: the parts are ${Object.keys(PARTS).join(', ')}`);
    await part(settings);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
