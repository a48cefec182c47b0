import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answered, graded, gradeText, spec } from './support.js';

describe('contains', () => {
  it('passes on a substring and says where, counted in characters', () => {
    expect(gradeText('contains', { value: 'x' }, '🙂🙂 is x')).toMatchObject({
      type: 'contains',
      outcome: 'pass',
      score: 1,
      evidence: 'contains "x" at character 7',
    });
  });

  it('fails without it and quotes the whole response', () => {
    const check = gradeText('contains', { value: 'x' }, 'line one\n"two"');
    expect(check).toMatchObject({
      outcome: 'fail',
      score: 0,
      evidence: 'does not contain "x": response was "line one\\n\\"two\\""',
    });
  });

  it('is case-sensitive and does not normalise unless asked', () => {
    expect(gradeText('contains', { value: 'Paris' }, 'paris').outcome).toBe('fail');
    expect(gradeText('contains', { value: 'cafe\u0301' }, 'caf\u00e9').outcome).toBe('fail');
    expect(gradeText('contains', { value: 'cafe\u0301', normalize: 'NFC' }, 'caf\u00e9').outcome).toBe(
      'pass',
    );
    expect(gradeText('contains', { value: 'fi', normalize: 'NFKC' }, 'of\ufb01ce').outcome).toBe('pass');
  });

  it('grades the text as it is when it does not trim', () => {
    expect(gradeText('contains', { value: ' yes', trim: false }, ' yes ').outcome).toBe('pass');
    expect(gradeText('contains', { value: ' yes', trim: true }, ' yes ').outcome).toBe('fail');
  });

  it('says the right thing under not-, in both directions', () => {
    expect(gradeText('contains', { value: 'x' }, 'text ... x', { negated: true })).toMatchObject({
      type: 'not-contains',
      outcome: 'fail',
      score: 0,
      evidence: 'contains "x" at character 3',
    });
    expect(gradeText('contains', { value: 'q' }, 'text', { negated: true })).toMatchObject({
      outcome: 'pass',
      score: 1,
      evidence: 'does not contain "q": response was "text"',
    });
  });
});

describe('which text is graded', () => {
  const recording = answered(['first', 'second']);

  it('is the last turn, or the named one', () => {
    expect(graded(spec('contains', { value: 'second' }), recording).outcome).toBe('pass');
    expect(graded(spec('contains', { value: 'first' }), recording).outcome).toBe('fail');
    expect(graded(spec('contains', { value: 'first' }, { turn: 0 }), recording).outcome).toBe('pass');
  });

  it('is an error when that turn was never reached, also under not-', () => {
    for (const negated of [false, true]) {
      expect(graded(spec('contains', { value: 'x' }, { turn: 2, negated }), recording)).toMatchObject({
        outcome: 'error',
        score: 0,
        evidence: 'turn 3 was not reached: the recording has 2 turns',
      });
    }
  });
});

describe('an empty text', () => {
  const checks = [
    spec('contains', { value: 'x' }),
    spec('max-length', { limit: 5 }),
    spec('equals', { value: '' }),
    spec('regex', { pattern: '', flags: '', dialect: 're2' }),
    spec('is-json', {}),
    spec('levenshtein', { value: 'ab', maxDistance: 3 }),
    spec('word-count', { max: 3 }),
    spec('json-pointer', { pointer: '', value: 1 }),
  ];

  it.each(['', ' \n\t ', '\ufeff'])('%j fails every text check in both polarities', (text) => {
    for (const check of checks) {
      for (const negated of [false, true]) {
        expect(graded({ ...check, negated }, answered(text))).toMatchObject({
          outcome: 'fail',
          score: 0,
          evidence: 'the response is empty',
        });
      }
    }
  });

  it('is graded like any text where the case allows it', () => {
    const context = { emptyText: 'grade' } as const;
    expect(graded(spec('max-length', { limit: 5 }), answered(''), context).outcome).toBe('pass');
    expect(graded(spec('contains', { value: 'x' }), answered(''), context).outcome).toBe('fail');
    expect(graded(spec('contains', { value: 'x' }, { negated: true }), answered(''), context).outcome).toBe(
      'pass',
    );
  });

  it('is what a recording without turns has', () => {
    expect(graded(spec('contains', { value: 'x' }), answered([])).evidence).toBe('the response is empty');
  });
});

