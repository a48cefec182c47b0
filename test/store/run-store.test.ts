import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixedSource, systemSource } from '../../src/core/index.js';
import { parseTrial, safeDirectoryName } from '../../src/store/index.js';
import { createRun, entries, failure, header, summary, temporaryDirectory, trial } from './builders.js';

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('a new run', () => {
  test('has a directory of its own under its suite, for nobody else to read', async () => {
    const root = join(temporaryDirectory(), 'deep', '.assay');
    const store = await createRun(root, { fsync: 'always' });
    expect(store.directory).toBe(join(root, 'runs', 'demo', store.runId));
    expect(store.runId).toMatch(/^run_[0-9]{13}_[0-9a-z]{6}$/);
    for (const directory of [root, join(root, 'runs'), join(root, 'runs', 'demo'), store.directory]) {
      expect(mode(directory)).toBe('700');
    }
    expect(mode(join(store.directory, 'journal.jsonl'))).toBe('600');
    expect(mode(join(store.directory, 'owner.json'))).toBe('600');
    await store.close();
  });

  test('takes the id it is given, and a fresh one when that is taken', async () => {
    const root = temporaryDirectory();
    const first = await createRun(root, { runId: 'run_7_abcdef' });
    const second = await createRun(root, { runId: 'run_7_abcdef' });
    expect(first.runId).toBe('run_7_abcdef');
    expect(second.runId).not.toBe('run_7_abcdef');
    expect(entries(join(second.directory, 'journal.jsonl'))[0]).toMatchObject({
      header: { runId: second.runId },
    });
    await first.close();
    await second.close();
  });

  test('gets another id when the source repeats itself', async () => {
    const root = temporaryDirectory();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const store = await createRun(root, { source: fixedSource() });
      ids.push(store.runId);
      await store.close();
    }
    expect(ids).toEqual(['run_1', 'run_2', 'run_3']);
  });

  test.each(['../run_1', 'run_', 'latest', 'run_a/b', ''])('refuses %j as an id', async (runId) => {
    const root = temporaryDirectory();
    expect(await failure(() => createRun(root, { runId }))).toMatchObject({ code: 'STORE' });
  });

  test('keeps two runs that go on at the same time apart', async () => {
    const root = temporaryDirectory();
    const runs = await Promise.all(Array.from({ length: 8 }, () => createRun(root, { fsync: 'batch' })));
    await Promise.all(
      runs.flatMap((store) =>
        Array.from({ length: 20 }, (_, index) => store.append(trial(`${store.runId} ${index}`))),
      ),
    );
    for (const store of runs) {
      await store.end(summary(store));
      const ids = entries(join(store.directory, 'journal.jsonl')).flatMap((entry) =>
        entry.type === 'trial' ? [entry.trial.caseId] : [],
      );
      expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => `${store.runId} ${index}`));
    }
  });

  test.each([
    ['a way out', '../../../escape'],
    ['300 characters', 'x'.repeat(300)],
    ['emoji', '🚀🚀'],
    ['control characters', 'a\u0000b\u001b[2J\n'],
    ['nothing', ''],
  ])('stays inside the store when the suite is called by %s', async (_name, suite) => {
    const parent = temporaryDirectory();
    const store = await createRun(join(parent, 'store'), { suite });
    await store.append(trial('a'));
    await store.end(summary(store));
    expect(readdirSync(parent)).toEqual(['store']);
    expect(readdirSync(join(parent, 'store', 'runs'))).toEqual([safeDirectoryName(suite)]);
    expect(entries(join(store.directory, 'journal.jsonl'))[0]).toMatchObject({ header: { suite } });
  });
});

