import { describe, expect, it } from 'vitest';
import {
  altTest,
  judgeTrust,
  positionBias,
  predictionPoweredMean,
  roganGladen,
  roganGladenAdjusted,
  sensitivitySpecificity,
  type Slot,
} from '../../src/stats/index.js';
import { fc } from './property.js';

describe('judges', () => {
  it('of perfect record leave a judged rate as it is', () => {
    const perfect = { truePass: { judgePass: 50, total: 50 }, trueFail: { judgeFail: 50, total: 50 } };
    expect(roganGladen({ judgePass: 30, n: 40, ...perfect }).estimate).toBe(0.75);
  });

  it('are corrected back to the true rate when the judged rate is the expected one', () => {
    const share = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(
        share,
        fc.integer({ min: 51, max: 100 }),
        fc.integer({ min: 51, max: 100 }),
        (truth, sens, spec) => {
          const judgePass = truth * sens + (100 - truth) * (100 - spec);
          const input = {
            judgePass,
            n: 10_000,
            truePass: { judgePass: sens, total: 100 },
            trueFail: { judgeFail: spec, total: 100 },
          };
          const { raw, estimate, lo, hi } = roganGladen(input);
          expect(raw).toBeCloseTo(truth / 100, 9);
          expect(lo).toBeLessThanOrEqual(estimate + 1e-12);
          expect(hi).toBeGreaterThanOrEqual(estimate - 1e-12);
          const adjusted = roganGladenAdjusted(input);
          expect(adjusted.lo).toBeLessThanOrEqual(adjusted.hi);
        },
      ),
    );
  });

  it('that pass everything are accurate and useless', () => {
    const record = { tp: 90, fn: 0, tn: 0, fp: 10 };
    expect(sensitivitySpecificity(record)).toMatchObject({ accuracy: 0.9, specificity: 0 });
    expect(judgeTrust({ ...record, bar: 0.8 }).state).toBe('untrusted');
  });

  it('are trusted only when both bounds reach the bar', () => {
    const count = fc.nat(80);
    fc.assert(
      fc.property(count, count, count, count, (tp, fn, tn, fp) => {
        const { state, sensLower, specLower, sensUpper, specUpper } = judgeTrust({ tp, fn, tn, fp });
        if (sensLower === null || specLower === null || sensUpper === null || specUpper === null) {
          expect(state).toBe('unmeasured');
          return;
        }
        expect(state === 'trusted').toBe(sensLower >= 0.8 && specLower >= 0.8);
        expect(state === 'untrusted').toBe(sensUpper < 0.8 || specUpper < 0.8);
      }),
    );
  });

  it('of gold and judge alike give the gold mean back, and lambda 0 ignores the judge', () => {
    const scores = { gold: [1, 0, 1, 1, 0], judgeOnGold: [1, 1, 1, 0, 0], judgeOnRest: [1, 1, 1, 1, 0, 1] };
    expect(predictionPoweredMean({ ...scores, lambda: 0 })).toMatchObject({ estimate: 0.6, classical: 0.6 });
    const tuned = predictionPoweredMean(scores);
    expect(tuned.se).toBeLessThanOrEqual(predictionPoweredMean({ ...scores, lambda: 1 }).se);
    expect(tuned).toEqual(predictionPoweredMean({ ...scores, lambda: null }));
  });

  it('without position preference are consistent; one that takes the first slot is not', () => {
    const slot = fc.constantFrom<Slot>(0, 1, 2);
    fc.assert(
      fc.property(fc.array(fc.tuple(slot, slot), { minLength: 1, maxLength: 40 }), (pairs) => {
        const { consistency, firstBoth, secondBoth, other } = positionBias({ pairs });
        expect(consistency * pairs.length + firstBoth + secondBoth + other).toBeCloseTo(pairs.length, 10);
      }),
    );
    const first = Array.from({ length: 8 }, (): [Slot, Slot] => [1, 1]);
    expect(positionBias({ pairs: first }).consistency).toBe(0);
    expect(positionBias({ pairs: first }).p).toBeCloseTo(2 / 2 ** 8, 14);
  });

  it('that copy the annotators replace them, and opposite ones do not', () => {
    const labels = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? 'fail' : 'pass'));
    const humans = [labels, labels, labels];
    expect(altTest({ llm: labels, humans, epsilon: 0.1 })).toMatchObject({ winningRate: 1, passes: true });
    const opposite = labels.map((label) => (label === 'pass' ? 'fail' : 'pass'));
    expect(altTest({ llm: opposite, humans, epsilon: 0.1 })).toMatchObject({
      pValues: [1, 1, 1],
      winningRate: 0,
      advantageProbability: 0,
      passes: false,
    });
  });
});
