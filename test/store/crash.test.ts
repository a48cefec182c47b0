import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listRuns, readRun } from '../../src/store/index.js';
import { answerOf } from './child-trial.mjs';
import { killAtRandomMoments, runToEnd } from './crash-kit.js';
import { entries, temporaryDirectory } from './builders.js';

const CHILD = fileURLToPath(new URL('crash-child.mjs', import.meta.url));
const FINISHING = fileURLToPath(new URL('finish-child.mjs', import.meta.url));
const MODES = ['always', 'batch', 'off'] as const;
// More than all rounds together can store, however fast the machine.
const CASES = 8000;

interface Loaded {
  run_id: string;
  cases: unknown[];
  detail?: unknown[];
}

function load(path: string): Loaded {
  const value: Loaded = JSON.parse(readFileSync(path, 'utf8'));
  return value;
}

/** How often each case stands in the journal, and what did not come through whole. */
function stored(directory: string): { counts: Map<string, number>; damaged: string[] } {
  const counts = new Map<string, number>();
  const damaged: string[] = [];
  for (const entry of entries(join(directory, 'journal.jsonl'))) {
    if (entry.type === 'broken') damaged.push(`line ${entry.line}: ${entry.message}`);
    if (entry.type !== 'trial') continue;
    const { caseId, recording } = entry.trial;
    if (recording?.turns[0]?.text !== answerOf(caseId)) damaged.push(caseId);
    counts.set(caseId, (counts.get(caseId) ?? 0) + 1);
  }
  return { counts, damaged };
}

describe('a process that is killed', () => {
  test('at 50 random moments loses no trial it has acknowledged and stores none twice', async () => {
    const root = temporaryDirectory();
    const acknowledged = new Set<string>();
    let killed = 0;
    const command = (fsync: string): [string, ...string[]] => [
      process.execPath,
      CHILD,
      root,
      fsync,
      String(CASES),
    ];
    await killAtRandomMoments({
      rounds: 50,
      seed: 20_260_301,
      mostLines: 40,
      mostMilliseconds: 12,
      start: (round) => ({ command: command(MODES[round % MODES.length] ?? 'batch') }),
      check: (round) => {
        expect(round.errors).toBe('');
        if (round.killed) killed += 1;
        const ids = round.lines.map((line) => line.replace(/^stored /, ''));
        // Acknowledged twice would mean run twice.
        expect(ids.filter((id) => acknowledged.has(id))).toEqual([]);
        for (const id of ids) acknowledged.add(id);
        const [run] = listRuns(root).runs;
        const { counts, damaged } =
          run === undefined ? { counts: new Map(), damaged: [] } : stored(run.directory);
        expect(damaged).toEqual([]);
        expect([...acknowledged].filter((id) => counts.get(id) !== 1)).toEqual([]);
        expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
      },
    });
    expect(killed).toBe(50);
    expect(acknowledged.size).toBeGreaterThan(100);

    const last = await runToEnd({ command: [...command('off'), 'hurry'] });
    expect([last.errors, last.exitCode, last.lines.at(-1)]).toEqual(['', 0, 'done']);
    // Some early deaths left a folder without a header; all the others are one run.
    const { runs } = listRuns(root);
    expect(runs.map((run) => run.state)).toEqual(['finished']);
    const directory = runs[0]?.directory ?? '';
    expect(stored(directory).counts.size).toBe(CASES);
    expect([...readRun(directory).cases()]).toHaveLength(CASES);
    expect(load(join(directory, 'run.json')).cases).toHaveLength(CASES);
    expect(readdirSync(directory).toSorted()).toEqual(['journal.jsonl', 'run.json']);
  }, 240_000);

  test('while it finishes leaves run.json and latest.json whole or not there', async () => {
    const root = temporaryDirectory();
    const suite = join(root, 'runs', 'finish');
    const finished = new Map<string, number>();
    await killAtRandomMoments({
      rounds: 15,
      seed: 7,
      mostLines: 12,
      mostMilliseconds: 15,
      start: () => ({ command: [process.execPath, FINISHING, root] }),
      check: (round) => {
        expect([round.errors, round.killed]).toEqual(['', true]);
        for (const line of round.lines) {
          const [, runId = '', cases = ''] = line.split(' ');
          finished.set(runId, Number(cases));
        }
        if (!existsSync(suite)) return;
        for (const runId of readdirSync(suite)) {
          const path = join(suite, runId, 'run.json');
          if (!existsSync(path)) continue;
          const result = load(path);
          expect(result.detail).toHaveLength(result.cases.length);
          expect(result.cases).toHaveLength(finished.get(runId) ?? result.cases.length);
        }
        if (finished.size > 0) expect(load(join(suite, 'latest.json')).cases.length).toBeGreaterThan(0);
        for (const runId of finished.keys()) expect(existsSync(join(suite, runId, 'run.json'))).toBe(true);
      },
    });
    expect(finished.size).toBeGreaterThan(15);
  }, 120_000);
});
