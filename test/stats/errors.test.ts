import { describe, expect, it } from 'vitest';
import { pairedPermutationSampled, repeatedPassRateInterval, seededRandom } from '../../src/stats/index.js';
import { codeOf, run } from './run.js';

type Case = [group: string, input: Record<string, unknown>, code: string];

function refuses(cases: readonly Case[]): void {
  it.each(cases)('%s refuses %o with %s', (group, input, code) => {
    expect(codeOf(() => run(group, input))).toBe(code);
  });
}

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
    ['bootstrapExhaustive', { values: [] }, 'EMPTY'],
    ['bootstrapExhaustive', { values: Array.from({ length: 11 }, (_, i) => i) }, 'INVALID_INPUT'],
    ['holm', { p: [0.5, 1.5] }, 'INVALID_INPUT'],
    ['benjaminiHochberg', { p: [-0.1] }, 'INVALID_INPUT'],
    ['bleu4', { references: [], hypothesis: 'a' }, 'EMPTY'],
    ['mulberry32', { seed: 1, count: -1 }, 'C_OUT_OF_RANGE'],
    ['mulberry32', { seed: 1, count: 1e9 }, 'INVALID_INPUT'],
  ]);
});

describe('judges and raters', () => {
  const judged = {
    judgePass: 5,
    n: 10,
    truePass: { judgePass: 9, total: 10 },
    trueFail: { judgeFail: 9, total: 10 },
  };
  refuses([
    ['sensitivitySpecificity', { tp: 1, fn: 1, tn: 0, fp: 0 }, 'MISSING_CLASS'],
    ['sensitivitySpecificity', { tp: 1, fn: -1, tn: 1, fp: 1 }, 'C_OUT_OF_RANGE'],
    ['judgeTrust', { tp: 1, fn: 1, tn: 1, fp: 1, bar: 1 }, 'INVALID_INPUT'],
    ['positionBias', { pairs: [] }, 'EMPTY'],
    ['altTest', { llm: [1, 0], humans: [[1, 0]], epsilon: 0.2 }, 'RATERS_LT_2'],
    ['altTest', { llm: [1, 0], humans: [[1, 0], [1]], epsilon: 0.2 }, 'LENGTH_MISMATCH'],
    ['altTest', { llm: [1], humans: [[1], [1]], epsilon: 0.2 }, 'N_LT_2'],
    ['cohenKappa', { table: [] }, 'EMPTY'],
    [
      'cohenKappa',
      {
        table: [
          [0, 0],
          [0, 0],
        ],
      },
      'EMPTY',
    ],
    [
      'cohenKappa',
      {
        table: [
          [1, 2, 3],
          [1, 2, 3],
        ],
      },
      'LENGTH_MISMATCH',
    ],
    ['cohenKappa', { table: [[1, 2], [1]] }, 'LENGTH_MISMATCH'],
    [
      'cohenKappa',
      {
        table: [
          [1, 2],
          [1, 0.5],
        ],
      },
      'NOT_INTEGER',
    ],
    [
      'gwetAC1',
      {
        table: [
          [1, 2],
          [1, -1],
        ],
      },
      'C_OUT_OF_RANGE',
    ],
    ['weightedKappa', { table: [[3]], weights: 'linear' }, 'INVALID_INPUT'],
    ['fleissKappa', { counts: [] }, 'EMPTY'],
    [
      'fleissKappa',
      {
        counts: [
          [1, 0],
          [1, 1],
        ],
      },
      'UNEQUAL_RATERS',
    ],
    [
      'fleissKappa',
      {
        counts: [
          [1, 0],
          [0, 1],
        ],
      },
      'RATERS_LT_2',
    ],
    ['krippendorffAlpha', { ratings: [] }, 'EMPTY'],
    ['krippendorffAlpha', { ratings: [[1, 2]] }, 'RATERS_LT_2'],
    ['krippendorffAlpha', { ratings: [[1, 2], [1]] }, 'LENGTH_MISMATCH'],
    [
      'krippendorffAlpha',
      {
        ratings: [
          [1, null],
          [null, 1],
        ],
      },
      'NO_PAIRABLE_VALUES',
    ],
    [
      'krippendorffAlpha',
      {
        ratings: [
          [-1, 2],
          [1, 2],
        ],
        level: 'ratio',
      },
      'INVALID_INPUT',
    ],
    ['icc11', { table: [[1, 0]] }, 'N_LT_2'],
    ['icc11', { table: [[1], [0]] }, 'N_LT_2'],
    ['roganGladen', { ...judged, n: 0 }, 'N_LT_1'],
    ['roganGladen', { ...judged, judgePass: 11 }, 'C_OUT_OF_RANGE'],
    ['roganGladen', { ...judged, truePass: { judgePass: 0, total: 0 } }, 'MISSING_CLASS'],
    ['roganGladen', { ...judged, trueFail: { judgeFail: 11, total: 10 } }, 'C_OUT_OF_RANGE'],
    ['roganGladen', { ...judged, trueFail: { judgeFail: 1, total: 10 } }, 'JUDGE_NOT_BETTER_THAN_CHANCE'],
    [
      'roganGladenAdjusted',
      { ...judged, trueFail: { judgeFail: 1, total: 10 } },
      'JUDGE_NOT_BETTER_THAN_CHANCE',
    ],
    ['predictionPoweredMean', { gold: [1, 0], judgeOnGold: [1], judgeOnRest: [1, 1] }, 'LENGTH_MISMATCH'],
    ['predictionPoweredMean', { gold: [1], judgeOnGold: [1], judgeOnRest: [1, 1] }, 'N_LT_2'],
    [
      'predictionPoweredMean',
      { gold: [1, 0], judgeOnGold: [1, 0], judgeOnRest: [1, 0], lambda: 2 },
      'INVALID_INPUT',
    ],
  ]);

  it('decides better than chance in whole numbers: 7/10 and 3/10 are exactly chance, 7/10 and 4/10 are not', () => {
    const withRates = (pass: number, fail: number): unknown =>
      codeOf(() =>
        run('roganGladen', {
          ...judged,
          truePass: { judgePass: pass, total: 10 },
          trueFail: { judgeFail: fail, total: 10 },
        }),
      );
    for (let pass = 0; pass <= 10; pass += 1) {
      expect(withRates(pass, 10 - pass)).toBe('JUDGE_NOT_BETTER_THAN_CHANCE');
      if (pass > 0) expect(withRates(pass, 11 - pass)).toBeUndefined();
    }
  });
});

