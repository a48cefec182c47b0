import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedMeanBounds, clopperPearson, clopperPearsonLowerOneSided } from '../../src/stats/index.js';

describe('bounds of a mean of values of 0..1', () => {
  it('are the exact ones where every value is 1 or every value is 0', () => {
    // 0.05^(1/20) and 0.05^(1/59), as for 20 of 20 and 59 of 59 passes.
    expect(boundedMeanBounds({ n: 20, mean: 1 })).toMatchObject({
      lower: expect.closeTo(0.86089166, 8),
      upper: 1,
    });
    expect(boundedMeanBounds({ n: 59, mean: 1 }).lower).toBeCloseTo(0.95049239, 8);
    expect(boundedMeanBounds({ n: 20, mean: 0 })).toMatchObject({
      lower: 0,
      upper: expect.closeTo(0.13910834, 8),
    });
  });

  it('solve n·KL = ln 20 on both sides of the mean', () => {
    const { lower, upper } = boundedMeanBounds({ n: 40, mean: 0.75 });
    for (const bound of [lower, upper]) {
      const divergence = 0.75 * Math.log(0.75 / bound) + 0.25 * Math.log(0.25 / (1 - bound));
      expect(40 * divergence).toBeCloseTo(Math.log(20), 9);
    }
    expect(lower).toBeLessThan(0.75);
    expect(upper).toBeGreaterThan(0.75);
  });

  it('are never narrower than the exact bounds of as many passes, and mirror each other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const c = Math.round(n * share);
          const { lower, upper } = boundedMeanBounds({ n, mean: c / n });
          expect(lower).toBeLessThanOrEqual(clopperPearsonLowerOneSided({ n, c }).lo + 1e-9);
          expect(upper).toBeGreaterThanOrEqual(clopperPearson({ n, c, confidence: 0.9 }).hi - 1e-9);
          const mirrored = boundedMeanBounds({ n, mean: 1 - c / n });
          expect(mirrored.upper).toBeCloseTo(1 - lower, 9);
        },
      ),
    );
  });

  it('refuse what is no mean', () => {
    expect(() => boundedMeanBounds({ n: 0, mean: 0.5 })).toThrow(/at least 1/);
    expect(() => boundedMeanBounds({ n: 3, mean: 1.1 })).toThrow(/0\.\.1/);
    expect(() => boundedMeanBounds({ n: 3, mean: 0.5, confidence: 1 })).toThrow(/strictly between/);
  });
});
