import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockOwner, takeLock } from '../../src/watch/index.js';

const CHILD = fileURLToPath(new URL('lock-child.mjs', import.meta.url));

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A process that is asked with words and answers with lines. */
class Contender {
  readonly child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(path: string) {
    const child = spawn(process.execPath, [CHILD, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    this.child = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  async answer(): Promise<string> {
    const next = await this.#answers.next();
    return next.done === true ? 'ended' : next.value;
  }

  ask(word: string): Promise<string> {
    this.child.stdin?.write(`${word}\n`);
    return this.answer();
  }

  async kill(): Promise<number> {
    const pid = this.child.pid ?? 0;
    const gone = new Promise((done) => {
      this.child.once('exit', done);
    });
    this.child.kill('SIGKILL');
    await gone;
    return pid;
  }
}

async function contender(path: string): Promise<Contender> {
  const made = new Contender(path);
  await made.answer();
  return made;
}

function ownerFile(path: string, changes: object, number = 1): void {
  const owner = {
    token: 't',
    pid: process.pid,
    start: null,
    host: hostname(),
    boot: null,
    since: '',
    child: null,
  };
  writeFileSync(
    join(path, `owner.${number}.json`),
    JSON.stringify({ ...owner, released: false, ...changes }),
  );
}

describe('the lock', () => {
  it('has one owner at a time, however many processes ask at once, and always one', async () => {
    const path = directory();
    const contenders = await Promise.all(Array.from({ length: 4 }, () => contender(path)));
    for (let round = 0; round < 40; round += 1) {
      const answers = await Promise.all(contenders.map((one) => one.ask('take')));
      expect(answers.filter((answer) => answer.startsWith('taken'))).toHaveLength(1);
      await Promise.all(contenders.map((one) => one.ask('give up')));
    }
    expect(lockOwner(path)).toBeNull();
  });

  it('goes from a dead owner to exactly one of those who ask', async () => {
    const path = directory();
    for (let round = 0; round < 3; round += 1) {
      const victim = await contender(path);
      await victim.ask('take');
      const pid = await victim.kill();
      const heirs = await Promise.all([contender(path), contender(path), contender(path)]);
      const answers = await Promise.all(heirs.map((one) => one.ask('take')));
      expect(answers.filter((answer) => answer === `taken from ${pid}`)).toHaveLength(1);
      expect(answers.filter((answer) => answer.startsWith('refused'))).toHaveLength(2);
      await Promise.all(heirs.map((one) => one.ask('give up')));
      await Promise.all(heirs.map((one) => one.kill()));
    }
  });

  it('is never taken from a living owner, however old it is', async () => {
    const path = directory();
    const owner = await contender(path);
    await owner.ask('take');
    const [name = ''] = readdirSync(path);
    const file = join(path, name);
    const old = new Date(0);
    utimesSync(file, old, old);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/"since":"[^"]*"/, '"since":"2001-01-01T00:00:00.000Z"'),
    );
    const answer = takeLock(path, Date.now());
    expect(answer).toMatchObject({ held: null, owner: { pid: owner.child.pid } });
  });

  it('is taken from a number that belongs to another process now', () => {
    const path = directory();
    ownerFile(path, { start: '1' });
    if (process.platform === 'linux') expect(takeLock(path, 0).held).not.toBeNull();
    else expect(takeLock(path, 0).held).toBeNull();
  });

  it('is taken from before the machine was started again', () => {
    const path = directory();
    ownerFile(path, { boot: 'another start' });
    if (process.platform === 'linux') expect(takeLock(path, 0).held).not.toBeNull();
  });

  it('is not taken from another host', () => {
    const path = directory();
    ownerFile(path, { host: 'elsewhere.example', pid: 2 ** 30 });
    expect(takeLock(path, 0).held).toBeNull();
  });

  it('is taken where its file is damaged, and the damaged file is not mistaken for the next one', () => {
    const path = directory();
    writeFileSync(join(path, 'owner.7.json'), '{"pid":');
    const answer = takeLock(path, 0);
    expect(answer.held).not.toBeNull();
    expect(readdirSync(path)).toEqual(['owner.8.json']);
  });

  it('gives nothing up that somebody else has meanwhile', () => {
    const path = directory();
    const first = takeLock(path, 0);
    first.held?.release();
    const second = takeLock(path, 0);
    first.held?.release();
    expect(second.held).not.toBeNull();
    expect(lockOwner(path)).toMatchObject({ pid: process.pid });
  });
});
