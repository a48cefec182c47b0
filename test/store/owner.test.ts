import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRun, failure, header, temporaryDirectory, trial } from './builders.js';
import { interrupted, NOW, planned, resume } from './resumption.js';

const CHILD = fileURLToPath(new URL('owner-child.mjs', import.meta.url));

/** A process that is asked with words and answers with lines. */
class Contender {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(directory: string) {
    const child = spawn(process.execPath, [CHILD, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    this.#child = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async answer(): Promise<string> {
    const next = await this.#answers.next();
    return next.done === true ? 'ended' : next.value;
  }

  ask(word: string): Promise<string> {
    this.#child.stdin?.write(`${word}\n`);
    return this.answer();
  }
}

test('of many processes that take a dead run at the same moment at most one gets it', async () => {
  const store = await createRun(temporaryDirectory());
  await store.append(trial('a'));
  await store.close();
  const { directory } = store;
  const contenders = Array.from({ length: 4 }, () => new Contender(directory));
  await Promise.all(contenders.map((one) => one.answer()));
  let taken = 0;
  for (let round = 0; round < 60; round += 1) {
    if (round % 2 === 0) {
      const mark = { pid: 2 ** 30, host: hostname(), startedAt: '2026-03-01T10:00:00.000Z', process: null };
      writeFileSync(join(directory, 'owner.json'), JSON.stringify(mark));
    }
    const answers = await Promise.all(contenders.map((one) => one.ask('take')));
    const winners = answers.filter((answer) => answer === 'taken').length;
    expect(answers.filter((answer) => answer !== 'taken' && answer !== 'refused')).toEqual([]);
    expect(winners).toBeLessThanOrEqual(1);
    taken += winners;
    await Promise.all(contenders.map((one) => one.ask('give up')));
  }
  expect(taken).toBeGreaterThan(0);
  expect(readdirSync(directory).filter((name) => name !== 'journal.jsonl' && name !== 'owner.json')).toEqual(
    [],
  );
  const [alone] = contenders;
  expect(await alone?.ask('take')).toBe('taken');
});

describe('a run that is still going', () => {
  test('is not resumed, and the error names its process', async () => {
    const store = await createRun(temporaryDirectory());
    expect(await failure(() => resume(store.directory, []))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining(`process ${process.pid} `),
      fix: expect.stringContaining(`kill -INT ${process.pid}`),
    });
    await store.append(trial('a'));
    await store.close();
    const { store: again } = await resume(store.directory, [planned('a', 1)]);
    await again.close();
  });

  function owner(directory: string, changes: object): void {
    const mark = { pid: process.pid, host: hostname(), startedAt: '2026-03-01T10:00:00.000Z', process: null };
    writeFileSync(join(directory, 'owner.json'), JSON.stringify({ ...mark, ...changes }));
  }

  test('is taken over from a process that is gone', async () => {
    const directory = await interrupted();
    // Above the largest process number any system gives out.
    owner(directory, { pid: 2 ** 30 });
    await (await resume(directory, NOW)).store.close();
    expect(readdirSync(directory)).toEqual(['journal.jsonl']);
  });

  test('is taken over from a mark that was left unfinished', async () => {
    const directory = await interrupted();
    writeFileSync(join(directory, 'owner.json'), '{"pid":');
    await (await resume(directory, NOW)).store.close();
    expect(readdirSync(directory)).toEqual(['journal.jsonl']);
  });

  test('is not taken from a process on another host, unless that is forced', async () => {
    const directory = await interrupted();
    owner(directory, { pid: 2 ** 30, host: 'elsewhere.example' });
    expect(await failure(() => resume(directory, NOW))).toMatchObject({
      code: 'STORE',
      message: expect.stringContaining('on elsewhere.example'),
      fix: expect.stringContaining('owner.json'),
    });
    await (await resume(directory, NOW, { force: true })).store.close();
  });

  test('is taken over when its number belongs to another process now', async () => {
    const directory = await interrupted();
    owner(directory, { process: '1' });
    if (process.platform === 'linux') {
      await (await resume(directory, NOW)).store.close();
    } else {
      expect(await failure(() => resume(directory, NOW))).toMatchObject({ code: 'STORE' });
    }
  });

  test('leaves the mark of whoever took it by force', async () => {
    const store = await createRun(temporaryDirectory(), { header: header() });
    owner(store.directory, { pid: process.ppid });
    await store.close();
    expect(readdirSync(store.directory)).toContain('owner.json');
  });
});
