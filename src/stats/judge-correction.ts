import { at, clamp, mean, sampleVariance, sumOfProducts, sumOfSquares } from './arithmetic.js';
import { DEFAULT_CONFIDENCE } from './defaults.js';
import { StatsError } from './error.js';
import { list, nullable, optional, real, record, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import type { Interval } from './intervals.js';
import { twoSidedZ } from './normal.js';
import {
  requireCounts,
  requireFinite,
  requireInsideUnit,
  requirePart,
  requireSameLength,
  requireSize,
  requireTwo,
  requireUnit,
  requireWhole,
} from './validate.js';

/** A judged pass rate and the judge's record on gold labels; the positive class is "human says pass". */
export interface JudgedRateInput {
  /** Items the judge passed. */
  judgePass: number;
  /** Items judged, at least 1; disjoint from the gold items. */
  n: number;
  /** Gold items a human passed, and how many of them the judge passed. */
  truePass: { judgePass: number; total: number };
  /** Gold items a human failed, and how many of them the judge failed. */
  trueFail: { judgeFail: number; total: number };
}

function requireJudged({ judgePass, n, truePass, trueFail }: JudgedRateInput): void {
  requireWhole({ judgePass, n });
  requireSize(n);
  requirePart(judgePass, n, 'judgePass', 'n');
  requireCounts({ 'truePass.total': truePass.total, 'trueFail.total': trueFail.total });
  if (truePass.total === 0 || trueFail.total === 0) {
    throw new StatsError(
      'MISSING_CLASS',
      'the gold set needs items that humans passed and items that they failed',
    );
  }
  requireWhole({ 'truePass.judgePass': truePass.judgePass, 'trueFail.judgeFail': trueFail.judgeFail });
  requirePart(truePass.judgePass, truePass.total, 'truePass.judgePass', 'truePass.total');
  requirePart(trueFail.judgeFail, trueFail.total, 'trueFail.judgeFail', 'trueFail.total');
}

/**
 * sensitivity + specificity - 1 after adding to both classes, formed in whole numbers so that rounding cannot decide
 * its sign. Throws JUDGE_NOT_BETTER_THAN_CHANCE unless it is above 0.
 */
function judgeSkill(
  { truePass, trueFail }: JudgedRateInput,
  added: { right: number; total: number },
): number {
  const passes = truePass.total + added.total;
  const fails = trueFail.total + added.total;
  const right = (truePass.judgePass + added.right) * fails + (trueFail.judgeFail + added.right) * passes;
  if (right <= passes * fails) {
    throw new StatsError(
      'JUDGE_NOT_BETTER_THAN_CHANCE',
      'sensitivity + specificity is at most 1: the judged rate says nothing about the true rate',
    );
  }
  return (right - passes * fails) / passes / fails;
}

const UNADJUSTED = { right: 0, total: 0 };
/** One success and one failure added to each class. */
const ADJUSTED = { right: 1, total: 2 };

/** A pass rate corrected for the judge's errors. */
export interface RoganGladen extends Interval {
  sens: number;
  spec: number;
  /** Corrected rate before it is cut to 0..1. */
  raw: number;
  estimate: number;
  se: number;
}

/**
 * Pass rate corrected for judge errors: raw = (p + spec - 1)/J with J = sens + spec - 1, cut to 0..1;
 * se^2 = [p(1-p)/n + raw^2 sens(1-sens)/n1 + (1-raw)^2 spec(1-spec)/n0]/J^2; 95% interval raw +- z*se, cut.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, MISSING_CLASS, JUDGE_NOT_BETTER_THAN_CHANCE.
 * Source: Rogan and Gladen 1978.
 */
export function roganGladen(input: JudgedRateInput): RoganGladen {
  requireJudged(input);
  const { judgePass, n, truePass, trueFail } = input;
  const p = judgePass / n;
  const sens = truePass.judgePass / truePass.total;
  const spec = trueFail.judgeFail / trueFail.total;
  const skill = judgeSkill(input, UNADJUSTED);
  const raw = (p + spec - 1) / skill;
  const variance =
    (p * (1 - p)) / n +
    (raw ** 2 * sens * (1 - sens)) / truePass.total +
    ((1 - raw) ** 2 * spec * (1 - spec)) / trueFail.total;
  const se = Math.sqrt(variance) / skill;
  const half = twoSidedZ(DEFAULT_CONFIDENCE) * se;
  return {
    sens,
    spec,
    raw,
    estimate: clamp(raw, 0, 1),
    se,
    lo: clamp(raw - half, 0, 1),
    hi: clamp(raw + half, 0, 1),
  };
}

/**
 * 95% interval of the corrected rate with adjusted counts, better than roganGladen on small gold sets:
 * p~ = (x + z^2/2)/(n + z^2), q~ = (y + 1)/(m + 2), th = (p~ + q0~ - 1)/J~, moved by
 * 2 z^2 [-(1-th) q0(1-q0)/m0 + th q1(1-q1)/m1], with the adjusted sizes throughout.
 * Errors: as roganGladen; also JUDGE_NOT_BETTER_THAN_CHANCE when the adjusted rates add up to 1 or less.
 * Source: Lee et al. 2025, "How to Correctly Report LLM-as-a-Judge Evaluations".
 */
export function roganGladenAdjusted(input: JudgedRateInput): Interval {
  requireJudged(input);
  judgeSkill(input, UNADJUSTED);
  const { judgePass, n, truePass, trueFail } = input;
  const z = twoSidedZ(DEFAULT_CONFIDENCE);
  const size = n + z * z;
  const p = (judgePass + (z * z) / 2) / size;
  const passSize = truePass.total + 2;
  const failSize = trueFail.total + 2;
  const sens = (truePass.judgePass + 1) / passSize;
  const spec = (trueFail.judgeFail + 1) / failSize;
  const skill = judgeSkill(input, ADJUSTED);
  const rate = (p + spec - 1) / skill;
  const passNoise = (sens * (1 - sens)) / passSize;
  const failNoise = (spec * (1 - spec)) / failSize;
  const shift = 2 * z * z * (rate * passNoise - (1 - rate) * failNoise);
  const variance = (p * (1 - p)) / size + (1 - rate) ** 2 * failNoise + rate ** 2 * passNoise;
  const half = (z * Math.sqrt(variance)) / skill;
  return { lo: clamp(rate + shift - half, 0, 1), hi: clamp(rate + shift + half, 0, 1) };
}

/** Input of {@link predictionPoweredMean}. */
export interface PredictionPoweredInput {
  /** Human scores, at least two, of items drawn at random from the same pool as the rest. */
  gold: readonly number[];
  /** Judge scores of the same items. */
  judgeOnGold: readonly number[];
  /** Judge scores of the items without human score, at least two. */
  judgeOnRest: readonly number[];
  /** Trust in the judge, 0..1: 1 plain, 0 gold only, null or left out tuned from the data. */
  lambda?: number | null;
  /** Coverage, strictly inside 0..1. */
  confidence?: number;
}

/** A mean estimated from few human and many judge scores. */
export interface PredictionPoweredMean extends Interval {
  /** The trust used. */
  lambda_: number;
  estimate: number;
  /** 0 when nothing varies: then the data are degenerate, not certain. */
  se: number;
  /** Mean of the human scores alone. */
  classical: number;
  /** Mean of the judge scores of the rest alone. */
  judgeOnly: number;
}

/**
 * Mean from few human and many judge scores: lam * mean(rest) + mean(gold - lam * judge);
 * se^2 = lam^2 var(rest)/N + var(gold - lam * judge)/n with population variances; tuned
 * lam = cov(gold, judge)/((1 + n/N) var(all judge scores)), cut to 0..1, 0 when the judge never varies.
 * Errors: LENGTH_MISMATCH, N_LT_2, INVALID_INPUT. Source: Angelopoulos et al. 2023, "PPI++".
 */
export function predictionPoweredMean(input: PredictionPoweredInput): PredictionPoweredMean {
  const { gold, judgeOnGold, judgeOnRest, lambda = null, confidence = DEFAULT_CONFIDENCE } = input;
  requireSameLength(gold, judgeOnGold, 'gold', 'judgeOnGold');
  for (const [name, values] of Object.entries({ gold, judgeOnGold, judgeOnRest })) {
    requireTwo(values, name);
    requireFinite(name, values);
  }
  requireInsideUnit({ confidence });
  if (lambda !== null) requireUnit({ lambda });
  const n = gold.length;
  const rest = judgeOnRest.length;
  const trust = lambda ?? tunedTrust(gold, judgeOnGold, judgeOnRest);
  const rectified = gold.map((value, index) => value - trust * at(judgeOnGold, index));
  const estimate = trust * mean(judgeOnRest) + mean(rectified);
  const restVariance = (trust * trust * sumOfSquares(judgeOnRest)) / rest / rest;
  const se = Math.sqrt(restVariance + sumOfSquares(rectified) / n / n);
  const half = twoSidedZ(confidence) * se;
  return {
    lambda_: trust,
    estimate,
    se,
    lo: estimate - half,
    hi: estimate + half,
    classical: mean(gold),
    judgeOnly: mean(judgeOnRest),
  };
}

function tunedTrust(gold: readonly number[], judge: readonly number[], rest: readonly number[]): number {
  const spread = sampleVariance([...judge, ...rest]);
  if (spread === 0) return 0;
  const covariance = sumOfProducts(gold, judge) / gold.length;
  return clamp(covariance / ((1 + gold.length / rest.length) * spread), 0, 1);
}

const judged = {
  judgePass: whole('items the judge passed'),
  n: whole('items judged'),
  truePass: record('gold items that humans passed', {
    judgePass: whole('of these, passed by the judge'),
    total: whole('how many'),
  }),
  trueFail: record('gold items that humans failed', {
    judgeFail: whole('of these, failed by the judge'),
    total: whole('how many'),
  }),
};
const judgedExample = {
  judgePass: 400,
  n: 500,
  truePass: { judgePass: 46, total: 50 },
  trueFail: { judgeFail: 44, total: 50 },
};

/** The groups of this file. */
export const judgeCorrectionGroups: readonly StatsGroup[] = [
  defineGroup<JudgedRateInput, RoganGladen>({
    name: 'roganGladen',
    summary: "True pass rate behind a judged one, from the judge's sensitivity and specificity.",
    formula: '(p + spec - 1)/(sens + spec - 1), cut to 0..1',
    fields: judged,
    outputs: {
      sens: 'sensitivity',
      spec: 'specificity',
      raw: 'corrected rate before the cut',
      estimate: 'corrected rate',
      se: 'standard error',
      lo: 'lower end, 95%',
      hi: 'upper end, 95%',
    },
    example: judgedExample,
    compute: roganGladen,
  }),
  defineGroup<JudgedRateInput, Interval>({
    name: 'roganGladenAdjusted',
    summary: 'Interval of the true pass rate behind a judged one, for small gold sets.',
    formula: 'th = (p~ + q0~ - 1)/(q0~ + q1~ - 1), shifted, with adjusted counts',
    fields: judged,
    outputs: { lo: 'lower end, 95%', hi: 'upper end, 95%' },
    example: judgedExample,
    compute: roganGladenAdjusted,
  }),
  defineGroup<PredictionPoweredInput, PredictionPoweredMean>({
    name: 'predictionPoweredMean',
    summary: 'Mean of human scores, sharpened by judge scores of many more items.',
    formula: 'lam * mean(rest) + mean(gold - lam * judge)',
    fields: {
      gold: list('human scores', real('a score')),
      judgeOnGold: list('judge scores of the same items', real('a score')),
      judgeOnRest: list('judge scores of the other items', real('a score')),
      lambda: optional(nullable(real('trust in the judge, 0..1; null tunes it')), null),
      confidence: optional(real('coverage, inside 0..1'), DEFAULT_CONFIDENCE),
    },
    outputs: {
      lambda_: 'trust used',
      estimate: 'the mean',
      se: 'standard error',
      lo: 'lower end',
      hi: 'upper end',
      classical: 'human scores alone',
      judgeOnly: 'judge scores of the rest alone',
    },
    example: {
      gold: [1, 0, 1, 1],
      judgeOnGold: [1, 0, 1, 1],
      judgeOnRest: [1, 1, 0, 1, 1, 0, 1, 1],
      lambda: null,
    },
    compute: predictionPoweredMean,
  }),
];