describe('icontains folds case in full', () => {
  it.each([
    ['İSTANBUL', 'istanbul'],
    ['ISTANBUL', 'i\u0307stanbul'],
    ['STRASSE', 'straße'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ ΤΗΣ', 'οδοσ'],
    ['οδος', 'ΟΔΟΣ'],
    ['ΟΔΟΣΤΗΣ', 'οδος'],
    ['OFFICE', 'oﬃce'],
    ['of\ufb01ce', 'OFFICE'],
    ['\u212a', 'k'],
    ['ſ', 'S'],
    ['ꮳ', 'Ꮳ'],
  ])('%s contains %s', (text, value) => {
    expect(gradeText('icontains', { value }, text).outcome).toBe('pass');
  });

  it.each([
    ['ısı', 'isi'],
    ['ż'.normalize('NFD'), 'zz'],
    ['naive', 'naïve'],
  ])('%s does not contain %s', (text, value) => {
    expect(gradeText('icontains', { value }, text)).toMatchObject({ outcome: 'fail' });
  });

  it('finds every text in its own upper and lower case', () => {
    // The dotless i is a letter of its own under full folding, although its capital is the plain I.
    const text = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((value) => value.trim() !== '' && !value.includes('\u0131'));
    fc.assert(
      fc.property(text, (value) => {
        const trimmed = value.trim();
        expect(gradeText('icontains', { value: trimmed.toLowerCase() }, trimmed.toUpperCase()).outcome).toBe(
          'pass',
        );
      }),
    );
  });
});

describe('lists of texts', () => {
  it('contains-all needs every value and lists what is missing', () => {
    expect(gradeText('contains-all', { values: ['a', 'b'] }, 'a b').outcome).toBe('pass');
    expect(gradeText('contains-all', { values: ['a', 'y', 'z'] }, 'a b')).toMatchObject({
      outcome: 'fail',
      score: 0,
      evidence: 'does not contain "y", "z": response was "a b"',
    });
  });

  it('contains-any needs one value and names the one it found', () => {
    expect(gradeText('contains-any', { values: ['z', 'b'] }, 'a b').evidence).toBe(
      'contains "b" at character 3',
    );
    expect(gradeText('contains-any', { values: ['y', 'z'] }, 'a b')).toMatchObject({
      outcome: 'fail',
      evidence: 'contains none of "y", "z": response was "a b"',
    });
  });

  it('not-contains-any fails when a forbidden word is there', () => {
    const forbidden = { values: ['delve', 'robust'] };
    expect(gradeText('contains-any', forbidden, 'a robust plan', { negated: true }).outcome).toBe('fail');
    expect(gradeText('contains-any', forbidden, 'a plan', { negated: true }).outcome).toBe('pass');
  });

  it('an empty list is an error in either polarity', () => {
    for (const negated of [false, true]) {
      expect(gradeText('contains-all', { values: [] }, 'a', { negated }).outcome).toBe('error');
      expect(gradeText('contains-any', { values: [] }, 'a', { negated }).outcome).toBe('error');
    }
  });
});

describe('starts-with and ends-with', () => {
  it('ignore white space at the ends of a trimmed answer', () => {
    expect(gradeText('starts-with', { value: 'Yes' }, '\n Yes, no').outcome).toBe('pass');
    expect(gradeText('ends-with', { value: 'no' }, 'Yes, no \n').outcome).toBe('pass');
  });

  it('fail otherwise, with the response', () => {
    expect(gradeText('starts-with', { value: 'no' }, 'Yes, no').evidence).toBe(
      'does not start with "no": response was "Yes, no"',
    );
    expect(gradeText('ends-with', { value: 'Yes' }, 'Yes, no').evidence).toBe(
      'does not end with "Yes": response was "Yes, no"',
    );
  });

  it('look at the untrimmed text when the check does not trim', () => {
    expect(gradeText('starts-with', { value: 'Yes', trim: false }, ' Yes').outcome).toBe('fail');
    expect(gradeText('ends-with', { value: ' ', trim: false }, 'Yes ').outcome).toBe('pass');
  });
});
