import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, jsonEqual, parseJson, type JsonValue } from '../../src/core/index.js';

/** Any JSON value, with keys from beyond the Basic Multilingual Plane. */
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 5 }),
  ),
})).value;

function shuffledKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shuffledKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffledKeys(member)]),
  );
}

/** The keys of an object as its JSON text has them. */
function keysIn(text: string): string[] {
  return Object.keys(JSON.parse(text) as object);
}

describe('canonicalJson', () => {
  it('sorts keys at every depth and leaves non-ASCII text as it is', () => {
    expect(canonicalJson({ b: 1, a: { d: 'é', c: [{ z: 1, y: 2 }] } })).toBe(
      '{"a":{"c":[{"y":2,"z":1}],"d":"é"},"b":1}',
    );
  });

  it('sorts by UTF-8 bytes, not by UTF-16 units', () => {
    // U+FF61 is EF BD A1 in UTF-8, U+10000 is F0 90 80 80; in UTF-16 the latter begins with D800 and would come first.
    expect(keysIn(canonicalJson({ '\u{10000}': 1, '\uff61': 2 }))).toEqual(['\uff61', '\u{10000}']);
  });

  it('leaves out what is undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('says the same of equal values however their keys are ordered, and parses back', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffledKeys(value))).toBe(text);
        const parsed = parseJson(text);
        expect(parsed.ok && jsonEqual(parsed.value, JSON.parse(JSON.stringify(value)) as JsonValue)).toBe(
          true,
        );
      }),
    );
  });

  it('sorts the keys of every object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.integer()), (value) => {
        const keys = [...canonicalJson(value).matchAll(/("(?:[^"\\]|\\.)*"):/g)].map(
          (match) => JSON.parse(match[1] ?? '""') as string,
        );
        const bytes = keys.map((key) => Buffer.from(key, 'utf8'));
        expect(bytes).toEqual(bytes.toSorted((left, right) => Buffer.compare(left, right)));
        expect(keys).toHaveLength(Object.keys(value).length);
      }),
    );
  });
});
