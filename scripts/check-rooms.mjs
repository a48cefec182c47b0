// Enforces the architecture: a room is entered by its door (index.ts) only, and only by the rooms below.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Which rooms each room may import. Anything not listed is refused. */
const ALLOWED = {
  core: [],
  stats: [],
  match: ['core'],
  suite: ['core', 'match'],
  config: ['core', 'suite', 'model'],
  wire: ['core'],
  model: ['core', 'thread', 'wire'],
  thread: ['core'],
  tool: ['core', 'match', 'thread'],
  agent: ['core', 'model', 'suite', 'thread', 'tool', 'wire'],
  trial: ['core', 'agent', 'model', 'suite', 'tool'],
  grade: ['core', 'match'],
  judge: ['core'],
  store: ['core'],
  report: ['core', 'stats'],
  baseline: ['core', 'stats', 'suite', 'store', 'report'],
  run: [
    'core',
    'stats',
    'match',
    'suite',
    'model',
    'tool',
    'agent',
    'wire',
    'trial',
    'grade',
    'judge',
    'scenario',
    'store',
  ],
  scenario: ['core', 'match', 'suite', 'agent', 'trial', 'judge'],
  compare: ['core', 'stats', 'suite', 'grade', 'judge', 'run', 'store', 'model', 'agent'],
  cases: ['core', 'match', 'suite', 'store', 'wire', 'tool', 'grade', 'run'],
  exchange: ['core', 'match', 'suite', 'store', 'wire', 'tool', 'grade', 'run', 'cases'],
  skill: ['core', 'store', 'cases'],
  watch: ['core', 'match', 'config', 'model', 'store', 'thread'],
  view: ['core', 'store'],
  mcp: ['core', 'judge', 'report', 'store', 'thread'],
  curate: ['core', 'stats', 'match', 'suite', 'grade', 'trial', 'run', 'store'],
};
const EVERYTHING = ['cli', 'index.ts'];

const source = resolve('src');
const faults = [];

function files(directory) {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : name.endsWith('.ts') ? [path] : [];
  });
}

for (const file of files(source)) {
  const here = relative(source, file);
  const room = here.includes('/') ? here.split('/')[0] : here;
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)'(\.[^']+)'/g)) {
    const target = relative(source, resolve(dirname(file), match[1]));
    const targetRoom = target.includes('/') ? target.split('/')[0] : target;
    if (targetRoom === room) continue;
    if (target !== `${targetRoom}/index.js`)
      faults.push(`${here}: enters ${targetRoom} past its door (${match[1]})`);
    if (EVERYTHING.includes(room)) continue;
    if (!(room in ALLOWED))
      faults.push(`${here}: the room ${room} is not on the map (scripts/check-rooms.mjs)`);
    else if (!ALLOWED[room].includes(targetRoom))
      faults.push(`${here}: ${room} may not import ${targetRoom}`);
  }
}

if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n'));
  process.exit(1);
}
console.log(`rooms: ${Object.keys(ALLOWED).length} rooms, doors and directions hold`);
