import { describe, expect, it } from 'vitest';
import {
  curtailedExpectedTrials,
  curtailedUnbiasedRate,
  curtailedVerdict,
  predictiveVerdict,
  sprt,
  sprtOperatingCharacteristic,
  type Outcome,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const rule = fc
  .integer({ min: 1, max: 9 })
  .chain((n) => fc.record({ n: fc.constant(n), need: fc.integer({ min: 1, max: n }) }));
const rate = fc.double({ min: 0, max: 1, noNaN: true });

/** Every full sequence of n outcomes with its probability. */
function sequences(n: number, p: number): { sequence: Outcome[]; chance: number }[] {
  return Array.from({ length: 2 ** n }, (_, pattern) => {
    const sequence = Array.from({ length: n }, (__, bit): Outcome => ((pattern >> bit) & 1 ? 1 : 0));
    const passes = sequence.filter((outcome) => outcome === 1).length;
    return { sequence, chance: p ** passes * (1 - p) ** (n - passes) };
  });
}

describe('curtailment', () => {
  it('gives the verdict of the full run', () => {
    fc.assert(
      fc.property(rule, ({ n, need }) => {
        for (const { sequence } of sequences(n, 0.5)) {
          const passes = sequence.filter((outcome) => outcome === 1).length;
          const { verdict, stoppedAt } = curtailedVerdict({ n, need, sequence });
          expect(verdict).toBe(passes >= need ? 'pass' : 'fail');
          const stopped = sequence.slice(0, stoppedAt ?? 0);
          expect(curtailedVerdict({ n, need, sequence: stopped }).verdict).toBe(verdict);
          expect(curtailedVerdict({ n, need, sequence: stopped.slice(0, -1) }).verdict).toBe('continue');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('costs what its expectation says and estimates the rate without bias', () => {
    fc.assert(
      fc.property(rule, rate, ({ n, need }, p) => {
        let trials = 0;
        let passing = 0;
        let mean = 0;
        for (const { sequence, chance } of sequences(n, p)) {
          const { verdict, stoppedAt, passes, fails } = curtailedVerdict({ n, need, sequence });
          trials += chance * (stoppedAt ?? 0);
          if (verdict === 'pass') passing += chance;
          mean += chance * curtailedUnbiasedRate({ n, need, passes, fails }).rate;
        }
        const { expectedTrials, pPass } = curtailedExpectedTrials({ n, need, p });
        expect(expectedTrials).toBeCloseTo(trials, 10);
        expect(pPass).toBeCloseTo(passing, 11);
        expect(mean).toBeCloseTo(p, 10);
      }),
      { numRuns: 30 },
    );
  });

  it('costs between the shortest and the longest way to a verdict', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        rate,
        (n, share, p) => {
          const need = Math.max(1, Math.ceil(n * share));
          const { expectedTrials, pPass } = curtailedExpectedTrials({ n, need, p });
          expect(expectedTrials).toBeGreaterThanOrEqual(Math.min(need, n - need + 1) * (1 - 1e-10));
          expect(expectedTrials).toBeLessThanOrEqual(n * (1 + 1e-10));
          expect(pPass).toBeGreaterThanOrEqual(0);
          expect(pPass).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('predictiveVerdict', () => {
  it('is certain exactly when the verdict is', () => {
    expect(predictiveVerdict({ n: 5, need: 4, done: 4, passes: 4 }).pPass).toBe(1);
    expect(predictiveVerdict({ n: 5, need: 4, done: 2, passes: 0 }).pPass).toBe(0);
    expect(predictiveVerdict({ n: 5, need: 4, done: 3, passes: 3 }).pPass).toBeCloseTo(14 / 15, 13);
  });

  it('is the average of itself one trial later', () => {
    const state = fc.integer({ min: 1, max: 60 }).chain((n) =>
      fc
        .record({ need: fc.integer({ min: 1, max: n }), done: fc.integer({ min: 0, max: n - 1 }) })
        .chain(({ need, done }) =>
          fc.record({
            n: fc.constant(n),
            need: fc.constant(need),
            done: fc.constant(done),
            passes: fc.integer({ min: 0, max: done }),
          }),
        ),
    );
    fc.assert(
      fc.property(state, fc.constantFrom(0.5, 1, 3), ({ n, need, done, passes }, prior) => {
        const base = { n, need, a: prior, b: prior };
        const pass = (prior + passes) / (2 * prior + done);
        const later =
          pass * predictiveVerdict({ ...base, done: done + 1, passes: passes + 1 }).pPass +
          (1 - pass) * predictiveVerdict({ ...base, done: done + 1, passes }).pPass;
        expect(predictiveVerdict({ ...base, done, passes }).pPass).toBeCloseTo(later, 11);
      }),
    );
  });
});

describe('sequential probability ratio test', () => {
  const hypotheses = fc.constantFrom({ p0: 0.95, p1: 0.7 }, { p0: 0.9, p1: 0.6 }, { p0: 0.8, p1: 0.3 });

  it('has the operating characteristic of all its sequences', () => {
    fc.assert(
      fc.property(hypotheses, rate, fc.integer({ min: 1, max: 9 }), ({ p0, p1 }, p, nMax) => {
        const found = { accept_h0: 0, accept_h1: 0, continue: 0, trials: 0 };
        for (const { sequence, chance } of sequences(nMax, p)) {
          const { decision, stoppedAt } = sprt({ p0, p1, alpha: 0.1, beta: 0.2, sequence });
          found[decision] += chance;
          found.trials += chance * (stoppedAt ?? nMax);
        }
        const exact = sprtOperatingCharacteristic({ p0, p1, alpha: 0.1, beta: 0.2, nMax, p });
        expect(exact.pAcceptH0).toBeCloseTo(found.accept_h0, 11);
        expect(exact.pAcceptH1).toBeCloseTo(found.accept_h1, 11);
        expect(exact.pInconclusive).toBeCloseTo(found.continue, 11);
        expect(exact.expectedN).toBeCloseTo(found.trials, 10);
      }),
      { numRuns: 30 },
    );
  });

  it('stops on a boundary that is met exactly: two fails at odds 3 against a boundary of 9', () => {
    const input = { p0: 0.9, p1: 0.7, alpha: 0.1, beta: 0.1 };
    const sequence: Outcome[] = [0, 0, 0];
    expect(sprt({ ...input, sequence })).toMatchObject({ decision: 'accept_h1', stoppedAt: 2 });
  });

  it('adds up to certainty and never exceeds its cap, however long it runs', () => {
    fc.assert(
      fc.property(hypotheses, rate, ({ p0, p1 }, p) => {
        const { pAcceptH0, pAcceptH1, pInconclusive, expectedN } = sprtOperatingCharacteristic({
          p0,
          p1,
          nMax: 300,
          p,
        });
        expect(pAcceptH0 + pAcceptH1 + pInconclusive).toBeCloseTo(1, 12);
        expect(expectedN).toBeLessThanOrEqual(300);
      }),
    );
  });
});
