// Runs a program as a process of its own and tells what it cost: CPU seconds, wall seconds, peak memory in MiB.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const USAGE = new URL('usage.mjs', import.meta.url).href;

/** One run of `node ...words`; rejects unless it ends with one of `codes`. */
export async function once(words, { cwd = process.cwd(), environment = {}, codes = [0] } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-usage-'));
  const report = join(directory, 'usage.json');
  try {
    const began = performance.now();
    const output = await new Promise((done, failed) => {
      const child = spawn(process.execPath, ['--import', USAGE, ...words], {
        cwd,
        env: { PATH: process.env.PATH, HOME: directory, NO_COLOR: '1', BENCH_USAGE: report, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (text) => (stdout += text));
      child.stderr.on('data', (text) => (stderr += text));
      child.on('error', failed);
      child.on('close', (code) => {
        if (codes.includes(code)) done(stdout);
        else failed(new Error(`node ${words.join(' ')} ended with ${code}:\n${stderr.slice(-2000)}`));
      });
    });
    const wall = (performance.now() - began) / 1000;
    return { wall, output, ...JSON.parse(readFileSync(report, 'utf8')) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function median(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Medians of several runs. `before` is called before each of them. */
export async function measure(words, options = {}) {
  const { repeats = 3, before = () => undefined } = options;
  const runs = [];
  for (let round = 0; round < repeats; round += 1) {
    before();
    runs.push(await once(words, options));
  }
  const middle = (key) => median(runs.map((run) => run[key]));
  return { cpu: middle('cpu'), wall: middle('wall'), peak: middle('peak'), output: runs.at(-1).output };
}

/** Prints a table of measured programs: rows of `[name, measured or a reason why there is none]`. */
export function printTable(title, rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${title}`);
  console.log(`${''.padEnd(width)}     CPU s    wall s   peak MiB`);
  for (const [name, found] of rows) {
    const cells =
      typeof found === 'string'
        ? `   ${found}`
        : `${found.cpu.toFixed(2).padStart(10)}${found.wall.toFixed(2).padStart(10)}${found.peak.toFixed(0).padStart(11)}`;
    console.log(`${name.padEnd(width)}${cells}`);
  }
}
