import { describe, expect, it } from 'vitest';
import {
  bayesPassK,
  estimatorExpectation,
  naivePassAtK,
  naivePassHatK,
  passAtK,
  passHatK,
  suitePassK,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const trials = fc
  .integer({ min: 1, max: 60 })
  .chain((n) =>
    fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }),
  );
const rate = fc.double({ min: 0, max: 1, noNaN: true });

describe('pass@k and pass^k', () => {
  it('are mirror images: some pass is not all fail', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        expect(passAtK({ n, c, k }).value).toBeCloseTo(1 - passHatK({ n, c: n - c, k }).value, 13);
      }),
    );
  });

  it('are both the plain pass rate at k = 1', () => {
    fc.assert(
      fc.property(trials, ({ n, c }) => {
        expect(passAtK({ n, c, k: 1 }).value).toBe(c / n);
        expect(passHatK({ n, c, k: 1 }).value).toBeCloseTo(c / n, 15);
      }),
    );
  });

  it('say any passed and all passed at k = n', () => {
    fc.assert(
      fc.property(trials, ({ n, c }) => {
        expect(passAtK({ n, c, k: n }).value).toBe(c > 0 ? 1 : 0);
        expect(passHatK({ n, c, k: n }).value).toBe(c === n ? 1 : 0);
      }),
    );
  });

  it('move apart as k grows and stay in 0..1', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        const any = passAtK({ n, c, k }).value;
        const all = passHatK({ n, c, k }).value;
        expect(all).toBeGreaterThanOrEqual(0);
        expect(any).toBeLessThanOrEqual(1);
        expect(all).toBeLessThanOrEqual(any + 1e-15);
        if (k === n) return;
        expect(passAtK({ n, c, k: k + 1 }).value).toBeGreaterThanOrEqual(any - 1e-15);
        expect(passHatK({ n, c, k: k + 1 }).value).toBeLessThanOrEqual(all + 1e-15);
      }),
    );
  });

  it('grow with the passes', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        if (c === n) return;
        expect(passAtK({ n, c: c + 1, k }).value).toBeGreaterThanOrEqual(passAtK({ n, c, k }).value - 1e-15);
        expect(passHatK({ n, c: c + 1, k }).value).toBeGreaterThanOrEqual(
          passHatK({ n, c, k }).value - 1e-15,
        );
      }),
    );
  });

  it('do not care which of passes and draws is which: C(n-c,k)/C(n,k) is symmetric', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        if (c > 0) expect(passAtK({ n, c, k }).value).toBeCloseTo(passAtK({ n, c: k, k: c }).value, 13);
      }),
    );
  });

  it('are unbiased, while the plug-in forms are biased low and high', () => {
    fc.assert(
      fc.property(trials, rate, ({ n, k }, p) => {
        const means = estimatorExpectation({ n, k, p });
        expect(means.unbiasedPassAtK).toBeCloseTo(means.truePassAtK, 12);
        expect(means.unbiasedPassHatK).toBeCloseTo(means.truePassHatK, 12);
        expect(means.naivePassAtK).toBeLessThanOrEqual(means.truePassAtK + 1e-12);
        expect(means.naivePassHatK).toBeGreaterThanOrEqual(means.truePassHatK - 1e-12);
      }),
    );
  });

  it('bracket the plug-in forms on the same data', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        expect(naivePassAtK({ n, c, k }).value).toBeLessThanOrEqual(passAtK({ n, c, k }).value + 1e-13);
        expect(naivePassHatK({ n, c, k }).value).toBeGreaterThanOrEqual(passHatK({ n, c, k }).value - 1e-13);
      }),
    );
  });

  it('average over cases of equal weight, whatever their number of trials', () => {
    const tasks = [
      { n: 2, c: 2 },
      { n: 1000, c: 0 },
    ];
    expect(suitePassK({ tasks, k: 2 })).toMatchObject({ passAtK: 0.5, passHatK: 0.5 });
  });
});

describe('bayesPassK', () => {
  it('does not jump where it changes from a product to beta functions', () => {
    const product = bayesPassK({ n: 50, c: 49, k: 4096 });
    const closed = bayesPassK({ n: 50, c: 49, k: 4097 });
    const ratio = (49.5 + 4096) / (51 + 4096);
    expect(closed.passHatKMean / product.passHatKMean).toBeCloseTo(ratio, 11);
  });

  it('keeps its mean inside its interval for central data and swaps with passes and fails', () => {
    fc.assert(
      fc.property(trials, ({ n, c, k }) => {
        const result = bayesPassK({ n, c, k });
        const mirrored = bayesPassK({ n, c: n - c, k });
        expect(result.passHatKLo).toBeLessThanOrEqual(result.passHatKHi);
        expect(result.passAtKLo).toBeLessThanOrEqual(result.passAtKHi);
        expect(result.passAtKMean).toBeCloseTo(1 - mirrored.passHatKMean, 12);
        expect(result.passAtKLo).toBeCloseTo(1 - mirrored.passHatKHi, 12);
      }),
    );
  });
});