describe('appending', () => {
  test.each(['always', 'batch', 'off'] as const)(
    'has the line in the file when the promise is kept (%s)',
    async (fsync) => {
      const store = await createRun(temporaryDirectory(), { fsync });
      const path = join(store.directory, 'journal.jsonl');
      for (let number = 1; number <= 5; number += 1) {
        const { buffer, from, to } = await store.append(trial('a', number));
        const json = buffer.toString('utf8', from, to);
        expect(readFileSync(path, 'utf8').endsWith(`${json}\n`)).toBe(true);
        expect(parseTrial(json)).toEqual(trial('a', number));
      }
      await store.close();
    },
  );

  test.each(['always', 'batch', 'off'] as const)(
    'keeps the order in which trials were appended (%s)',
    async (fsync) => {
      const store = await createRun(temporaryDirectory(), { fsync });
      const order = Array.from({ length: 300 }, (_, index) => `case ${index}`);
      await Promise.all(order.map((id) => store.append(trial(id))));
      await store.close();
      const stored = entries(join(store.directory, 'journal.jsonl')).flatMap((entry) =>
        entry.type === 'trial' ? [entry.trial.caseId] : [],
      );
      expect(stored).toEqual(order);
    },
  );

  test('has everything in the file after a flush', async () => {
    const store = await createRun(temporaryDirectory(), { fsync: 'batch' });
    const waiting = [store.append(trial('a')), store.append(trial('b'))];
    await store.flush();
    expect(entries(join(store.directory, 'journal.jsonl'))).toHaveLength(3);
    await Promise.all(waiting);
    await store.flush();
    await store.close();
  });

  test('writes no key of the header or of the summary to the disk', async () => {
    const store = await createRun(temporaryDirectory(), {
      header: header({ settings: { key: 'sk-proj-Secret0123456789' } }),
    });
    await store.end(summary(store, { reason: 'refused Bearer secret0123456789abcdef' }));
    const text = readFileSync(join(store.directory, 'journal.jsonl'), 'utf8');
    expect(text).not.toMatch(/secret0123456789/i);
    expect(text).toContain('[redacted]');
  });

  test('closes twice without harm, and gives the run up', async () => {
    const store = await createRun(temporaryDirectory());
    await store.end(summary(store));
    await store.close();
    expect(readdirSync(store.directory)).toEqual(['journal.jsonl']);
  });
});

describe('a store that cannot be written', () => {
  test('says that its root is a symbolic link and where that leads', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'real'));
    symlinkSync(join(directory, 'real'), join(directory, '.assay'));
    expect(await failure(() => createRun(join(directory, '.assay')))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('symbolic link'),
      fix: expect.stringContaining(join(directory, 'real')),
    });
    expect(readdirSync(join(directory, 'real'))).toEqual([]);
  });

  test('refuses a root that leads nowhere', async () => {
    const directory = temporaryDirectory();
    symlinkSync(join(directory, 'gone'), join(directory, '.assay'));
    expect(await failure(() => createRun(join(directory, '.assay')))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('symbolic link'),
    });
  });

  test.each(['runs', 'runs/demo'])('refuses a symbolic link at %s below its root', async (below) => {
    const root = temporaryDirectory();
    const outside = temporaryDirectory();
    if (below !== 'runs') mkdirSync(join(root, 'runs'));
    symlinkSync(outside, join(root, below));
    expect(await failure(() => createRun(root))).toMatchObject({ code: 'STORE' });
    expect(readdirSync(outside)).toEqual([]);
  });

  test.each(['', 'runs', 'runs/demo'])('says that a file is in the way at "%s"', async (below) => {
    const root = join(temporaryDirectory(), '.assay');
    const path = join(root, below);
    if (below !== '') mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'x');
    expect(await failure(() => createRun(root))).toMatchObject({
      code: 'STORE',
      message: expect.stringMatching(/is a file, not a directory/),
    });
  });

  test('says that a parent of its root is a file', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'file'), 'x');
    expect(await failure(() => createRun(join(directory, 'file', '.assay')))).toMatchObject({
      code: 'STORE',
    });
  });

  test('keeps the mode of a directory that was there', async () => {
    const root = join(temporaryDirectory(), '.assay');
    mkdirSync(root);
    chmodSync(root, 0o755);
    const store = await createRun(root, { source: systemSource() });
    await store.close();
    expect(mode(root)).toBe('755');
    expect(mode(join(root, 'runs'))).toBe('700');
  });
});
