import { describe, expect, it } from 'vitest';
import {
  betaBinomialConfidenceSequence,
  betaBinomialCredible,
  betaBinomialEValue,
  clopperPearson,
  clopperPearsonLowerOneSided,
  mcnemarEValue,
  minTrialsAllPass,
  newcombeDifference,
  threeValuedGate,
  wilson,
  wilsonContinuity,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const rate = fc
  .integer({ min: 1, max: 5000 })
  .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }) }));
const confidence = fc.double({ min: 0.01, max: 0.9999, noNaN: true });

const twoSided = { wilson, wilsonContinuity, clopperPearson };

describe.each(Object.entries(twoSided))('%s', (_name, interval) => {
  it('holds the observed rate and lies in 0..1', () => {
    fc.assert(
      fc.property(rate, confidence, ({ n, c }, level) => {
        const { lo, hi } = interval({ n, c, confidence: level });
        expect(lo).toBeGreaterThanOrEqual(0);
        expect(hi).toBeLessThanOrEqual(1);
        expect(lo).toBeLessThanOrEqual(c / n + 1e-12);
        expect(hi).toBeGreaterThanOrEqual(c / n - 1e-12);
      }),
    );
  });

  it('turns around when passes and fails change places', () => {
    fc.assert(
      fc.property(rate, ({ n, c }) => {
        const { lo, hi } = interval({ n, c });
        const mirrored = interval({ n, c: n - c });
        expect(mirrored.lo).toBeCloseTo(1 - hi, 12);
        expect(mirrored.hi).toBeCloseTo(1 - lo, 12);
      }),
    );
  });

  it('widens with confidence and moves up with passes', () => {
    fc.assert(
      fc.property(rate, ({ n, c }) => {
        const narrow = interval({ n, c, confidence: 0.8 });
        const wide = interval({ n, c, confidence: 0.99 });
        expect(wide.lo).toBeLessThanOrEqual(narrow.lo);
        expect(wide.hi).toBeGreaterThanOrEqual(narrow.hi);
        if (c === n) return;
        const next = interval({ n, c: c + 1, confidence: 0.8 });
        expect(next.lo).toBeGreaterThanOrEqual(narrow.lo);
        expect(next.hi).toBeGreaterThanOrEqual(narrow.hi);
      }),
    );
  });

  it('is never of zero width, also when all or none pass', () => {
    for (const n of [1, 5, 1_000_000]) {
      expect(interval({ n, c: n }).lo).toBeLessThan(1);
      expect(interval({ n, c: n }).hi).toBe(1);
      expect(interval({ n, c: 0 }).lo).toBe(0);
      expect(interval({ n, c: 0 }).hi).toBeGreaterThan(0);
    }
  });
});

describe('exact bounds', () => {
  it('have the closed form alpha^(1/n) when everything passed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), confidence, (n, level) => {
        const { lo } = clopperPearsonLowerOneSided({ n, c: n, confidence: level });
        expect(lo).toBeCloseTo((1 - level) ** (1 / n), 12);
      }),
    );
  });

  it('are wider than the continuity-corrected and the plain Wilson interval in the middle', () => {
    const exact = clopperPearson({ n: 40, c: 20 });
    expect(exact.lo).toBeLessThan(wilson({ n: 40, c: 20 }).lo);
    expect(wilsonContinuity({ n: 40, c: 20 }).lo).toBeLessThan(wilson({ n: 40, c: 20 }).lo);
  });

  it('enclose the credible interval under the matching priors', () => {
    fc.assert(
      fc.property(rate, ({ n, c }) => {
        const exact = clopperPearson({ n, c });
        const jeffreys = betaBinomialCredible({ n, c });
        expect(jeffreys.lo).toBeGreaterThanOrEqual(exact.lo);
        expect(jeffreys.hi).toBeLessThanOrEqual(exact.hi);
      }),
    );
  });

  it('certify a rate with exactly the planned number of passes and not with one less', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 0.999, noNaN: true }), (p0) => {
        const { n } = minTrialsAllPass({ p0 });
        expect(threeValuedGate({ n, c: n, p0: p0 - 1e-9 }).verdict).toBe('pass');
        if (n > 1)
          expect(threeValuedGate({ n: n - 1, c: n - 1, p0: p0 + 1e-9 }).verdict).toBe('inconclusive');
      }),
    );
  });

  it('count a whole power as reached: two passes certify 0.9 at level 0.81', () => {
    expect(minTrialsAllPass({ p0: 0.9, alpha: 0.81 }).n).toBe(2);
    expect(minTrialsAllPass({ p0: 0.5, alpha: 0.125 }).n).toBe(3);
    expect(minTrialsAllPass({ p0: 0.5, alpha: 0.124 }).n).toBe(4);
    expect(minTrialsAllPass({ p0: 0.1, alpha: 0.9 }).n).toBe(1);
  });
});

