import { describe, expect, it } from 'vitest';
import {
  benjaminiHochberg,
  benjaminiYekutieli,
  fisherExact,
  holm,
  mcnemar,
  pairedPermutation,
  pairedPermutationSampled,
  probBGreaterThanA,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const counts = fc.nat(40);

describe('mcnemar', () => {
  it('equals the sign-flip test of differences in -1, 0, 1', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 60 }), (differences) => {
        const b = differences.filter((value) => value === -1).length;
        const c = differences.filter((value) => value === 1).length;
        const flips = pairedPermutation({ differences: differences.map((value) => -value) });
        const test = mcnemar({ b, c });
        expect(flips.twoSided).toBeCloseTo(test.exactTwoSided, 12);
        expect(flips.greater).toBeCloseTo(test.oneSidedRegression, 12);
      }),
    );
  });

  it('does not care about the direction when two-sided and orders its p-values', () => {
    fc.assert(
      fc.property(counts, counts, (b, c) => {
        const test = mcnemar({ b, c });
        expect(mcnemar({ b: c, c: b }).exactTwoSided).toBe(test.exactTwoSided);
        expect(test.midP).toBeLessThanOrEqual(test.exactTwoSided);
        expect(mcnemar({ b: b + 1, c }).oneSidedRegression).toBeLessThanOrEqual(
          test.oneSidedRegression + 1e-15,
        );
      }),
    );
  });
});

describe('fisherExact', () => {
  it('gives tails that overlap in the observed table only, and swaps them with the rows', () => {
    fc.assert(
      fc.property(counts, counts, counts, counts, (a, b, c, d) => {
        fc.pre(a + b > 0 && c + d > 0);
        const test = fisherExact({ a, b, c, d });
        const swapped = fisherExact({ a: c, b: d, c: a, d: b });
        expect(test.less + test.greater).toBeGreaterThanOrEqual(1 - 1e-12);
        expect(swapped.less).toBeCloseTo(test.greater, 12);
        expect(swapped.twoSided).toBeCloseTo(test.twoSided, 12);
        expect(test.twoSided).toBeGreaterThanOrEqual(Math.min(test.less, test.greater) - 1e-12);
      }),
    );
  });
});

describe('probBGreaterThanA', () => {
  const arm = fc
    .integer({ min: 1, max: 300 })
    .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }) }));

  it('adds up to 1 with the arms swapped and is 1/2 for equal arms', () => {
    fc.assert(
      fc.property(arm, arm, (one, other) => {
        const forward = probBGreaterThanA({ cA: one.c, nA: one.n, cB: other.c, nB: other.n }).value;
        const backward = probBGreaterThanA({ cA: other.c, nA: other.n, cB: one.c, nB: one.n }).value;
        expect(forward + backward).toBeCloseTo(1, 11);
        expect(probBGreaterThanA({ cA: one.c, nA: one.n, cB: one.c, nB: one.n }).value).toBeCloseTo(0.5, 11);
      }),
    );
  });
});

/** All sign assignments one by one; fine for a dozen differences. */
function bruteForce(differences: readonly number[]): { twoSided: number; greater: number } {
  const sizes = differences.filter((value) => value !== 0).map(Math.abs);
  const observed = differences.reduce((total, value) => total + value, 0);
  let above = 0;
  let beyond = 0;
  for (let pattern = 0; pattern < 2 ** sizes.length; pattern += 1) {
    const total = sizes.reduce((sum, size, bit) => sum + ((pattern >> bit) & 1 ? size : -size), 0);
    if (total >= observed - 1e-9) above += 1;
    if (Math.abs(total) >= Math.abs(observed) - 1e-9) beyond += 1;
  }
  return { twoSided: beyond / 2 ** sizes.length, greater: above / 2 ** sizes.length };
}