describe('rankings, plans and stopping rules', () => {
  refuses([
    ['elo', { players: ['A', 'A'], games: [] }, 'INVALID_INPUT'],
    ['elo', { players: ['A', 'B'], games: [['A', 'C', 1]] }, 'INVALID_INPUT'],
    ['elo', { players: ['A', 'B'], games: [['A', 'A', 1]] }, 'INVALID_INPUT'],
    ['elo', { players: ['A', 'B'], games: [['A', 'B', 2]] }, 'INVALID_INPUT'],
    [
      'bradleyTerry',
      {
        wins: [
          [0, 5],
          [0, 0],
        ],
      },
      'NOT_STRONGLY_CONNECTED',
    ],
    [
      'bradleyTerry',
      {
        wins: [
          [1, 5],
          [1, 0],
        ],
      },
      'INVALID_INPUT',
    ],
    [
      'bradleyTerry',
      {
        wins: [
          [0, -5],
          [1, 0],
        ],
      },
      'INVALID_INPUT',
    ],
    [
      'bradleyTerry',
      {
        wins: [
          [0, 5, 1],
          [1, 0, 1],
        ],
      },
      'LENGTH_MISMATCH',
    ],
    ['bradleyTerry', { wins: [] }, 'EMPTY'],
    ['mdeMiller', { omega2: 1, sigmaA2: 1, sigmaB2: 1, KA: 0, KB: 1, n: 5 }, 'K_LT_1'],
    ['mdeMiller', { omega2: 1, sigmaA2: 1, sigmaB2: 1, KA: 1, KB: 1, n: 0 }, 'N_LT_1'],
    ['mdeMiller', { omega2: -1, sigmaA2: 1, sigmaB2: 1, KA: 1, KB: 1, n: 5 }, 'INVALID_INPUT'],
    ['mdeFromSe', { se: -1 }, 'INVALID_INPUT'],
    ['sampleSizePairedBinary', { p10: 0.6, p01: 0.5 }, 'INVALID_INPUT'],
    ['sprt', { p0: 0.7, p1: 0.9, sequence: [] }, 'INVALID_INPUT'],
    ['sprt', { p0: 0.9, p1: 0.7, alpha: 0.6, beta: 0.4, sequence: [] }, 'INVALID_INPUT'],
    ['sprtOperatingCharacteristic', { p0: 0.9, p1: 0.7, nMax: 0, p: 0.5 }, 'N_LT_1'],
    ['betaBinomialEValue', { n: 3, c: 4, p0: 0.5 }, 'C_OUT_OF_RANGE'],
    ['betaBinomialEValue', { n: -1, c: 0, p0: 0.5 }, 'N_LT_1'],
    ['hoeffdingMixtureConfidenceSequence', { n: 0, mean: 0.5, rho: 5 }, 'N_LT_1'],
    ['hoeffdingMixtureConfidenceSequence', { n: 5, mean: 1.5, rho: 5 }, 'INVALID_INPUT'],
    ['curtailedVerdict', { n: 5, need: 6, sequence: [] }, 'K_GT_N'],
    ['curtailedVerdict', { n: 5, need: 0, sequence: [] }, 'K_LT_1'],
    ['curtailedVerdict', { n: 0, need: 1, sequence: [] }, 'N_LT_1'],
    ['curtailedUnbiasedRate', { n: 5, need: 4, passes: 3, fails: 1 }, 'NOT_A_STOPPING_POINT'],
    ['curtailedUnbiasedRate', { n: 5, need: 4, passes: 4, fails: 2 }, 'NOT_A_STOPPING_POINT'],
    ['curtailedUnbiasedRate', { n: 5, need: 4, passes: 5, fails: 0 }, 'NOT_A_STOPPING_POINT'],
    ['curtailedUnbiasedRate', { n: 5, need: 4, passes: -1, fails: 2 }, 'C_OUT_OF_RANGE'],
    ['predictiveVerdict', { n: 5, need: 4, done: 6, passes: 1 }, 'K_GT_N'],
    ['predictiveVerdict', { n: 5, need: 4, done: 2, passes: 3 }, 'C_OUT_OF_RANGE'],
    ['normalQuantile', { p: 0 }, 'INVALID_INPUT'],
    ['normalQuantile', { p: 1 }, 'INVALID_INPUT'],
    ['betaCdf', { x: 1.5, a: 1, b: 1 }, 'INVALID_INPUT'],
    ['betaQuantile', { q: 0.5, a: 0, b: 1 }, 'INVALID_INPUT'],
    ['studentTCdf', { t: 1, df: 0 }, 'INVALID_INPUT'],
    ['studentTQuantile', { p: 1e-40, df: 0.1 }, 'INVALID_INPUT'],
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
