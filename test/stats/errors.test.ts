import { describe, expect, it } from 'vitest';
import { pairedPermutationSampled, repeatedPassRateInterval, seededRandom } from '../../src/stats/index.js';
import { refuses, type Case } from './refuses.js';
import { codeOf, run } from './run.js';

const draws = ['passAtK', 'passHatK', 'naivePassAtK', 'naivePassHatK', 'bayesPassK'];
const rates = [
  'wilson',
  'wilsonContinuity',
  'clopperPearson',
  'clopperPearsonLowerOneSided',
  'betaBinomialCredible',
];

describe('trials, passes and draws', () => {
  refuses(
    draws.flatMap((group): Case[] => [
      [group, { n: 5.5, c: 2, k: 1 }, 'NOT_INTEGER'],
      [group, { n: 5, c: 2.5, k: 1 }, 'NOT_INTEGER'],
      [group, { n: 5, c: 2, k: 1.5 }, 'NOT_INTEGER'],
      [group, { n: 2 ** 53, c: 2, k: 1 }, 'NOT_INTEGER'],
      [group, { n: 0, c: 0, k: 1 }, 'N_LT_1'],
      [group, { n: -1, c: 0, k: 1 }, 'N_LT_1'],
      [group, { n: 5, c: -1, k: 1 }, 'C_OUT_OF_RANGE'],
      [group, { n: 5, c: 6, k: 1 }, 'C_OUT_OF_RANGE'],
      [group, { n: 5, c: 2, k: 0 }, 'K_LT_1'],
      [group, { n: 5, c: 2, k: -3 }, 'K_LT_1'],
    ]),
  );

  refuses([
    ['passAtK', { n: 3, c: 0, k: 4 }, 'K_GT_N'],
    ['passHatK', { n: 3, c: 3, k: 4 }, 'K_GT_N'],
    ['estimatorExpectation', { n: 3, k: 4, p: 0.5 }, 'K_GT_N'],
    ['estimatorExpectation', { n: 3, k: 0, p: 0.5 }, 'K_LT_1'],
    ['estimatorExpectation', { n: 3, k: 2, p: 1.5 }, 'INVALID_INPUT'],
    ['estimatorExpectation', { n: 1e8, k: 2, p: 0.5 }, 'INVALID_INPUT'],
    ['suitePassK', { tasks: [], k: 1 }, 'EMPTY'],
    [
      'suitePassK',
      {
        tasks: [
          { n: 9, c: 9 },
          { n: 2, c: 2 },
        ],
        k: 3,
      },
      'K_GT_N',
    ],
    ['suitePassK', { tasks: [{ n: 0, c: 0 }], k: 3 }, 'N_LT_1'],
    ['bayesPassK', { n: 3, c: 3, k: 5, a: 0 }, 'INVALID_INPUT'],
  ]);

  it('allows k beyond n only where the formula extrapolates', () => {
    for (const group of ['naivePassAtK', 'naivePassHatK', 'bayesPassK']) {
      expect(codeOf(() => run(group, { n: 3, c: 2, k: 9 }))).toBeUndefined();
    }
  });

  it('reports the first broken rule in a fixed order: whole numbers, n, c, k, k against n', () => {
    expect(codeOf(() => run('passAtK', { n: 0, c: 0.5, k: 0 }))).toBe('NOT_INTEGER');
    expect(codeOf(() => run('passAtK', { n: 0, c: 7, k: 0 }))).toBe('N_LT_1');
    expect(codeOf(() => run('passAtK', { n: 3, c: 7, k: 0 }))).toBe('C_OUT_OF_RANGE');
    expect(codeOf(() => run('passAtK', { n: 3, c: 3, k: 0 }))).toBe('K_LT_1');
  });
});

