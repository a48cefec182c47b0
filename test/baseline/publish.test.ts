import * as fc from 'fast-check';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishNew, RecordDump, recordStem } from '../../src/baseline/index.js';
import { check, erroredTrial, failedTrial, recording, sampleCase, trial } from '../report/samples.js';
import { temporary } from './support.js';

let place = temporary();
beforeEach(() => (place = temporary()));
afterEach(() => place.remove());
const path = (name: string): string => join(place.root, name);
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path(name), 'utf8')) as Record<string, unknown>;

describe('publishing a file', () => {
  it('gives a private file under its name and leaves nothing else', () => {
    expect(publishNew(place.root, 'x', 'text')).toBe('x.json');
    expect(readFileSync(path('x.json'), 'utf8')).toBe('text');
    expect(statSync(path('x.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.root)).toEqual(['x.json']);
  });

  it('never overwrites: the next free name is taken', () => {
    writeFileSync(path('x.json'), 'first');
    symlinkSync(path('nowhere'), path('x_1.json'));
    mkdirSync(path('x_2.json'));
    expect(publishNew(place.root, 'x', 'mine')).toBe('x_3.json');
    expect(readFileSync(path('x.json'), 'utf8')).toBe('first');
    expect(existsSync(path('nowhere'))).toBe(false);
  });

  it('gives up after 1024 names and leaves nothing half-written', () => {
    for (let index = 0; index < 1024; index += 1)
      writeFileSync(path(`x${index === 0 ? '' : `_${index}`}.json`), '');
    expect(() => publishNew(place.root, 'x', 'mine')).toThrow(/1024 files named x/);
    expect(readdirSync(place.root)).toHaveLength(1024);
  });

  it('refuses a directory that is a link, a file, or not there', () => {
    mkdirSync(path('real'));
    symlinkSync(path('real'), path('link'));
    writeFileSync(path('plain'), '');
    for (const name of ['link', 'plain', 'none']) {
      expect(() => publishNew(path(name), 'x', 'text'), name).toThrow(/nothing is written to/);
    }
    expect(readdirSync(path('real'))).toEqual([]);
  });

  it('writes nowhere when the directory is swapped for another or for a link while it is written', () => {
    for (const swap of ['directory', 'link'] as const) {
      const home = path(`home-${swap}`);
      const elsewhere = path(`elsewhere-${swap}`);
      mkdirSync(home);
      mkdirSync(elsewhere);
      const attack = (): void => {
        renameSync(home, `${home}-moved`);
        if (swap === 'link') symlinkSync(elsewhere, home);
        else mkdirSync(home);
      };
      expect(() => publishNew(home, 'x', 'text', attack)).toThrow(/it was replaced/);
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(readdirSync(home)).toEqual([]);
      expect(readdirSync(`${home}-moved`)).toEqual([]);
    }
  });
});

describe('the file of a dumped case', () => {
  it.each([
    ['plain-1_2.x', 'plain-1_2.x'],
    ['a/b', 'a_b'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\x', 'C__x'],
    ['Ünïcode', '_n_code'],
    ['😀', '_'],
    ['a b\nc', 'a_b_c'],
    ['', '_'],
  ])('of %j is called %s', (id, stem) => {
    expect(recordStem(id)).toBe(stem);
  });

  it('is always one safe name of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (id) => {
        expect(recordStem(id)).toMatch(/^[A-Za-z0-9._-]{1,200}$/);
      }),
    );
  });

  it('keeps cases whose names become the same apart, and earlier dumps', () => {
    const directory = path('dumps');
    for (let run = 0; run < 2; run += 1) {
      const dump = new RecordDump(directory);
      for (const id of ['a/b', 'a b']) {
        const one = sampleCase(id, [trial()]);
        dump.add('suite', one.result, one.trials);
      }
    }
    expect(readdirSync(directory).toSorted()).toEqual(['a_b.json', 'a_b_1.json', 'a_b_2.json', 'a_b_3.json']);
    expect(read('dumps/a_b.json')['case_id']).toBe('a/b');
    expect(read('dumps/a_b_1.json')['case_id']).toBe('a b');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('has the keys of the reference, with what happened in the trial that stands for the case', () => {
    const call = {
      id: 'c1',
      name: 'echo',
      arguments: '{"message":"alpha"}',
      result: 'alpha',
      ok: true,
      turn: 0,
      startedAt: 0,
      durationMs: 2,
    };
    const one = sampleCase('a', [failedTrial({ recording: recording({ toolCalls: [call] }) })]);
    new RecordDump(path('d')).add('suite', one.result, one.trials);
    expect(read('d/a.json')).toMatchObject({
      case_id: 'a',
      error: null,
      repeat: null,
      grades: [{ check: 'response_contains("hello")', passed: false, detail: 'not in "bye"' }],
      record: {
        mode: 'replay',
        case_id: 'a',
        provider_ref: 'scripted',
        final_response: 'hello there',
        history: [],
        tool_calls: [{ name: 'echo', arguments: '{"message":"alpha"}', result: 'alpha', success: true }],
        tools_called: ['echo'],
        all_tools_succeeded: true,
        input_tokens: 10,
        output_tokens: 5,
        duration_ms: 20,
        llm_calls: 1,
      },
      schema: 'assay/record/v1',
      suite: 'suite',
      outcome: 'failed',
    });
  });

  it('has the receipt and the error of a case that could not be scored, and no answer', () => {
    const one = sampleCase('a', [erroredTrial()]);
    new RecordDump(path('d')).add('suite', one.result, one.trials);
    const dumped = read('d/a.json');
    expect(dumped).toMatchObject({ error: 'turn 1 asked for more than the script holds', grades: [] });
    expect(dumped['record']).toMatchObject({ case_id: 'a', provider_ref: 'scripted' });
    expect(dumped['record']).not.toHaveProperty('final_response');
  });

  it('has every trial of a repeated case, and its repeat block', () => {
    const one = sampleCase('a', [trial(), failedTrial(), trial()]);
    new RecordDump(path('d')).add('suite', one.result, one.trials);
    const dumped = read('d/a.json');
    expect(dumped['repeat']).toMatchObject({ k: 3, passes: 2, pass_hat_k: false });
    expect(dumped['trials']).toMatchObject([
      { outcome: 'passed' },
      { outcome: 'failed' },
      { outcome: 'passed' },
    ]);
    expect(dumped['grades']).toMatchObject([{ passed: false }]);
  });

  it('holds no key of the shape of a secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const one = sampleCase('a', [trial({ checks: [check({ evidence: secret })] })]);
    new RecordDump(path('d')).add('suite', one.result, one.trials);
    expect(readFileSync(path('d/a.json'), 'utf8')).not.toContain(secret);
  });

  it('is not written through a link', () => {
    mkdirSync(path('real'));
    symlinkSync(path('real'), path('link'));
    expect(() => new RecordDump(path('link'))).toThrow(/symbolic link/);
  });
});
