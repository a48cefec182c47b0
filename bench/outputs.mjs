// Cases from a JSONL file, five assertions each, answers produced elsewhere, journal on; beside a bare loop that scores
// the same cases and writes one file, and beside each peer that is installed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measure, printTable } from './measure.mjs';

const ANSWER = 'Order 7 has shipped and will arrive on Friday.';
// The workload of the floor and of the peers: one case in five has an expected text that does not match.
const expected = (index) => (index % 5 === 0 ? `Order ${index} is still in the warehouse.` : ANSWER);

const SUITE = `trials: 1
cases:
  from: rows.jsonl
  template:
    id: "{{id}}"
    prompt: "{{input}}"
    assert:
      - { type: contains, value: "{{needle}}" }
      - { type: equals, value: "{{expected}}" }
      - { type: levenshtein, value: "{{expected}}", threshold: 5 }
      - { type: starts-with, value: Order }
      - { type: max-length, value: 200 }
`;

function write(root, count) {
  const rows = [];
  const outputs = [];
  for (let index = 0; index < count; index += 1) {
    const id = `case-${index}`;
    const input = `Where is order ${index}?`;
    rows.push(JSON.stringify({ id, input, needle: 'shipped', expected: expected(index) }));
    outputs.push(JSON.stringify({ id, trial: 1, output: ANSWER }));
  }
  mkdirSync(join(root, 'evals'), { recursive: true });
  writeFileSync(join(root, 'evals/rows.jsonl'), `${rows.join('\n')}\n`);
  writeFileSync(join(root, 'evals/orders.yaml'), SUITE);
  writeFileSync(join(root, 'outputs.jsonl'), `${outputs.join('\n')}\n`);
}

async function peer(name, peers, options) {
  if (peers === null) return 'not run: set ASSAY_BENCH_PEERS to the directory of installed peers';
  const cwd = join(peers, name);
  if (!existsSync(join(cwd, 'node_modules', name))) return `not installed in ${cwd}`;
  return measure(['fixed.mjs'], { ...options, cwd });
}

export async function outputs({ cli, repeats, cases, directory, shared }) {
  const root = join(directory, 'outputs');
  write(root, cases);
  const words = [cli, 'run', '-s', 'evals/orders.yaml', '--outputs', 'outputs.jsonl'];
  const environment = { CASES: String(cases), OUT: join(root, 'floor.json') };
  const floor = join(shared, 'peers/ts/floor.mjs');
  const peers = process.env.ASSAY_BENCH_PEERS === undefined ? null : resolve(process.env.ASSAY_BENCH_PEERS);
  // The suite fails its gate on purpose: every fifth case does.
  const within = { cwd: root, repeats, codes: [0, 1] };
  const theirs = { repeats, environment };
  printTable(`${cases.toLocaleString('en')} cases x 5 assertions x 1 trial (floor and peers: 3 scorers)`, [
    ['bare loop (floor)', existsSync(floor) ? await measure([floor], theirs) : `not there: ${floor}`],
    ['assay run', await measure(words, within)],
    ['assay run --fsync off', await measure([...words, '--fsync', 'off'], within)],
    ['assay run --no-store', await measure([...words, '--no-store'], within)],
    ['autoevals', await peer('autoevals', peers, theirs)],
    ['braintrust', await peer('braintrust', peers, theirs)],
  ]);
}
