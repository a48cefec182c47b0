import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listRuns } from '../../src/store/index.js';
import { entries } from '../store/builders.js';
import { killAtRandomMoments, runToEnd, type CrashCommand } from '../store/crash-kit.js';
import { cleanEnvironment, CLI, project, type Project } from './run-cli.js';

const MODES = ['always', 'batch', 'off'] as const;
// More than all rounds together can finish, however fast the machine.
const CASES = 600;
/** Far more than the small disk holds. */
const MANY = 250;

/** Says each call on stdout the moment it is made, and takes some milliseconds. */
const AGENT = `
import { writeSync } from 'node:fs';
export default async function agent({ caseId }) {
  writeSync(1, 'call ' + caseId + '\\n');
  await new Promise((done) => setTimeout(done, 4));
  return 'answer of ' + caseId;
}
`;

/** A project of many cases from a data file, whose store is where it is told. */
function manyCases(count: number, store = '.assay'): Project {
  const rows = Array.from({ length: count }, (_, index) => `{"id":"case-${index}"}\n`).join('');
  const made = project({
    'assay.config.yaml': `store: { dir: ${JSON.stringify(store)} }\n`,
    'agent.mjs': AGENT,
    'evals/rows.jsonl': rows,
    'evals/s.yaml': `agent: { module: ../agent.mjs }
trials: 1
gate: all
cases:
  from: rows.jsonl
  template: { id: "{{id}}", prompt: "Who are you, {{id}}?", assert: [{ type: contains, value: "answer of {{id}}" }] }
`,
  });
  onTestFinished(() => made.remove());
  return made;
}

function command({ root }: Project, words: readonly string[]): CrashCommand {
  return {
    command: [process.execPath, CLI, 'run', '-s', 'evals/s.yaml', '--out', 'result.json', '--json', ...words],
    directory: root,
    environment: cleanEnvironment(),
  };
}

/** How often each case stands in the journal, and what did not come through whole. */
function stored(directory: string): { counts: Map<string, number>; damaged: string[] } {
  const counts = new Map<string, number>();
  const damaged: string[] = [];
  for (const entry of entries(join(directory, 'journal.jsonl'))) {
    if (entry.type === 'broken') damaged.push(`line ${entry.line}: ${entry.message}`);
    if (entry.type !== 'trial') continue;
    const { caseId, recording } = entry.trial;
    if (recording?.turns[0]?.text !== `answer of ${caseId}`) damaged.push(caseId);
    counts.set(caseId, (counts.get(caseId) ?? 0) + 1);
  }
  return { counts, damaged };
}

interface Result {
  outcome: string;
  totals: Record<string, number>;
  cases: { id: string; n: number; c: number }[];
}

function readResult(path: string): Result {
  const value: Result = JSON.parse(readFileSync(path, 'utf8'));
  return value;
}

function called(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('call ')).map((line) => line.slice('call '.length));
}

