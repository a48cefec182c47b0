import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/index.js';
import { RunFile, type RunStore, type StoredTrial } from '../../src/store/index.js';
import {
  caseResult,
  createRun,
  erroredTrial,
  failure,
  header,
  summary,
  temporaryDirectory,
  trial,
} from './builders.js';

function open(store: RunStore): RunFile {
  return RunFile.create({
    directory: store.directory,
    header: store.header,
    fsync: store.fsync,
    describe: (result: RunSummary) => `pass^${result.trials} 50%, mean 70.0%, 3 trials`,
  });
}

function json(path: string): Record<string, unknown> {
  const value: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
  return value;
}

async function finished(changes: Partial<RunSummary> = {}): Promise<{ store: RunStore; texts: string[] }> {
  const store = await createRun(temporaryDirectory(), {
    header: header({ promptHash: 'f'.repeat(64), settings: { concurrency: 4 } }),
  });
  const lines: StoredTrial[] = [];
  for (const one of [trial('a', 1), trial('a', 2), erroredTrial('b', 1)]) lines.push(await store.append(one));
  const file = open(store);
  file.addCase(caseResult('a'), lines.slice(0, 2));
  file.addCase(
    caseResult('b', {
      scored: 0,
      passed: 0,
      errors: { timeout: 1 },
      passAtK: null,
      passHatK: null,
      meanScore: null,
      interval: null,
      outcome: 'error',
    }),
    lines.slice(2),
  );
  await file.finish(summary(store, changes));
  await store.end(summary(store, changes));
  return { store, texts: lines.map(({ buffer, from, to }) => buffer.toString('utf8', from, to)) };
}

