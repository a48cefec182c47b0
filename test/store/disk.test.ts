import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listRuns, RunStore } from '../../src/store/index.js';
import { sha256, systemSource } from '../../src/core/index.js';
import { answerOf } from './child-trial.mjs';
import { runToEnd, type CrashRound } from './crash-kit.js';
import { entries, temporaryDirectory, trial } from './builders.js';

const CHILD = fileURLToPath(new URL('disk-child.mjs', import.meta.url));
const NOBODY = '65534';

interface Refusal {
  code: string;
  message: string;
  fix: string;
}

/** The refusal that the child printed last, and the cases it acknowledged before. */
function told(round: CrashRound): { refusal: Refusal; acknowledged: string[] } {
  expect([round.errors, round.exitCode]).toEqual(['', 3]);
  const last = round.lines.at(-1) ?? '';
  expect(last).toMatch(/^refused /);
  const refusal: Refusal = JSON.parse(last.slice('refused '.length));
  return { refusal, acknowledged: round.lines.slice(0, -1).map((line) => line.slice('stored '.length)) };
}

/** A tiny disk of its own where that is allowed; null elsewhere. */
function smallDisk(options: string): string | null {
  const directory = temporaryDirectory();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]).status !== 0) return null;
  onTestFinished(() => {
    spawnSync('umount', ['-l', directory]);
  });
  return directory;
}

/** A command whose files may not grow beyond `blocks` of 512 bytes: the shell sets the limit and becomes the child. */
function limited(blocks: number, parameters: readonly string[]): [string, ...string[]] {
  return ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, CHILD, ...parameters];
}

/** Every acknowledged trial is whole in the journal, which has no torn or broken line and can be gone on with. */
async function intact(root: string, acknowledged: readonly string[]): Promise<void> {
  const directory = listRuns(root).runs[0]?.directory ?? '';
  const read = entries(join(directory, 'journal.jsonl'));
  expect(read.filter((entry) => entry.type === 'torn' || entry.type === 'broken')).toEqual([]);
  const answers = new Map(
    read.flatMap((entry) =>
      entry.type === 'trial' ? [[entry.trial.caseId, entry.trial.recording?.turns[0]?.text] as const] : [],
    ),
  );
  expect(acknowledged.filter((id) => answers.get(id) !== answerOf(id))).toEqual([]);
}

async function goOn(root: string, acknowledged: readonly string[]): Promise<void> {
  const directory = listRuns(root).runs[0]?.directory ?? '';
  const cases = [...acknowledged, 'another'].map((id) => ({ id, hash: sha256(id), trials: 1 }));
  const resumed = await RunStore.resume({ directory, cases, fsync: 'batch', source: systemSource() });
  await resumed.store.append(trial('another'));
  await resumed.store.close();
  expect(resumed.cases.flatMap((one) => one.reused)).toHaveLength(acknowledged.length);
}

describe('a disk that refuses', () => {
  test.each(['always', 'batch', 'off'])(
    'in the middle of the journal is reported, and what was stored stays (%s)',
    async (fsync) => {
      const root = join(temporaryDirectory(), '.assay');
      const { refusal, acknowledged } = told(
        await runToEnd({ command: limited(300, [root, fsync, '4000', '']) }),
      );
      expect(refusal).toMatchObject({ code: 'STORE', message: expect.stringMatching(/journal.*\(EFBIG\)/) });
      expect(refusal.fix).toContain('ulimit -f');
      expect(acknowledged.length).toBeGreaterThan(20);
      await intact(root, acknowledged);
      await goOn(root, acknowledged);
    },
  );

  test('because it is full is reported as such, and the journal stays intact', async () => {
    const disk = smallDisk('size=192k');
    const root = join(disk ?? temporaryDirectory(), '.assay');
    const parameters = [root, 'batch', '4000', ''];
    const { refusal, acknowledged } = told(
      await runToEnd({
        command: disk === null ? limited(300, parameters) : [process.execPath, CHILD, ...parameters],
      }),
    );
    expect(refusal).toMatchObject({
      code: 'STORE',
      message: expect.stringMatching(disk === null ? /EFBIG/ : /the disk is full \(ENOSPC\)/),
    });
    if (disk !== null) expect(refusal.fix).toContain('--resume');
    expect(acknowledged.length).toBeGreaterThan(20);
    await intact(root, acknowledged);
  });

  test('while the result is written leaves the journal and no half of a result', async () => {
    const root = join(temporaryDirectory(), '.assay');
    // Enough for the journal of 60 small trials, not for a result in which each holds a long one.
    const { refusal, acknowledged } = told(
      await runToEnd({ command: limited(160, [root, 'off', '60', '']) }),
    );
    expect(refusal.code).toBe('STORE');
    expect(acknowledged).toHaveLength(60);
    await intact(root, acknowledged);
    const [run] = listRuns(root).runs;
    expect(readdirSync(run?.directory ?? '')).not.toContain('run.json');
    expect(readdirSync(join(run?.directory ?? '', '..'))).not.toContain('latest.json');
  });

  test('because it is read-only says so before anything is run', async () => {
    const disk = smallDisk('ro,size=64k');
    const parent = disk ?? temporaryDirectory();
    if (disk === null) chmodSync(parent, 0o500);
    const { refusal } = told(
      await runToEnd({ command: [process.execPath, CHILD, join(parent, '.assay'), 'batch', '1', ''] }),
    );
    expect(refusal).toMatchObject({
      code: 'STORE',
      message: expect.stringMatching(disk === null ? /EACCES/ : /the file system is read-only \(EROFS\)/),
      fix: expect.stringContaining('store.dir'),
    });
    if (disk === null) chmodSync(parent, 0o700);
  });

  test('because the directory belongs to somebody else says so before anything is run', async () => {
    const parent = temporaryDirectory();
    mkdirSync(join(parent, 'locked'), { mode: 0o500 });
    chmodSync(parent, 0o755);
    const isRoot = process.getuid?.() === 0;
    const { refusal } = told(
      await runToEnd({
        command: [
          process.execPath,
          CHILD,
          join(parent, 'locked', '.assay'),
          'batch',
          '1',
          isRoot ? NOBODY : '',
        ],
      }),
    );
    expect(refusal).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('permission denied (EACCES)'),
      fix: expect.stringContaining('store.dir'),
    });
    rmSync(join(parent, 'locked'), { recursive: true, force: true });
  });
});
