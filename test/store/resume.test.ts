import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/index.js';
import {
  explainResume,
  parseTrial,
  readJournal,
  readRun,
  resumeIndex,
  type CaseResumption,
} from '../../src/store/index.js';
import { createRun, entries, erroredTrial, failure, summary, temporaryDirectory, trial } from './builders.js';
import { interrupted, NOW, planned, resume } from './resumption.js';

/** What is done with each case, without the places in the file. */
function plain(cases: readonly CaseResumption[]): object[] {
  return cases.map((one) => ({
    id: one.id,
    reused: one.reused.map((stored) => stored.trial),
    rerun: one.rerun,
    why: one.why,
  }));
}

describe('explaining a resume', () => {
  test('says for every case what is reused, what is run again and why, in the order of the suite', async () => {
    const index = resumeIndex(readJournal(join(await interrupted(), 'journal.jsonl')));
    expect(plain(explainResume(NOW, index))).toEqual([
      { id: 'e', reused: [], rerun: [1, 2], why: 'new' },
      { id: 'a', reused: [1, 2], rerun: [], why: 'unchanged' },
      { id: 'b', reused: [2], rerun: [1], why: 'not finished' },
      { id: 'c', reused: [1], rerun: [2], why: 'errored' },
      { id: 'd', reused: [], rerun: [1, 2], why: 'not finished' },
      { id: 'f', reused: [], rerun: [1, 2], why: 'content changed' },
      { id: 'g', reused: [], rerun: [], why: 'removed from suite' },
    ]);
  });

  test('reuses no more trials than are wanted, and runs those that are wanted beyond', async () => {
    const index = resumeIndex(readJournal(join(await interrupted(), 'journal.jsonl')));
    expect(plain(explainResume([planned('a', 1)], index))[0]).toMatchObject({
      reused: [1],
      why: 'unchanged',
    });
    expect(plain(explainResume([planned('a', 3)], index))[0]).toMatchObject({
      reused: [1, 2],
      rerun: [3],
      why: 'not finished',
    });
  });

  test('reruns everything of an empty journal', () => {
    expect(plain(explainResume([planned('a')], resumeIndex([])))).toEqual([
      { id: 'a', reused: [], rerun: [1, 2], why: 'new' },
    ]);
  });

  test('is a pure function: the same entries give the same answer', async () => {
    const read = entries(join(await interrupted(), 'journal.jsonl'));
    expect(explainResume(NOW, resumeIndex(read))).toEqual(explainResume(NOW, resumeIndex(read)));
  });
});

