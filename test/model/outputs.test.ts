import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssayError, systemSource } from '../../src/core/index.js';
import { readOutputs, resolveModel } from '../../src/model/index.js';
import { ask, callModel, failureOf, testServices } from './support.js';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-outputs-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

let files = 0;

async function write(content: string | Buffer): Promise<string> {
  files += 1;
  const file = join(directory, `outputs-${files}.jsonl`);
  await writeFile(file, content);
  return file;
}

async function problemsOf(content: string | Buffer) {
  const file = await write(content);
  try {
    await readOutputs(file);
  } catch (error) {
    if (AssayError.isInstance(error)) {
      expect(error.code).toBe('INPUT');
      return error.problems.map(({ line, column, key, message, fix }) => ({
        line,
        column,
        key,
        message,
        fix,
      }));
    }
  }
  throw new Error('the file was accepted');
}

describe('a file of stored outputs', () => {
  test('gives each answer by case and trial, an empty one as empty, a missing one as undefined', async () => {
    const file = await write(
      '\ufeff{"id":"b","trial":2,"output":"second"}\r\n\n{"id":"b","trial":1,"output":""}\n  \n{"id":"a","trial":1,"output":"é\\n🎉"}',
    );
    const outputs = await readOutputs(file);
    expect(outputs.size).toBe(3);
    expect(outputs.get('b', 2)).toBe('second');
    expect(outputs.get('b', 1)).toBe('');
    expect(outputs.get('b', 3)).toBeUndefined();
    expect(outputs.get('__proto__', 1)).toBeUndefined();
    expect([...outputs.trials()]).toEqual([
      ['b', [1, 2]],
      ['a', [1]],
    ]);
  });

  test('is refused with every problem at once, each with its line and column', async () => {
    const lines = [
      '{"id":"a","trial":1,"output":"x"}',
      '{"id":"a","trial":1,',
      '["a",1,"x"]',
      '{"id":"a","trail":1,"output":"x"}',
      '{"id":"","trial":0,"output":{"text":"x"}}',
      '{"id":"a","trial":1.5,"output":"x"}',
      '{"id":"a","trial":"1","output":null}',
      '{"id":"a","trial":1,"output":"again"}',
    ];
    const problems = await problemsOf(lines.join('\n'));
    expect(problems.map(({ line, column, key }) => [line, column, key])).toEqual([
      [2, expect.any(Number), ''],
      [3, 1, ''],
      [4, 11, 'trail'],
      [4, 1, 'trial'],
      [5, 2, 'id'],
      [5, 10, 'trial'],
      [5, 20, 'output'],
      [6, 11, 'trial'],
      [7, 11, 'trial'],
      [7, 23, 'output'],
      [8, 11, 'trial'],
    ]);
    expect(problems[2]?.fix).toBe('did you mean trial?');
    expect(problems.at(-1)?.message).toBe('trial 1 of "a" is here twice, first in line 1');
  });

  test('that is not UTF-8, empty or absent is refused', async () => {
    expect(await problemsOf(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject([
      { line: 1, message: 'not UTF-8 text' },
    ]);
    expect(await problemsOf('\n \n')).toMatchObject([{ line: null, message: 'holds no outputs' }]);
    await expect(readOutputs(join(directory, 'absent.jsonl'))).rejects.toMatchObject({ code: 'INPUT' });
  });
});

describe('stored outputs as a model', () => {
  test('answer by case and trial; an absent one is an error for that trial, never an empty text', async () => {
    const file = await write('{"id":"a","trial":1,"output":"one"}\n{"id":"a","trial":2,"output":""}\n');
    const context = { directory, environment: {}, source: systemSource() };
    const resolved = await resolveModel(`outputs:${file}`, context);
    const answer = (trialIndex: number, caseId = 'a') =>
      callModel(resolved, ask('whatever', { trialIndex, caseId }), testServices());
    expect((await answer(1)).text).toBe('one');
    expect((await answer(2)).text).toBe('');
    for (const missing of [answer(3), answer(1, 'b')]) {
      const error = await failureOf(missing);
      expect(error.kind).toBe('outputs');
      expect(error.tries).toHaveLength(1);
    }
  });

  test('a broken file is refused when the model is resolved', async () => {
    const file = await write('{}');
    const context = { directory, environment: {}, source: systemSource() };
    await expect(resolveModel(`outputs:${file}`, context)).rejects.toMatchObject({ code: 'INPUT' });
  });
});
