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
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => value.trim() !== '');
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

describe('equals on text', () => {
  it('trims both sides', () => {
    expect(gradeText('equals', { value: ' Paris\n' }, 'Paris ').outcome).toBe('pass');
    expect(gradeText('equals', { value: 'Paris ', trim: false }, 'Paris').outcome).toBe('fail');
  });

  it('names the first difference', () => {
    expect(gradeText('equals', { value: 'a 🙂 c' }, 'a 🙃 c').evidence).toBe(
      'differs at character 3: expected "🙂 c", found "🙃 c"',
    );
    expect(gradeText('equals', { value: 'abc' }, 'abcd').evidence).toBe(
      'differs at character 4: expected the end of the text, found "d"',
    );
  });

  it('not-equals fails on the same text', () => {
    expect(gradeText('equals', { value: 'Hello' }, 'Hello', { negated: true })).toMatchObject({
      outcome: 'fail',
      evidence: 'equals "Hello"',
    });
    expect(gradeText('equals', { value: 'Hello' }, 'Hallo', { negated: true }).outcome).toBe('pass');
  });

  it('takes outputs such as false and 0 for what they are', () => {
    expect(gradeText('equals', { value: 'false' }, 'false').outcome).toBe('pass');
    expect(gradeText('equals', { value: '0' }, '0').outcome).toBe('pass');
  });
});

describe('lengths count UTF-16 units', () => {
  it('pass at the limit and fail one beyond', () => {
    expect(gradeText('max-length', { limit: 2 }, '🙂').outcome).toBe('pass');
    expect(gradeText('max-length', { limit: 1 }, '🙂')).toMatchObject({
      outcome: 'fail',
      evidence: 'length is 2, the upper limit 1',
    });
    expect(gradeText('min-length', { limit: 3 }, 'abc').outcome).toBe('pass');
    expect(gradeText('min-length', { limit: 4 }, 'abc').evidence).toBe('length is 3, the lower limit 4');
  });
});

describe('word-count', () => {
  it.each([
    ['one  two\nthree', 3],
    ['well-known - fact', 3],
    ['我喜欢学习', 3],
    ['Das Wort 世界 steht hier', 5],
    ['ฉันรักภาษาไทย', 4],
  ])('%s has %i words', (text, words) => {
    expect(gradeText('word-count', { exact: words }, text).outcome).toBe('pass');
    expect(gradeText('word-count', { exact: words + 1 }, text).outcome).toBe('fail');
    expect(gradeText('word-count', { min: words, max: words }, text).outcome).toBe('pass');
  });

  it('checks every bound that is given and says them', () => {
    expect(gradeText('word-count', { min: 2, max: 3 }, 'a b c d')).toMatchObject({
      outcome: 'fail',
      evidence: '4 words, the bound is at least 2 and at most 3',
    });
    expect(gradeText('word-count', { min: 2 }, 'a').outcome).toBe('fail');
    expect(gradeText('word-count', {}, 'a').outcome).toBe('error');
  });
});

describe('levenshtein', () => {
  it('passes at the limit and fails beyond', () => {
    expect(gradeText('levenshtein', { value: 'kitten', maxDistance: 3 }, 'sitting').outcome).toBe('pass');
    expect(gradeText('levenshtein', { value: 'kitten', maxDistance: 2 }, 'sitting').evidence).toBe(
      'edit distance is 3, the upper limit 2: response was "sitting"',
    );
  });

  it('counts characters, not UTF-16 units', () => {
    expect(gradeText('levenshtein', { value: '🙂🙂', maxDistance: 1 }, '🙂🚀').outcome).toBe('pass');
    expect(gradeText('levenshtein', { value: 'a', maxDistance: 1 }, '🙂').outcome).toBe('pass');
  });

  it('flips under not-', () => {
    expect(
      gradeText('levenshtein', { value: 'hello', maxDistance: 1 }, 'hello', { negated: true }).outcome,
    ).toBe('fail');
  });

  it('is an error, not a hang, on texts that are too long, and decides by length where that is enough', () => {
    const long = 'ab'.repeat(15_000);
    expect(gradeText('levenshtein', { value: 'ba'.repeat(15_000), maxDistance: 5 }, long).outcome).toBe(
      'error',
    );
    expect(gradeText('levenshtein', { value: 'ab', maxDistance: 5 }, long)).toMatchObject({
      outcome: 'fail',
    });
  });

  it('agrees with the definition', () => {
    const distance = (left: string[], right: string[]): number => {
      const [first, ...leftRest] = left;
      const [other, ...rightRest] = right;
      if (first === undefined) return right.length;
      if (other === undefined) return left.length;
      if (first === other) return distance(leftRest, rightRest);
      return (
        1 + Math.min(distance(leftRest, right), distance(left, rightRest), distance(leftRest, rightRest))
      );
    };
    const word = fc.array(fc.constantFrom('a', 'b', '🙂', '🙃'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        const edits = distance(left, right);
        const parameters = { value: left.join('') };
        const at = gradeText('levenshtein', { ...parameters, maxDistance: edits }, right.join(''));
        expect(at.outcome).toBe('pass');
        if (edits === 0) return;
        const below = gradeText('levenshtein', { ...parameters, maxDistance: edits - 1 }, right.join(''));
        expect(below.outcome).toBe('fail');
      }),
    );
  });
});