describe('pairedPermutation', () => {
  it('counts every sign assignment', () => {
    const tenths = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 1, maxLength: 11 });
    fc.assert(
      fc.property(tenths, (steps) => {
        const differences = steps.map((step) => step / 10);
        const { twoSided, greater } = bruteForce(differences);
        const test = pairedPermutation({ differences });
        expect(test.twoSided).toBeCloseTo(twoSided, 13);
        expect(test.greater).toBeCloseTo(greater, 13);
      }),
    );
  });

  it('stays exact for many case means: the split count and the common fraction agree', () => {
    // a tiny irregular shift forces the first onto the general path without moving any sum past a tie
    const steps = Array.from({ length: 26 }, (_, index) => ((index * 7) % 11) - 4);
    const onFraction = steps.map((step) => step / 5);
    const general = onFraction.map((value, index) => value * (1 + (index + 1) * 1e-15) * Math.SQRT2);
    const exact = pairedPermutation({ differences: onFraction });
    const split = pairedPermutation({ differences: general });
    expect(split.twoSided).toBeCloseTo(exact.twoSided, 13);
    expect(split.greater).toBeCloseTo(exact.greater, 13);
  });

  it('agrees with the binomial for hundreds of equal differences', () => {
    const differences = Array.from({ length: 300 }, (_, index) => (index < 170 ? 1 / 3 : -1 / 3));
    expect(pairedPermutation({ differences }).greater).toBeCloseTo(
      mcnemar({ b: 170, c: 130 }).oneSidedRegression,
      12,
    );
  });

  it('falls back to a reproducible sample that is never 0 when counting is out of reach', () => {
    const differences = Array.from({ length: 60 }, (_, index) => Math.abs(Math.sin(index + 1)) + 0.1);
    const test = pairedPermutation({ differences });
    expect(test).toEqual(pairedPermutation({ differences }));
    expect(test.twoSided).toBe(1 / 100_000);
    const balanced = pairedPermutation({
      differences: differences.map((size, index) => (index % 2 ? size : -size)),
    });
    expect(balanced.twoSided).toBeGreaterThan(0.5);
  });

  it('is approached by its sampled form', () => {
    const differences = [0.2, -0.1, 0.4, 0.3, 0, 0.5];
    const sampled = pairedPermutationSampled({ differences, samples: 20_000, seed: 7 });
    expect(Math.abs(sampled.twoSided - 0.125)).toBeLessThan(0.01);
    expect(Math.abs(sampled.greater - 0.0625)).toBeLessThan(0.01);
    expect(pairedPermutationSampled({ differences: [0, 0], samples: 10, seed: 1 })).toEqual({
      twoSided: 1,
      greater: 1,
    });
  });

  it('treats 0.1 + 0.2 and 0.3 as a tie', () => {
    expect(pairedPermutation({ differences: [0.1, 0.2, -0.3] }).twoSided).toBe(1);
  });
});

describe('adjusted p-values', () => {
  const family = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

  it('are never smaller than before, never above 1, and keep their order', () => {
    fc.assert(
      fc.property(family, (p) => {
        for (const adjust of [holm, benjaminiHochberg, benjaminiYekutieli]) {
          const { adjusted } = adjust({ p });
          for (const [one, value] of p.entries()) {
            const mine = adjusted[one] ?? Number.NaN;
            expect(mine).toBeGreaterThanOrEqual(value - 1e-15);
            expect(mine).toBeLessThanOrEqual(1);
            for (const [other, rival] of p.entries()) {
              if (value <= rival) expect(mine).toBeLessThanOrEqual(adjusted[other] ?? Number.NaN);
            }
          }
        }
      }),
    );
  });

  it('grow from Benjamini-Hochberg to Holm, and to Benjamini-Yekutieli', () => {
    fc.assert(
      fc.property(family, (p) => {
        const loose = benjaminiHochberg({ p }).adjusted;
        const strict = holm({ p }).adjusted;
        const robust = benjaminiYekutieli({ p }).adjusted;
        for (const [index, value] of loose.entries()) {
          expect(value).toBeLessThanOrEqual((strict[index] ?? Number.NaN) + 1e-15);
          expect(value).toBeLessThanOrEqual((robust[index] ?? Number.NaN) + 1e-15);
        }
      }),
    );
  });
});
