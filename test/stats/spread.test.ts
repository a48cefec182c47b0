import { describe, expect, it } from 'vitest';
import {
  bootstrapExhaustive,
  bootstrapMean,
  clusteredStandardError,
  icc11,
  mdeMiller,
  pairedDifference,
  sampleSizeMiller,
  sampleSizeOneSample,
  sampleSizePairedBinary,
  sampleSizeUnpaired,
  standardErrorOfMean,
} from '../../src/stats/index.js';
import { fc } from './property.js';

const value = fc.double({ min: -100, max: 100, noNaN: true });
const values = fc.array(value, { minLength: 2, maxLength: 30 });

describe('standard errors', () => {
  it('need no clusters when every value is its own', () => {
    fc.assert(
      fc.property(values, (list) => {
        const clustered = clusteredStandardError({ values: list, clusters: list.map((_, index) => index) });
        const { se } = standardErrorOfMean({ values: list });
        expect(clustered.cr1).toBeCloseTo(se, 10);
        expect(clustered.miller).toBeCloseTo(se, 10);
        expect(clustered.naive).toBeCloseTo(se, 10);
      }),
    );
  });

  it('depend on the cluster means alone when clusters are equally large', () => {
    fc.assert(
      fc.property(values, (means) => {
        const list = means.flatMap((mean) => [mean, mean, mean]);
        const clusters = means.flatMap((_, index) => [`c${index}`, `c${index}`, `c${index}`]);
        expect(clusteredStandardError({ values: list, clusters }).cr1).toBeCloseTo(
          standardErrorOfMean({ values: means }).se,
          10,
        );
      }),
    );
  });

  it('are exactly 0 for equal values, whatever their size', () => {
    for (const same of [0.1, 1 / 3, 1e15, -7e-9]) {
      const list = Array.from({ length: 7 }, () => same);
      expect(standardErrorOfMean({ values: list })).toEqual({ mean: same, se: 0, tLo: same, tHi: same });
      expect(pairedDifference({ a: list, b: list })).toMatchObject({
        meanDiff: 0,
        sePaired: 0,
        correlation: null,
      });
      expect(icc11({ table: [list, list] })).toEqual({ msb: 0, msw: 0, icc: null });
      expect(bootstrapMean({ values: list, B: 50, seed: 1 }).bca).toBeNull();
    }
  });

  it('are not disturbed by a large common offset', () => {
    const small = [0.1, 0.4, 0.2, 0.9];
    const moved = small.map((item) => item + 1e6);
    expect(standardErrorOfMean({ values: moved }).se).toBeCloseTo(
      standardErrorOfMean({ values: small }).se,
      9,
    );
  });

  it('know a text cluster from a number cluster', () => {
    expect(clusteredStandardError({ values: [1, 0], clusters: [1, '1'] }).nClusters).toBe(2);
  });

  it('agree in both forms of the paired difference and keep correlation in -1..1', () => {
    const pairs = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (list) => {
        const a = list.map(([one]) => one);
        const b = list.map(([, other]) => other);
        const result = pairedDifference({ a, b });
        expect(result.seFromCov).toBeCloseTo(result.sePaired, 12);
        if (result.correlation !== null) expect(Math.abs(result.correlation)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('bootstrap', () => {
  it('draws the same resamples for the same seed and others for another', () => {
    const input = { values: [0.2, 0.9, 0.4, 0.6], B: 200, seed: 5 };
    expect(bootstrapMean(input)).toEqual(bootstrapMean(input));
    expect(bootstrapMean({ ...input, seed: 6 }).firstMeans).not.toEqual(bootstrapMean(input).firstMeans);
  });

  it('comes close to all resamples', () => {
    const list = [0.2, 0.9, 0.4, 0.6, 0.1];
    const all = bootstrapExhaustive({ values: list });
    const some = bootstrapMean({ values: list, B: 20_000, seed: 3 });
    expect(Math.abs(some.percentileLo - all.lo)).toBeLessThan(0.02);
    expect(Math.abs(some.percentileHi - all.hi)).toBeLessThan(0.02);
    expect(all.count).toBe(3125);
  });

  it('stays inside the range of its values', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (list) => {
        const { lo, hi } = bootstrapExhaustive({ values: list });
        expect(lo).toBeGreaterThanOrEqual(Math.min(...list) - 1e-12);
        expect(hi).toBeLessThanOrEqual(Math.max(...list) + 1e-12);
        expect(lo).toBeLessThanOrEqual(hi);
      }),
      { numRuns: 40 },
    );
  });
});

describe('planning', () => {
  it('finds the effect it was sized for', () => {
    const suite = { omega2: 0.05, sigmaA2: 0.1, sigmaB2: 0.2, KA: 3, KB: 5 };
    const { nRaw } = sampleSizeMiller({ ...suite, delta: 0.07 });
    const { mde } = mdeMiller({ ...suite, n: 200 });
    expect(0.07 * Math.sqrt((nRaw ?? 0) / 200)).toBeCloseTo(mde, 12);
  });

  it('has no size for an effect of 0', () => {
    const none = { nRaw: null, n: null };
    expect(sampleSizeUnpaired({ p1: 0.5, p2: 0.5 })).toEqual(none);
    expect(sampleSizeOneSample({ p0: 0.5, p1: 0.5 })).toEqual(none);
    expect(sampleSizePairedBinary({ p10: 0.1, p01: 0.1 })).toEqual(none);
    expect(sampleSizePairedBinary({ p10: 0, p01: 0 })).toEqual(none);
    expect(sampleSizeMiller({ omega2: 1, sigmaA2: 1, sigmaB2: 1, KA: 1, KB: 1, delta: 0 })).toEqual(none);
  });

  it('asks for more trials for smaller effects, more power and less error', () => {
    const base = sampleSizeUnpaired({ p1: 0.8, p2: 0.9 }).n ?? 0;
    expect(sampleSizeUnpaired({ p1: 0.8, p2: 0.85 }).n).toBeGreaterThan(base);
    expect(sampleSizeUnpaired({ p1: 0.8, p2: 0.9, power: 0.9 }).n).toBeGreaterThan(base);
    expect(sampleSizeUnpaired({ p1: 0.8, p2: 0.9, alpha: 0.01 }).n).toBeGreaterThan(base);
    expect(sampleSizeUnpaired({ p1: 0, p2: 1 }).n).toBe(1);
  });
});
