import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findRun, listRuns, readRun, safeDirectoryName, type RunStore } from '../../src/store/index.js';
import { createRun, erroredTrial, failure, header, summary, temporaryDirectory, trial } from './builders.js';

let root = '';
let stores: Map<string, RunStore> = new Map();

async function run(suite: string, runId: string): Promise<RunStore> {
  const store = await createRun(root, { suite, runId, header: header({ seed: stores.size }) });
  await store.append(trial('a'));
  stores.set(runId, store);
  return store;
}

beforeEach(async () => {
  root = temporaryDirectory();
  stores = new Map();
  const first = await run('demo', 'run_1700000000001_aaaaaa');
  await first.end(summary(first));
  const second = await run('demo', 'run_1700000000002_bbbbbb');
  await second.end(summary(second, { interrupted: true, outcome: 'error' }));
  await (await run('my suite/é', 'run_1700000000003_cccccc')).close();
  await (await run('demo', 'run_900000000000_dddddd')).close();
});

describe('finding a run', () => {
  test.each([
    ['latest', 'run_1700000000003_cccccc'],
    ['  latest ', 'run_1700000000003_cccccc'],
    ['run_1700000000001_aaaaaa', 'run_1700000000001_aaaaaa'],
    ['run_1700000000002', 'run_1700000000002_bbbbbb'],
    ['run_9', 'run_900000000000_dddddd'],
    ['1700000000001', 'run_1700000000001_aaaaaa'],
    ['demo/latest', 'run_1700000000002_bbbbbb'],
    ['demo/run_1700000000001', 'run_1700000000001_aaaaaa'],
    ['my suite/é/latest', 'run_1700000000003_cccccc'],
  ])('understands %j', (reference, runId) => {
    expect(findRun(root, reference)).toMatchObject({ runId, directory: stores.get(runId)?.directory });
  });

  test('understands the directory name of a suite', () => {
    const name = safeDirectoryName('my suite/é');
    expect(findRun(root, `${name}/latest`)).toMatchObject({
      runId: 'run_1700000000003_cccccc',
      suiteDirectory: name,
    });
  });

  test.each(['', '/journal.jsonl', '/run.json', '/'])(
    'understands the path of a run with %j after it',
    (rest) => {
      const store = stores.get('run_1700000000001_aaaaaa');
      writeFileSync(join(store?.directory ?? '', 'run.json'), '{}');
      expect(findRun(temporaryDirectory(), `${store?.directory ?? ''}${rest}`)).toMatchObject({
        runId: store?.runId,
        directory: store?.directory,
      });
    },
  );

  test('refuses the beginning of several ids and lists them', async () => {
    expect(await failure(() => findRun(root, 'run_17'))).toMatchObject({
      code: 'RUN_NOT_FOUND',
      message: expect.stringContaining('more than one run'),
      fix: expect.stringMatching(
        /run_1700000000003_cccccc.*run_1700000000002_bbbbbb.*run_1700000000001_aaaaaa/,
      ),
    });
  });

  test.each(['run_5', 'nonsense', 'demo/run_5', 'demo/', '', '../demo', 'latest/'])(
    'refuses %j and lists the newest runs',
    async (reference) => {
      expect(await failure(() => findRun(root, reference))).toMatchObject({
        code: 'RUN_NOT_FOUND',
        fix: expect.stringContaining('run_1700000000002_bbbbbb'),
      });
    },
  );

  test('says which suite has no run', async () => {
    expect(await failure(() => findRun(root, 'other/latest'))).toMatchObject({
      code: 'RUN_NOT_FOUND',
      message: expect.stringContaining('"other"'),
    });
  });

  test('says that no run is stored at all', async () => {
    expect(await failure(() => findRun(join(temporaryDirectory(), 'none'), 'latest'))).toMatchObject({
      code: 'RUN_NOT_FOUND',
      message: expect.stringContaining('no run is stored'),
      fix: expect.stringContaining('assay run'),
    });
  });

  test('lists ten candidates and counts the rest', async () => {
    for (let count = 10; count < 22; count += 1) await (await run('many', `run_16_${count}`)).close();
    expect(await failure(() => findRun(root, 'many/run_16'))).toMatchObject({
      fix: expect.stringContaining('and 2 more'),
    });
  });
});