describe('rates', () => {
  refuses(
    rates.flatMap((group): Case[] => [
      [group, { n: 0, c: 0 }, 'N_LT_1'],
      [group, { n: 5, c: 6 }, 'C_OUT_OF_RANGE'],
      [group, { n: 5, c: -1 }, 'C_OUT_OF_RANGE'],
      [group, { n: 5, c: 1.5 }, 'NOT_INTEGER'],
      [group, { n: 5, c: 1, confidence: 1 }, 'INVALID_INPUT'],
      [group, { n: 5, c: 1, confidence: 0 }, 'INVALID_INPUT'],
      [group, { n: 5, c: 1, confidence: 95 }, 'INVALID_INPUT'],
    ]),
  );
  refuses([
    ['threeValuedGate', { n: 0, c: 0, p0: 0.9 }, 'N_LT_1'],
    ['threeValuedGate', { n: 5, c: 5, p0: 0 }, 'INVALID_INPUT'],
    ['threeValuedGate', { n: 5, c: 5, p0: 1 }, 'INVALID_INPUT'],
    ['minTrialsAllPass', { p0: 1 }, 'INVALID_INPUT'],
    ['newcombeDifference', { c1: 1, n1: 0, c2: 1, n2: 2 }, 'N_LT_1'],
    ['newcombeDifference', { c1: 1, n1: 2, c2: 3, n2: 2 }, 'C_OUT_OF_RANGE'],
    ['probBGreaterThanA', { cA: 1, nA: 2, cB: 1, nB: 0 }, 'N_LT_1'],
    ['fisherExact', { a: 1, b: 1, c: 0, d: 0 }, 'N_LT_1'],
    ['fisherExact', { a: -1, b: 1, c: 1, d: 1 }, 'C_OUT_OF_RANGE'],
    ['mcnemar', { b: 0.5, c: 1 }, 'NOT_INTEGER'],
    ['mcnemarEValue', { b: -1, c: 1 }, 'C_OUT_OF_RANGE'],
    ['disagreementProbability', { n: 1, c: 1 }, 'N_LT_2'],
    ['disagreementProbability', { n: 3, c: 4 }, 'C_OUT_OF_RANGE'],
  ]);
});

describe('lists of values', () => {
  refuses([
    ['standardErrorOfMean', { values: [] }, 'N_LT_2'],
    ['clusteredStandardError', { values: [1, 0], clusters: ['a'] }, 'LENGTH_MISMATCH'],
    ['clusteredStandardError', { values: [1], clusters: ['a'] }, 'N_LT_2'],
    ['clusteredStandardError', { values: [1, 0, 1], clusters: ['a', 'a', 'a'] }, 'CLUSTERS_LT_2'],
    ['pairedDifference', { a: [1, 2], b: [1] }, 'LENGTH_MISMATCH'],
    ['kendallTau', { x: [1, 2], y: [1] }, 'LENGTH_MISMATCH'],
    ['kendallTau', { x: [1], y: [1] }, 'N_LT_2'],
    ['pairedPermutation', { differences: [] }, 'EMPTY'],
    ['quantileType7', { values: [], p: 0.5 }, 'EMPTY'],
    ['quantileType7', { values: [1], p: 1.01 }, 'INVALID_INPUT'],
    ['bootstrapMean', { values: [], seed: 1 }, 'EMPTY'],
    ['bootstrapMean', { values: [1, 2], B: 1, seed: 1 }, 'N_LT_2'],
    ['bootstrapMean', { values: [1, 2], B: 10.5, seed: 1 }, 'NOT_INTEGER'],
    ['bootstrapMean', { values: [1, 2], B: 10, seed: 0.1 }, 'NOT_INTEGER'],
    ['bootstrapMean', { values: [1, 2], B: 1e10, seed: 1 }, 'INVALID_INPUT'],
    ['bootstrapExhaustive', { values: [] }, 'EMPTY'],
    ['bootstrapExhaustive', { values: Array.from({ length: 11 }, (_, i) => i) }, 'INVALID_INPUT'],
    ['holm', { p: [0.5, 1.5] }, 'INVALID_INPUT'],
    ['benjaminiHochberg', { p: [-0.1] }, 'INVALID_INPUT'],
    ['bleu4', { references: [], hypothesis: 'a' }, 'EMPTY'],
    ['mulberry32', { seed: 1, count: -1 }, 'C_OUT_OF_RANGE'],
    ['mulberry32', { seed: 1, count: 1e9 }, 'INVALID_INPUT'],
  ]);
});

describe('functions outside the registry', () => {
  it('refuse the same way', () => {
    const one = (passes: number, k: number): unknown =>
      codeOf(() => repeatedPassRateInterval({ cases: [{ passes, k, cluster: null }] }));
    expect(one(1, 0)).toBe('K_LT_1');
    expect(one(2, 1)).toBe('C_OUT_OF_RANGE');
    expect(one(0.5, 1)).toBe('NOT_INTEGER');
    expect(codeOf(() => seededRandom(0.5))).toBe('NOT_INTEGER');
    expect(codeOf(() => pairedPermutationSampled({ differences: [1], samples: 0, seed: 1 }))).toBe(
      'INVALID_INPUT',
    );
  });
});
