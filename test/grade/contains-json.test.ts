import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import { gradeText } from './support.js';

describe('contains-json', () => {
  it.each([
    'Hello {name}, welcome!',
    'set {foo: bar} in the file',
    "{'a': 1}",
    '{"a": 1,}',
    'an open { at the end',
    'if (x) { y(); }',
    '{"a": 1',
    'no brackets',
  ])('finds nothing in %j', (text) => {
    expect(gradeText('contains-json', {}, text)).toMatchObject({ outcome: 'fail' });
    expect(gradeText('contains-json', {}, text, { negated: true }).outcome).toBe('pass');
  });

  it.each([
    'out: {"a": "{"} end',
    'As shown [sic] the answer is {"ok":true}.',
    'He said "see {"ok":true}',
    '["x {"ok":true}',
    '["line\n", {"ok":true}]',
    '["tab\t", {"ok":true}]',
    '["\\x", {"ok":true}]',
    '["\\u12", {"ok":true}]',
    '[01, {"ok":true}]',
    '[.5, {"ok":true}]',
    '[tru, {"ok":true}]',
    'a [1, [2, {"ok": true} oops',
    '{"broken": [1, 2} {"ok": true}',
    '{"a":"\\u00e9\\n","b":[1.5e-3,-0,true,null]}',
    '```json\n{"ok": true}\n```',
    '[]',
  ])('finds a fragment in %j', (text) => {
    expect(gradeText('contains-json', {}, text).outcome).toBe('pass');
  });

  it('passes when any fragment contains the subset, and says which differs where when none does', () => {
    const text = 'first {"a":2}, then {"a":1,"b":[1,2,3]}';
    expect(gradeText('contains-json', { subset: { a: 1, b: [1, 2] } }, text)).toMatchObject({
      outcome: 'pass',
      evidence: 'the JSON at character 21 (an object with 2 keys) fits: {"a":1,"b":[1,2,3]}',
    });
    expect(gradeText('contains-json', { subset: { a: 3 } }, text).evidence).toBe(
      'none of 2 JSON fragments fits; the JSON at character 7 differs at /a: expected 3, found 2',
    );
    expect(gradeText('contains-json', { subset: { b: [2] } }, text).outcome).toBe('fail');
  });

  it('compares scalars strictly', () => {
    expect(gradeText('contains-json', { subset: { a: '1' } }, '{"a":1}').outcome).toBe('fail');
    expect(gradeText('contains-json', { subset: { a: null } }, '{"b":1}').outcome).toBe('fail');
    expect(gradeText('contains-json', { subset: { a: null } }, '{"a":null}').outcome).toBe('pass');
  });

  it('takes a schema as well', () => {
    const schema = { type: 'object', required: ['id'] };
    expect(gradeText('contains-json', { schema }, '{"x":1} {"id":2}').outcome).toBe('pass');
    expect(gradeText('contains-json', { schema, subset: { x: 1 } }, '{"x":1} {"id":2}').outcome).toBe('fail');
    expect(gradeText('contains-json', { schema }, '{"x":1}').evidence).toContain('breaks the schema');
  });

  it('finds an object of more than 100,000 characters', () => {
    const big = JSON.stringify({ items: Array.from({ length: 30_000 }, (_, index) => index), end: true });
    expect(big.length).toBeGreaterThan(100_000);
    expect(gradeText('contains-json', { subset: { end: true } }, `see ${big}!`).outcome).toBe('pass');
  });

  it.each([
    ['[', 200_000],
    ['{', 200_000],
    ['{"a":', 60_000],
    ['[1,', 100_000],
    ['["', 100_000],
    ['["[', 80_000],
    ['["a",[', 50_000],
    ['{"[":"{', 40_000],
    ['"[', 100_000],
    ['["\\"[', 50_000],
    ['[{}', 80_000],
    ['{"":[', 60_000],
    ['{}', 100_000],
    ['[[]', 80_000],
  ])('reads %j a great many times without taking quadratic time', (piece, times) => {
    const check = gradeText('contains-json', { subset: { never: 'there' } }, piece.repeat(times));
    expect(check.outcome).toBe('fail');
  });

  it('reads what is nested deeper than the stack, and fails or passes on it', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(gradeText('contains-json', {}, deep).outcome).toBe('pass');
    expect(gradeText('contains-json', { subset: { a: 1 } }, deep)).toMatchObject({ outcome: 'fail' });
    expect(gradeText('equals', { value: { a: 1 } }, deep)).toMatchObject({ outcome: 'fail' });
    expect(gradeText('is-json', {}, deep).outcome).toBe('pass');
  });

  it('finds exactly the fragments that a slow, obvious search finds', () => {
    const slowFragments = (text: string): JsonValue[] => {
      const found: JsonValue[] = [];
      let start = 0;
      search: while (start < text.length) {
        if (text[start] === '{' || text[start] === '[') {
          for (let end = start + 2; end <= text.length; end += 1) {
            try {
              const value: JsonValue = JSON.parse(text.slice(start, end));
              found.push(value);
              start = end;
              continue search;
            } catch {
              // Not yet, or never.
            }
          }
        }
        start += 1;
      }
      return found;
    };
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '1',
      '-',
      '.',
      'e',
      'true',
      'a',
      ' ',
      '\n',
      '"a":',
      'u00e9',
    ];
    const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));
    const json = fc
      .array(fc.oneof(soup, fc.json({ maxDepth: 2 }), fc.constantFrom('[sic] ', ' "', ' {x} ')), {
        maxLength: 6,
      })
      .map((parts) => parts.join(''));
    const text = fc.oneof(soup, json).filter((value) => value.trim() !== '');
    fc.assert(
      fc.property(text, (value) => {
        const found = slowFragments(value.trim());
        const plain = gradeText('contains-json', {}, value);
        expect(plain.outcome).toBe(found.length > 0 ? 'pass' : 'fail');
        const none = gradeText('contains-json', { subset: { '\u0000': 'never' } }, value);
        const count = `none of ${found.length} JSON fragment${found.length === 1 ? '' : 's'} fits`;
        if (found.length > 0) expect(none.evidence.startsWith(count)).toBe(true);
        for (const subset of found) {
          expect(gradeText('contains-json', { subset }, value).outcome).toBe('pass');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
