import { describe, expect, it } from 'vitest';
import { repeatedPassRateInterval, type RepeatedCase } from '../../src/stats/index.js';
import { fc } from './property.js';

/** `count` cases of which the first has passed half of its runs and all others every run. */
function oneHalf(count: number): RepeatedCase[] {
  return Array.from({ length: count }, (_, index) => ({ passes: index === 0 ? 2 : 4, k: 4, cluster: null }));
}

/** The multiplier that was used: half width over standard error, before the cut at 0 and 1. */
function multiplier(count: number): number {
  const { mean, sem, lo } = repeatedPassRateInterval({ cases: oneHalf(count) });
  if (mean === null || sem === null || lo === null) throw new Error('no interval');
  return (mean - lo) / sem;
}

describe('repeatedPassRateInterval', () => {
  it.each([
    [5, 2.776],
    [6, 2.571],
    [11, 2.228],
    [12, 2.228],
    [13, 2.179],
    [15, 2.179],
    [16, 2.131],
    [20, 2.131],
    [21, 2.086],
    [25, 2.086],
    [26, 2.06],
    [30, 2.06],
    [31, 2.042],
  ])('uses, for %i units, the listed t or the next lower row: %f', (units, t) => {
    expect(multiplier(units)).toBeCloseTo(t, 9);
  });

  it('uses the expansion in 1/df above 30 degrees of freedom', () => {
    // tables print 2.0395 for 31 and 1.9840 for 99 degrees of freedom
    expect(multiplier(32)).toBeCloseTo(2.0395, 4);
    expect(multiplier(100)).toBeCloseTo(1.9842, 4);
    expect(multiplier(200_000)).toBeCloseTo(1.959963984540054, 4);
  });

  it('has no interval below two independent units', () => {
    const none = { mean: null, sem: null, lo: null, hi: null };
    const single: RepeatedCase = { passes: 3, k: 4, cluster: 'family' };
    expect(repeatedPassRateInterval({ cases: [] })).toEqual({ n: 0, ...none });
    expect(repeatedPassRateInterval({ cases: [single] })).toEqual({ n: 1, ...none });
    expect(repeatedPassRateInterval({ cases: [single, single, single] })).toEqual({ n: 1, ...none });
    expect(repeatedPassRateInterval({ cases: [single, { ...single, cluster: null }] }).n).toBe(2);
  });

  it('averages a cluster to one value and lets unlabelled cases stand alone', () => {
    const cases: RepeatedCase[] = [
      { passes: 4, k: 4, cluster: 'a' },
      { passes: 0, k: 4, cluster: 'a' },
      { passes: 3, k: 4, cluster: null },
      { passes: 3, k: 4, cluster: null },
    ];
    const { n, mean, sem } = repeatedPassRateInterval({ cases });
    expect(n).toBe(3);
    expect(mean).toBeCloseTo(2 / 3, 14);
    expect(sem).toBeCloseTo(Math.sqrt((1 / 36 + 2 / 144) / 6), 14);
  });

  it('cuts the interval to 0..1 and has no width without spread', () => {
    const wide = repeatedPassRateInterval({
      cases: [
        { passes: 0, k: 2, cluster: null },
        { passes: 2, k: 2, cluster: null },
      ],
    });
    expect(wide).toEqual({ n: 2, mean: 0.5, sem: 0.5, lo: 0, hi: 1 });
    const flat = Array.from({ length: 5 }, (): RepeatedCase => ({ passes: 1, k: 3, cluster: null }));
    expect(repeatedPassRateInterval({ cases: flat })).toMatchObject({ sem: 0, lo: 1 / 3, hi: 1 / 3 });
  });

  it('holds its mean and does not mind the order of the cases', () => {
    const one = fc.integer({ min: 1, max: 50 }).chain((k) =>
      fc.record({
        k: fc.constant(k),
        passes: fc.integer({ min: 0, max: k }),
        cluster: fc.option(fc.constantFrom('a', 'b', '')),
      }),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (cases) => {
        const { n, mean, lo, hi } = repeatedPassRateInterval({ cases });
        const turned = repeatedPassRateInterval({ cases: cases.toReversed() });
        expect(turned.n).toBe(n);
        if (mean === null || lo === null || hi === null) {
          expect(n).toBeLessThan(2);
          return;
        }
        expect(turned.mean).toBeCloseTo(mean, 12);
        expect(lo).toBeLessThanOrEqual(mean);
        expect(hi).toBeGreaterThanOrEqual(mean);
      }),
    );
  });
});
