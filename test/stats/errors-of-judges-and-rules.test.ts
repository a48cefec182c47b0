import { describe, expect, it } from 'vitest';
import { refuses } from './refuses.js';
import { codeOf, run } from './run.js';

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
    ['sprtOperatingCharacteristic', { p0: 0.9, p1: 0.7, nMax: 1e6, p: 0.5 }, 'INVALID_INPUT'],
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
