import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradeText } from './support.js';

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
