import { describe, expect, it } from 'vitest';
import { cohenKappa, fleissKappa, gwetAC1, krippendorffAlpha, weightedKappa } from '../../src/stats/index.js';
import { fc } from './property.js';

describe('agreement', () => {
  const size = fc.integer({ min: 2, max: 4 });
  const table = size.chain((k) =>
    fc.array(fc.array(fc.nat(20), { minLength: k, maxLength: k }), { minLength: k, maxLength: k }),
  );
  const transposed = (rows: readonly (readonly number[])[]): number[][] =>
    rows.map((_, column) => rows.map((row) => row[column] ?? 0));

  it('does not care which rater is which', () => {
    fc.assert(
      fc.property(table, (rows) => {
        fc.pre(rows.flat().some((count) => count > 0));
        const one = cohenKappa({ table: rows });
        const other = cohenKappa({ table: transposed(rows) });
        expect(other.kappa ?? 2).toBeCloseTo(one.kappa ?? 2, 12);
        expect(other.se ?? 2).toBeCloseTo(one.se ?? 2, 7);
        expect(gwetAC1({ table: transposed(rows) }).ac1).toBeCloseTo(gwetAC1({ table: rows }).ac1, 12);
      }),
    );
  });

  it('is 1 without disagreement and null without a choice', () => {
    const perfect = {
      table: [
        [7, 0],
        [0, 5],
      ],
    };
    expect(cohenKappa(perfect)).toMatchObject({ kappa: 1, se: 0, lo: 1, hi: 1 });
    expect(gwetAC1(perfect).ac1).toBe(1);
    expect(weightedKappa({ ...perfect, weights: 'linear' }).kappa).toBe(1);
    const constant = {
      table: [
        [0, 0],
        [0, 5],
      ],
    };
    expect(cohenKappa(constant)).toEqual({
      po: 1,
      pe: 1,
      kappa: null,
      se: null,
      seSimple: null,
      lo: null,
      hi: null,
    });
    expect(weightedKappa({ ...constant, weights: 'quadratic' }).kappa).toBeNull();
    expect(gwetAC1(constant).ac1).toBe(1);
  });

  it('is the same weighted and unweighted for two categories', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }), ([a = 0, b = 0, c = 0, d = 0]) => {
        fc.pre(a + b + c + d > 0);
        const rows = [
          [a, b],
          [c, d],
        ];
        const { kappa } = cohenKappa({ table: rows });
        expect(weightedKappa({ table: rows, weights: 'linear' }).kappa ?? 2).toBeCloseTo(kappa ?? 2, 12);
        expect(weightedKappa({ table: rows, weights: 'quadratic' }).kappa ?? 2).toBeCloseTo(kappa ?? 2, 12);
      }),
    );
  });

  it('of many raters is 1 when all agree and does not mind the order of raters', () => {
    expect(
      fleissKappa({
        counts: [
          [3, 0],
          [0, 3],
          [3, 0],
        ],
      }).kappa,
    ).toBe(1);
    const rater = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(rater, { minLength: 2, maxLength: 5 }), (ratings) => {
        const pairable = [0, 1, 2, 3].some((unit) => ratings.filter((row) => row[unit] !== null).length > 1);
        fc.pre(pairable);
        for (const level of ['nominal', 'ordinal', 'interval', 'ratio'] as const) {
          const { alpha } = krippendorffAlpha({ ratings, level });
          expect(krippendorffAlpha({ ratings: ratings.toReversed(), level }).alpha ?? 2).toBeCloseTo(
            alpha ?? 2,
            11,
          );
          if (alpha !== null) expect(alpha).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it('at interval level ignores the unit and the zero of the scale', () => {
    const ratings = [
      [1, 2, 3, 4],
      [2, 2, 3, 5],
      [1, 3, null, 4],
    ];
    const rescaled = ratings.map((row) => row.map((rating) => (rating === null ? null : rating * 10 - 7)));
    expect(krippendorffAlpha({ ratings: rescaled, level: 'interval' }).alpha).toBeCloseTo(
      krippendorffAlpha({ ratings, level: 'interval' }).alpha ?? 0,
      12,
    );
  });
});