describe('assay run, killed', () => {
  it('at 50 random moments and resumed after each, loses nothing and counts nothing twice', async () => {
    const made = manyCases(CASES);
    const root = join(made.root, '.assay');
    const kept = new Set<string>();
    let killed = 0;
    const run = (): string | null => listRuns(root).runs[0]?.directory ?? null;
    await killAtRandomMoments({
      rounds: 50,
      seed: 20_261_130,
      mostLines: 8,
      mostMilliseconds: 80,
      start: (round) =>
        command(made, [
          '--fsync',
          MODES[round % MODES.length] ?? 'batch',
          ...(existsSync(root) && run() !== null ? ['--resume'] : []),
        ]),
      check(round) {
        if (round.killed) killed += 1;
        // What was stored before this round is not run again in it.
        expect(called(round.lines).filter((id) => kept.has(id))).toEqual([]);
        const directory = existsSync(root) ? run() : null;
        const { counts, damaged } =
          directory === null ? { counts: new Map<string, number>(), damaged: [] } : stored(directory);
        expect(damaged).toEqual([]);
        expect([...kept].filter((id) => !counts.has(id))).toEqual([]);
        expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
        for (const id of counts.keys()) kept.add(id);
        if (directory !== null) expect(existsSync(join(directory, 'run.json'))).toBe(false);
      },
    });
    expect(killed).toBe(50);
    expect(kept.size).toBeGreaterThan(50);

    const last = await runToEnd(command(made, ['--fsync', 'off', '--resume']));
    expect(last.exitCode).toBe(0);
    expect(last.errors).toContain(
      `resuming: ${kept.size} finished trials reused, ${CASES - kept.size} trials to run`,
    );
    expect(called(last.lines)).toHaveLength(CASES - kept.size);
    const directory = run() ?? '';
    const { counts, damaged } = stored(directory);
    expect([damaged, counts.size, [...counts.values()].every((count) => count === 1)]).toEqual([
      [],
      CASES,
      true,
    ]);
    expect(readdirSync(directory).toSorted()).toEqual(['journal.jsonl', 'run.json']);
    const inOrder = Array.from({ length: CASES }, (_, index) => `case-${index}`);
    for (const path of [
      join(directory, 'run.json'),
      join(directory, '..', 'latest.json'),
      join(made.root, 'result.json'),
    ]) {
      const result = readResult(path);
      expect([result.outcome, result.totals['passed'], result.totals['trials']]).toEqual([
        'passed',
        CASES,
        CASES,
      ]);
      expect(result.cases.map((found) => found.id)).toEqual(inOrder);
      expect(result.cases.every((found) => found.n === 1 && found.c === 1)).toBe(true);
    }
    expect(listRuns(root).runs.filter((found) => found.state === 'finished')).toHaveLength(1);
  }, 900_000);
});

/** A tiny disk of its own where that is allowed; null elsewhere. */
function smallDisk(options: string): string | null {
  const made = project({});
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', made.root]).status !== 0) {
    made.remove();
    return null;
  }
  onTestFinished(() => {
    spawnSync('umount', ['-l', made.root]);
    made.remove();
  });
  return made.root;
}

describe('assay run on a disk that refuses', () => {
  it('because it is full says so, keeps what was stored and goes on when there is room', async () => {
    const disk = smallDisk('size=128k');
    const made = manyCases(MANY, disk === null ? '.assay' : join(disk, '.assay'));
    const root = disk === null ? join(made.root, '.assay') : join(disk, '.assay');
    const whole = command(made, []);
    // Where no disk may be made, files that may not grow do the same.
    const limit = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh'] as const;
    const full = await runToEnd(disk === null ? { ...whole, command: [...limit, ...whole.command] } : whole);
    expect(full.exitCode).toBe(1);
    expect(full.errors).toMatch(disk === null ? /\(EFBIG\)/ : /the disk is full \(ENOSPC\)/);
    expect(full.errors).not.toMatch(/unexpected error|at .*\.js:\d+/);
    const directory = listRuns(root).runs[0]?.directory ?? '';
    const { counts, damaged } = stored(directory);
    expect(damaged).toEqual([]);
    expect(counts.size).toBeGreaterThan(20);
    expect(existsSync(join(directory, 'run.json'))).toBe(false);

    if (disk !== null) spawnSync('mount', ['-o', 'remount,size=64m', disk]);
    const resumed = await runToEnd(command(made, ['--resume']));
    expect(resumed.exitCode).toBe(0);
    expect(resumed.errors).toContain(`resuming: ${counts.size} finished trials reused`);
    expect(stored(directory).counts.size).toBe(MANY);
  }, 300_000);

  it('because it is read-only says so before the agent is asked anything', async () => {
    const disk = smallDisk('ro,size=64k');
    const made = manyCases(3, disk === null ? 'closed/.assay' : join(disk, '.assay'));
    if (disk === null) {
      made.write('closed/file', '');
      chmodSync(join(made.root, 'closed'), 0o500);
    }
    const ended = await runToEnd(command(made, []));
    if (disk === null) chmodSync(join(made.root, 'closed'), 0o700);
    expect([ended.exitCode, called(ended.lines)]).toEqual([1, []]);
    expect(ended.errors).toMatch(disk === null ? /EACCES/ : /the file system is read-only \(EROFS\)/);
    expect(ended.errors).toContain('store.dir');
  });
});