describe('threeValuedGate', () => {
  it('never passes below the bar, never fails above it, and never does both', () => {
    fc.assert(
      fc.property(rate, fc.double({ min: 0.01, max: 0.99, noNaN: true }), ({ n, c }, p0) => {
        const { lower, upper, verdict } = threeValuedGate({ n, c, p0 });
        expect(lower).toBeLessThan(upper);
        if (verdict === 'pass') expect(c / n).toBeGreaterThanOrEqual(p0);
        if (verdict === 'fail') expect(c / n).toBeLessThanOrEqual(p0);
      }),
    );
  });
});

describe('newcombeDifference', () => {
  it('holds the difference and changes sign with the arms', () => {
    fc.assert(
      fc.property(rate, rate, (one, other) => {
        const { diff, lo, hi } = newcombeDifference({ c1: one.c, n1: one.n, c2: other.c, n2: other.n });
        const swapped = newcombeDifference({ c1: other.c, n1: other.n, c2: one.c, n2: one.n });
        expect(lo).toBeLessThanOrEqual(diff + 1e-12);
        expect(hi).toBeGreaterThanOrEqual(diff - 1e-12);
        expect(swapped.lo).toBeCloseTo(-hi, 12);
      }),
    );
  });
});

describe('anytime-valid evidence', () => {
  it('has expectation 1 under the rejected rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (n, p0) => {
          let mean = 0;
          let ways = 1;
          for (let c = 0; c <= n; c += 1) {
            mean += ways * p0 ** c * (1 - p0) ** (n - c) * betaBinomialEValue({ n, c, p0 }).e;
            ways = (ways * (n - c)) / (c + 1);
          }
          expect(mean).toBeCloseTo(1, 10);
        },
      ),
    );
  });

  it('reaches 1/alpha exactly at the ends of the confidence sequence', () => {
    fc.assert(
      fc.property(rate, ({ n, c }) => {
        const { lo, hi } = betaBinomialConfidenceSequence({ n, c });
        if (c > 0) expect(betaBinomialEValue({ n, c, p0: lo }).e).toBeCloseTo(20, 4);
        if (c < n) expect(betaBinomialEValue({ n, c, p0: hi }).e).toBeCloseTo(20, 4);
        const exact = clopperPearson({ n, c });
        expect(lo).toBeLessThanOrEqual(exact.lo);
        expect(hi).toBeGreaterThanOrEqual(exact.hi);
      }),
    );
  });

  it('says nothing before the first trial', () => {
    expect(betaBinomialEValue({ n: 0, c: 0, p0: 0.3 }).e).toBe(1);
    expect(betaBinomialConfidenceSequence({ n: 0, c: 0 })).toEqual({ lo: 0, hi: 1 });
  });

  it('stays a number that JSON can carry when a rate is impossible or the evidence overflows', () => {
    expect(betaBinomialEValue({ n: 2, c: 1, p0: 1 }).e).toBe(Number.MAX_VALUE);
    expect(betaBinomialEValue({ n: 2, c: 1, p0: 0 }).e).toBe(Number.MAX_VALUE);
    expect(mcnemarEValue({ b: 5_000_000, c: 0 }).e).toBe(Number.MAX_VALUE);
    expect(betaBinomialEValue({ n: 3, c: 3, p0: 1 }).e).toBeCloseTo(1 / 4, 14);
  });

  it('does not care about the direction of a flip', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (b, c) => {
        const { e } = mcnemarEValue({ b, c });
        expect(mcnemarEValue({ b: c, c: b }).e / e).toBeCloseTo(1, 12);
      }),
    );
  });
});
