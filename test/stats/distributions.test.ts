import { describe, expect, it } from 'vitest';
import {
  betaCdf,
  betaQuantile,
  hashSeed,
  mulberry32,
  normalCdf,
  normalQuantile,
  quantileType7,
  seededRandom,
  studentTCdf,
  studentTQuantile,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const inside = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });
const shape = fc.double({ min: -1.5, max: 6, noNaN: true }).map((exponent) => 10 ** exponent);

describe('beta distribution', () => {
  it('inverts itself', () => {
    fc.assert(
      fc.property(inside, shape, shape, (q, a, b) => {
        const { x } = betaQuantile({ q, a, b });
        // very near an end the probability mass sits between neighbouring doubles
        if (x < 1e-290 || x > 1 - 1e-9) return;
        expect(betaCdf({ x, a, b }).p).toBeCloseTo(q, 9);
      }),
    );
  });

  it('turns around with its shapes', () => {
    fc.assert(
      fc.property(inside, shape, shape, (x, a, b) => {
        expect(betaCdf({ x, a, b }).p).toBeCloseTo(1 - betaCdf({ x: 1 - x, a: b, b: a }).p, 8);
      }),
    );
  });

  it('grows from 0 to 1', () => {
    fc.assert(
      fc.property(inside, inside, shape, shape, (x, y, a, b) => {
        const low = betaCdf({ x: Math.min(x, y), a, b }).p;
        expect(low).toBeLessThanOrEqual(betaCdf({ x: Math.max(x, y), a, b }).p + 1e-13);
      }),
    );
    expect(betaCdf({ x: 0, a: 2, b: 3 }).p).toBe(0);
    expect(betaCdf({ x: 1, a: 2, b: 3 }).p).toBe(1);
    expect(betaQuantile({ q: 0, a: 2, b: 3 }).x).toBe(0);
    expect(betaQuantile({ q: 1, a: 2, b: 3 }).x).toBe(1);
  });

  it('is the uniform distribution for both shapes 1, and a power for one of them', () => {
    fc.assert(
      fc.property(inside, shape, (x, a) => {
        expect(betaCdf({ x, a: 1, b: 1 }).p).toBeCloseTo(x, 13);
        expect(betaCdf({ x, a, b: 1 }).p).toBeCloseTo(x ** a, 12);
        expect(betaQuantile({ q: x, a, b: 1 }).x).toBeCloseTo(x ** (1 / a), 12);
      }),
    );
  });

  it('keeps the digits of probabilities far below rounding of 1', () => {
    expect(betaQuantile({ q: 1e-20, a: 1, b: 3 }).x / (1e-20 / 3)).toBeCloseTo(1, 13);
    expect(betaCdf({ x: 1e-20, a: 1, b: 3 }).p / 3e-20).toBeCloseTo(1, 13);
  });
});

describe('normal distribution', () => {
  it('inverts itself, also far out', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 8, noNaN: true }), (x) => {
        const { p } = normalCdf({ x });
        if (p < 1) expect(normalCdf({ x: normalQuantile({ p }).x }).p / p).toBeCloseTo(1, 10);
      }),
    );
  });

  it('is symmetric', () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
        expect(normalCdf({ x }).p).toBeCloseTo(1 - normalCdf({ x: -x }).p, 15);
      }),
    );
  });
});

describe("Student's t", () => {
  it('inverts itself and is symmetric', () => {
    fc.assert(
      fc.property(inside, fc.double({ min: 0.5, max: 1e6, noNaN: true }), (p, df) => {
        const { t } = studentTQuantile({ p, df });
        expect(studentTCdf({ t, df }).p).toBeCloseTo(p, 10);
        expect(studentTCdf({ t: -t, df }).p).toBeCloseTo(1 - p, 10);
      }),
    );
  });

  it('becomes the normal for many degrees of freedom', () => {
    for (const p of [0.001, 0.2, 0.5, 0.975]) {
      expect(studentTQuantile({ p, df: 1e12 }).t).toBeCloseTo(normalQuantile({ p }).x, 9);
      expect(studentTQuantile({ p, df: 1e300 }).t).toBe(normalQuantile({ p }).x);
    }
  });
});

describe('quantileType7', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 });

  it('lies between the extremes, which it reaches at 0 and 1, and does not mind the order', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, p) => {
        const { q } = quantileType7({ values: list, p });
        expect(q).toBeGreaterThanOrEqual(Math.min(...list));
        expect(q).toBeLessThanOrEqual(Math.max(...list));
        expect(quantileType7({ values: list.toReversed(), p }).q).toBeCloseTo(q, 15);
        expect(quantileType7({ values: list, p: 0 }).q).toBeCloseTo(Math.min(...list), 15);
        expect(quantileType7({ values: list, p: 1 }).q).toBeCloseTo(Math.max(...list), 15);
      }),
    );
  });

  it('leaves its input as it was', () => {
    const list = [3, 1, 2];
    quantileType7({ values: list, p: 0.5 });
    expect(list).toEqual([3, 1, 2]);
  });
});

describe('seeded random numbers', () => {
  it('repeat for a seed, differ between seeds and stay below 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        const { values } = mulberry32({ seed, count: 20 });
        const random = seededRandom(seed);
        expect(values.map(() => random())).toEqual(values);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...values)).toBeLessThan(1);
        expect(mulberry32({ seed: (seed + 1) % 2 ** 32, count: 20 }).values).not.toEqual(values);
      }),
    );
  });

  it('take the seed modulo 2^32', () => {
    const { values } = mulberry32({ seed: 42, count: 3 });
    expect(mulberry32({ seed: 42 + 2 ** 32, count: 3 }).values).toEqual(values);
    expect(mulberry32({ seed: 42 - 2 ** 32, count: 3 }).values).toEqual(values);
    expect(mulberry32({ seed: -1, count: 3 }).values).toEqual(
      mulberry32({ seed: 2 ** 32 - 1, count: 3 }).values,
    );
    expect(mulberry32({ seed: 42, count: 0 }).values).toEqual([]);
  });

  it('get a seed from a text by 32-bit FNV-1a', () => {
    expect(hashSeed('')).toBe(0x811c9dc5);
    expect(hashSeed('a')).toBe(0xe40c292c);
    expect(hashSeed('foobar')).toBe(0xbf9cf968);
    expect(hashSeed('é')).not.toBe(hashSeed('e\u0301'));
  });
});