describe('listing runs', () => {
  test('gives them newest first with their state', async () => {
    const going = await run('demo', 'run_1700000000004_eeeeee');
    const { runs, problems } = listRuns(root);
    expect(problems).toEqual([]);
    expect(runs.map((one) => [one.runId, one.header.suite, one.state, one.summary?.outcome ?? null])).toEqual(
      [
        ['run_1700000000004_eeeeee', 'demo', 'running', null],
        ['run_1700000000003_cccccc', 'my suite/é', 'unfinished', null],
        ['run_1700000000002_bbbbbb', 'demo', 'interrupted', 'error'],
        ['run_1700000000001_aaaaaa', 'demo', 'finished', 'failed'],
        ['run_900000000000_dddddd', 'demo', 'unfinished', null],
      ],
    );
    await going.close();
  });

  test('gives the runs of one suite', () => {
    expect(listRuns(root, 'my suite/é').runs.map((one) => one.runId)).toEqual(['run_1700000000003_cccccc']);
    expect(listRuns(root, 'other').runs).toEqual([]);
  });

  test('is empty where nothing was stored', () => {
    expect(listRuns(join(root, 'nothing'))).toEqual({ runs: [], problems: [] });
  });

  test('reports what it cannot read and shows the rest', () => {
    const suite = dirname(stores.get('run_1700000000001_aaaaaa')?.directory ?? '');
    mkdirSync(join(suite, 'run_1_empty'));
    mkdirSync(join(suite, 'run_2_torn'));
    writeFileSync(join(suite, 'run_2_torn', 'journal.jsonl'), '{"type":"run","schema":"assay/jour');
    mkdirSync(join(suite, 'run_3_later'));
    writeFileSync(
      join(suite, 'run_3_later', 'journal.jsonl'),
      '{"type":"run","schema":"assay/journal/v2"}\n',
    );
    mkdirSync(join(suite, 'run_4_binary'));
    writeFileSync(join(suite, 'run_4_binary', 'journal.jsonl'), Buffer.from([0xff, 0x0a, 0xfe]));
    mkdirSync(join(suite, 'run_5_directory', 'journal.jsonl'), { recursive: true });
    mkdirSync(join(suite, 'run_6_link'));
    symlinkSync('/etc/passwd', join(suite, 'run_6_link', 'journal.jsonl'));
    mkdirSync(join(suite, 'notes'));
    writeFileSync(join(suite, 'run_7_file'), 'x');
    const { runs, problems } = listRuns(root);
    expect(runs).toHaveLength(4);
    expect(problems.map((one) => one.path).toSorted()).toEqual(
      ['run_1_empty', 'run_2_torn', 'run_3_later', 'run_4_binary', 'run_5_directory', 'run_6_link'].map(
        (name) => join(suite, name),
      ),
    );
  });
});

describe('reading a run', () => {
  test('gives header, summary and every case with its trials', async () => {
    const store = await createRun(root, { suite: 'read', runId: 'run_1800000000000_ffffff' });
    // In the order in which they happened to finish.
    for (const one of [trial('b', 2), trial('a', 1), erroredTrial('b', 1), trial('ä', 1)])
      await store.append(one);
    await store.end(summary(store));
    const read = readRun(store.directory);
    expect(read.header).toEqual(store.header);
    expect(read.summary).toEqual(summary(store, { directory: store.directory }));
    expect([...read.cases()].map((one) => [one.id, one.trials])).toEqual([
      ['a', [trial('a', 1)]],
      ['b', [erroredTrial('b', 1), trial('b', 2)]],
      ['ä', [trial('ä', 1)]],
    ]);
    expect(read.find('b')?.trials).toHaveLength(2);
    expect(read.find('c')).toBeNull();
    expect(read.problems()).toEqual([]);
  });

  test('has no summary while the run goes on, and none after a crash', () => {
    expect(readRun(stores.get('run_1700000000003_cccccc')?.directory ?? '').summary).toBeNull();
  });

  test('reads an end line that is longer than any buffer', async () => {
    const store = await createRun(root, { suite: 'long' });
    const reason = 'x'.repeat(300_000);
    await store.append(trial('a'));
    await store.end(summary(store, { reason }));
    expect(readRun(store.directory).summary?.reason).toBe(reason);
  });

  test('reads a header that is longer than any buffer', async () => {
    const settings = { prompt: 'y'.repeat(700_000) };
    const store = await createRun(root, { suite: 'long', header: header({ settings }) });
    await store.close();
    expect(readRun(store.directory).header.settings).toEqual(settings);
  });

  test('stops reading when the reader stops', () => {
    const cases = readRun(stores.get('run_1700000000001_aaaaaa')?.directory ?? '').cases();
    expect(cases.next().value).toMatchObject({ id: 'a' });
    cases.return();
    expect(cases.next().done).toBe(true);
  });
});