describe('resuming a run', () => {
  test('hands out the reused trials as they were stored, and goes on in the same journal', async () => {
    const directory = await interrupted();
    const before = readFileSync(join(directory, 'journal.jsonl'));
    const { store, cases, problems } = await resume(directory, NOW);
    expect(problems).toEqual([]);
    const reused = cases.flatMap((one) => one.reused).map((one) => parseTrial(store.stored(one).json));
    expect(reused).toEqual([
      trial('a', 1),
      trial('a', 2, { status: 'failed', score: 0 }),
      trial('b', 2),
      trial('c', 1),
    ]);
    await store.append(trial('b', 1));
    await store.end(summary(store));
    const after = readFileSync(join(directory, 'journal.jsonl'));
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(
      entries(join(directory, 'journal.jsonl'))
        .slice(9)
        .map((one) => one.type),
    ).toEqual(['resume', 'plan', 'trial', 'end']);
  });

  test('keeps what does not belong to the run any more in the journal and out of the run', async () => {
    const directory = await interrupted();
    const { store } = await resume(directory, NOW);
    await store.close();
    const run = readRun(directory);
    expect([...run.cases()].map((one) => [one.id, one.trials.map((each) => each.trial)])).toEqual([
      ['a', [1, 2]],
      ['b', [2]],
      ['c', [1, 2]],
    ]);
    expect(run.find('g')).toBeNull();
    expect(entries(join(directory, 'journal.jsonl')).filter((one) => one.type === 'trial')).toHaveLength(7);
  });

  test('loses nothing when a resume selects one case only: the next one reuses the others', async () => {
    const directory = await interrupted();
    const first = await resume(directory, [planned('b')]);
    await first.store.append(trial('b', 1));
    await first.store.close();
    const second = await resume(directory, NOW);
    await second.store.close();
    expect(plain(second.cases).slice(1, 4)).toEqual([
      { id: 'a', reused: [1, 2], rerun: [], why: 'unchanged' },
      { id: 'b', reused: [1, 2], rerun: [], why: 'unchanged' },
      { id: 'c', reused: [1], rerun: [2], why: 'errored' },
    ]);
    expect(readRun(directory).find('a')?.trials).toHaveLength(2);
  });

  test('reuses the trials of a content that comes back', async () => {
    const directory = await interrupted();
    await (await resume(directory, [planned('a', 2, sha256('edited'))])).store.close();
    const back = await resume(directory, [planned('a')]);
    await back.store.close();
    expect(plain(back.cases)[0]).toMatchObject({ reused: [1, 2], why: 'unchanged' });
  });

  test('shows the trials of the content that was run last', async () => {
    const directory = await interrupted();
    const hash = sha256('edited');
    const { store } = await resume(directory, [planned('a', 1, hash)]);
    await store.append(trial('a', 1, { caseHash: hash, status: 'failed' }));
    await store.close();
    expect(readRun(directory).find('a')).toMatchObject({ hash, trials: [{ status: 'failed', trial: 1 }] });
  });

  test.each([1, 40, 20_000])(
    'cuts a torn last line of %i bytes off and appends after the last whole one',
    async (length) => {
      const directory = await interrupted();
      const path = join(directory, 'journal.jsonl');
      const size = statSync(path).size;
      appendFileSync(path, `{"type":"trial","x":"${'x'.repeat(length)}`.slice(0, length));
      const { store, problems } = await resume(directory, NOW);
      expect(problems).toEqual([{ line: 10, message: expect.stringContaining('cut off') }]);
      await store.append(trial('b', 1));
      await store.close();
      expect(entries(path).map((one) => one.type)).not.toContain('torn');
      expect(entries(path).map((one) => one.type)).not.toContain('broken');
      expect(readFileSync(path).subarray(size).toString()).toMatch(/^\{"type":"resume"/);
    },
  );

  test('goes on from any prefix of a journal that holds its header', async () => {
    const bytes = readFileSync(join(await interrupted(), 'journal.jsonl'));
    const headerEnd = bytes.indexOf(10) + 1;
    for (let length = headerEnd; length <= bytes.length; length += 41) {
      const directory = temporaryDirectory();
      const path = join(directory, 'journal.jsonl');
      writeFileSync(path, bytes.subarray(0, length));
      const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
      const { store } = await resume(directory, NOW);
      await store.append(trial('b', 1));
      await store.close();
      const after = readFileSync(path);
      expect(after.subarray(0, whole).equals(bytes.subarray(0, whole))).toBe(true);
      expect(after.subarray(whole).toString()).toMatch(/^\{"type":"resume"/);
      expect(entries(path).filter((one) => one.type === 'torn' || one.type === 'broken')).toEqual([]);
      expect(
        readRun(directory)
          .find('b')
          ?.trials.map((one) => one.trial),
      ).toContain(1);
    }
  });

  test('clears away what a killed writer left half-written', async () => {
    const directory = await interrupted();
    writeFileSync(join(directory, '.run.json.99999-1.tmp'), 'half');
    await (await resume(directory, NOW)).store.close();
    expect(readdirSync(directory)).toEqual(['journal.jsonl']);
  });

  test('goes on after a finished run as well', async () => {
    const store = await createRun(temporaryDirectory());
    await store.append(erroredTrial('a'));
    await store.end(summary(store));
    const again = await resume(store.directory, [planned('a', 1)]);
    expect(readRun(store.directory).summary).toBeNull();
    await again.store.append(trial('a', 1));
    await again.store.end(summary(store, { outcome: 'passed' }));
    expect(readRun(store.directory).summary).toMatchObject({ outcome: 'passed' });
    expect(readRun(store.directory).find('a')?.trials).toEqual([trial('a', 1)]);
  });

  test('says that there is nothing to resume', async () => {
    const directory = temporaryDirectory();
    expect(await failure(() => resume(directory, []))).toMatchObject({ code: 'RUN_NOT_FOUND' });
    writeFileSync(join(directory, 'journal.jsonl'), '{"type":"ru');
    expect(await failure(() => resume(directory, []))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('header'),
    });
    expect(readdirSync(directory)).toEqual(['journal.jsonl']);
  });

  test('refuses a journal of another version and leaves it as it is', async () => {
    const directory = await interrupted();
    const path = join(directory, 'journal.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('assay/journal/v1', 'assay/journal/v9'));
    const before = readFileSync(path);
    expect(await failure(() => resume(directory, NOW))).toMatchObject({ code: 'STORE' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual(['journal.jsonl']);
  });
});
