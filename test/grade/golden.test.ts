import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AssayError, type CheckSpecOf } from '../../src/core/index.js';
import { updateGoldenFile } from '../../src/grade/index.js';
import { answered, graded, spec, temporaryDirectory } from './support.js';

function golden(content: string | null, parameters: { trim?: boolean; negated?: boolean } = {}) {
  const directory = temporaryDirectory();
  const path = join(directory, 'golden', 'answer.txt');
  if (content !== null) {
    mkdirSync(join(directory, 'golden'));
    writeFileSync(path, content);
  }
  const { negated = false, ...text } = parameters;
  const made = spec('matches-file', { path, ...text }, { negated });
  if (made.type !== 'matches-file') throw new Error('not a golden check');
  const check: CheckSpecOf<'matches-file'> = made;
  return { path, check, grade: (text: string) => graded(check, answered(text)) };
}

describe('matches-file', () => {
  it('passes on the same text, whatever the line ends', () => {
    expect(golden('one\r\ntwo\r\n').grade('one\ntwo')).toMatchObject({
      outcome: 'pass',
      evidence: 'matches the golden file "answer.txt"',
    });
    expect(golden('one\ntwo\n').grade('one\r\ntwo\r\n').outcome).toBe('pass');
    expect(golden('one\n', { trim: false }).grade('one').outcome).toBe('fail');
  });

  it('shows a short diff where it differs', () => {
    const check = golden('one\ntwo\nthree\n').grade('one\nzwei\nthree');
    expect(check.outcome).toBe('fail');
    expect(check.evidence).toContain('-two\n+zwei');
  });

  it('clips the diff of long texts', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`).join('\n');
    const check = golden(lines('old')).grade(lines('new'));
    expect(check.outcome).toBe('fail');
    expect(check.evidence.length).toBeLessThan(4000);
  });

  it('makes an error of a file that is missing or no text, and says how to write it', () => {
    expect(golden(null).grade('x')).toMatchObject({
      outcome: 'error',
      evidence: 'the golden file "answer.txt" is missing; run with --update to write it',
    });
    const { path, grade } = golden('x');
    writeFileSync(path, Buffer.from([0xff, 0xfe]));
    expect(grade('x').outcome).toBe('error');
    expect(golden(null, { negated: true }).grade('x').outcome).toBe('error');
  });

  it('flips under not-', () => {
    expect(golden('x', { negated: true }).grade('x').outcome).toBe('fail');
    expect(golden('x', { negated: true }).grade('y').outcome).toBe('pass');
  });
});

describe('updateGoldenFile', () => {
  it('writes what the check then passes on, and leaves nothing else behind', () => {
    const { path, check, grade } = golden(null);
    expect(updateGoldenFile(check, answered(' one\r\ntwo '))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(join(path, '..'))).toEqual(['answer.txt']);
    expect(grade(' one\r\ntwo ').outcome).toBe('pass');
    expect(updateGoldenFile(check, answered(' one\r\ntwo '))).toBe(false);
  });

  it('keeps an untrimmed text as it is', () => {
    const { path, check, grade } = golden('old', { trim: false });
    expect(updateGoldenFile(check, answered(' new'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(' new');
    expect(grade(' new').outcome).toBe('pass');
  });

  it('refuses an empty text and a negated check', () => {
    expect(() => updateGoldenFile(golden(null).check, answered(' '))).toThrow(AssayError);
    expect(() => updateGoldenFile(golden(null, { negated: true }).check, answered('x'))).toThrow(/negated/);
  });

  it('says what could not be written', () => {
    const { path, check } = golden(null);
    mkdirSync(path, { recursive: true });
    expect(() => updateGoldenFile(check, answered('x'))).toThrow(/cannot write the golden file "answer.txt"/);
    expect(readdirSync(join(path, '..'))).toEqual(['answer.txt']);
  });
});