describe('run.json', () => {
  test('has every key of the reference', async () => {
    const { store } = await finished();
    const result = json(join(store.directory, 'run.json'));
    expect(result).toMatchObject({
      suite: 'demo',
      type: 'regression',
      passed: false,
      score: 0.7,
      pass_to_k: 0.5,
      pass_at_k: 1,
      summary: 'pass^3 50%, mean 70.0%, 3 trials',
      run_id: store.runId,
      cases: [
        { id: 'a', mean_score: 0.9, pass_to_k: 0, pass_at_k: 1 },
        { id: 'b', mean_score: null, pass_to_k: null, pass_at_k: null },
      ],
      detail: [
        { id: 'a', mean_score: 0.9, pass_at_k: 1, pass_to_k: 0 },
        { id: 'b', mean_score: null, pass_at_k: null, pass_to_k: null },
      ],
    });
    expect(result['detail']).toMatchObject([
      {
        trials: [
          {
            score: 1,
            passed: true,
            output: 'The answer to a is forty-two.',
            asserts: [
              {
                type: 'contains',
                passed: true,
                score: 1,
                reason: 'contains "forty" at character 14',
                weight: 2,
              },
            ],
          },
          { score: 1 },
        ],
      },
      { trials: [{ score: null, passed: false, output: '', asserts: [], error: { kind: 'timeout' } }] },
    ]);
  });

  test('adds when, how long, under which settings and with which uncertainty', async () => {
    const { store } = await finished();
    expect(json(join(store.directory, 'run.json'))).toMatchObject({
      schema: 'assay/run/v1',
      started_at: '2026-03-01T10:00:00.000Z',
      finished_at: '2026-03-01T10:00:05.500Z',
      duration_ms: 5500,
      gate: 'mean',
      threshold: 0.75,
      trials: 3,
      seed: 7,
      agent_model: 'module:./model.ts',
      judge_model: null,
      prompt_hash: 'f'.repeat(64),
      settings: { concurrency: 4 },
      git: { commit: '0123456789abcdef0123456789abcdef01234567', dirty: false },
      assay_version: '0.1.0',
      outcome: 'failed',
      interrupted: false,
      cost: null,
      totals: { cases: 2, errored: 0, not_run: 0, scored_trials: 6, passed_trials: 5, reused_trials: 0 },
      cases: [
        { n: 3, c: 2, k: 3, interval: { lo: 0.2077, hi: 0.9385 }, duration_ms: 75 },
        { n: 0, c: 0, interval: null, errors: { timeout: 1 }, outcome: 'error' },
      ],
    });
  });

  test('holds the stored trials letter by letter, a case a line', async () => {
    const { store, texts } = await finished();
    const lines = readFileSync(join(store.directory, 'run.json'), 'utf8').split('\n');
    expect(lines.find((line) => line.startsWith('{"id":"a"') && line.includes('"trials"'))).toContain(
      `"trials":[${texts[0]},${texts[1]}]`,
    );
  });

  test.each(['passed', 'failed', 'error', 'inconclusive'] as const)(
    'says passed only of an outcome that is: %s',
    async (outcome) => {
      const { store } = await finished({ outcome });
      expect(json(join(store.directory, 'run.json'))['passed']).toBe(outcome === 'passed');
    },
  );

  test('writes null, never 0 or NaN, for what is undefined', async () => {
    const { store } = await finished({ score: null, passAtK: null, passHatK: null });
    expect(json(join(store.directory, 'run.json'))).toMatchObject({
      score: null,
      pass_at_k: null,
      pass_to_k: null,
    });
  });

  test('is valid without any case', async () => {
    const store = await createRun(temporaryDirectory());
    await open(store).finish(summary(store));
    await store.close();
    expect(json(join(store.directory, 'run.json'))).toMatchObject({ cases: [], detail: [] });
    expect(json(join(dirname(store.directory), 'latest.json'))).toMatchObject({ cases: [] });
  });

  test('is for nobody else to read, and leaves nothing beside it', async () => {
    const { store } = await finished();
    expect(readdirSync(store.directory).toSorted()).toEqual(['journal.jsonl', 'run.json']);
    expect(readdirSync(dirname(store.directory)).toSorted()).toEqual(['latest.json', store.runId]);
    for (const path of [join(store.directory, 'run.json'), join(dirname(store.directory), 'latest.json')]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  test('is not there before the run is finished, and never after it was discarded', async () => {
    const store = await createRun(temporaryDirectory());
    const file = open(store);
    file.addCase(caseResult('a'), []);
    expect(readdirSync(store.directory)).not.toContain('run.json');
    file.discard();
    await store.close();
    expect(readdirSync(store.directory)).toEqual(['journal.jsonl']);
  });

  test('redacts keys in what people wrote, and keeps the identity', async () => {
    const store = await createRun(temporaryDirectory());
    const file = open(store);
    const secret = 'sk-proj-Secret0123456789';
    file.addCase(caseResult(`case ${secret}`, { tags: [secret] }), []);
    await file.finish(summary(store, { reason: `refused ${secret}` }));
    await store.close();
    const text = readFileSync(join(store.directory, 'run.json'), 'utf8');
    expect(text.split(secret).length - 1).toBe(2);
    expect(json(join(store.directory, 'run.json'))).toMatchObject({
      reason: 'refused [redacted]',
      cases: [{ id: `case ${secret}`, tags: ['[redacted]'] }],
    });
  });
});

describe('latest.json', () => {
  test('is the result without its detail, and when', async () => {
    const { store } = await finished();
    const { schema, detail, ...result } = json(join(store.directory, 'run.json'));
    expect([schema, Array.isArray(detail)]).toEqual(['assay/run/v1', true]);
    expect(json(join(dirname(store.directory), 'latest.json'))).toEqual({
      ...result,
      schema: 'assay/latest/v1',
      ts: '2026-03-01T10:00:05.500Z',
    });
  });

  test('is whole whenever it is read while many runs finish at once', async () => {
    const root = temporaryDirectory();
    const latest = join(root, 'runs', 'demo', 'latest.json');
    const stores = await Promise.all(Array.from({ length: 12 }, () => createRun(root)));
    const finishing = stores.map(async (store, index) => {
      const file = open(store);
      for (let count = 0; count <= index * 20; count += 1)
        file.addCase(caseResult(`${store.runId} ${count}`), []);
      await file.finish(summary(store));
      const read = json(latest);
      expect(read['cases']).toHaveLength(stores.findIndex((one) => one.runId === read['run_id']) * 20 + 1);
      await store.close();
    });
    await Promise.all(finishing);
    expect(readdirSync(join(root, 'runs', 'demo')).filter((name) => !name.startsWith('run_'))).toEqual([
      'latest.json',
    ]);
  });
});

describe('a result that cannot be written', () => {
  test('says so, and leaves nothing half-written', async () => {
    const store = await createRun(temporaryDirectory());
    const file = open(store);
    file.addCase(caseResult('a'), []);
    mkdirSync(join(store.directory, 'run.json'));
    expect(await failure(() => file.finish(summary(store)))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('run.json'),
    });
    await store.close();
    expect(readdirSync(store.directory).toSorted()).toEqual(['journal.jsonl', 'run.json']);
  });
});
