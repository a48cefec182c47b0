import { ceilTolerant, clamp } from './arithmetic.js';
import { betaPoint } from './beta.js';
import { DEFAULT_ALPHA, DEFAULT_CONFIDENCE, JEFFREYS } from './defaults.js';
import { optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { twoSidedZ } from './normal.js';
import { requireInsideUnit, requirePositive, requireTrials } from './validate.js';

/** A rate: c passes among n scored trials. */
export interface RateInput {
  /** Scored trials, at least 1. */
  n: number;
  /** Passes, 0..n. */
  c: number;
  /** Coverage, strictly inside 0..1; 0.95 unless given. */
  confidence?: number;
}

/** A two-sided interval. */
export interface Interval {
  lo: number;
  hi: number;
}

function checked({ n, c, confidence = DEFAULT_CONFIDENCE }: RateInput): Required<RateInput> {
  requireTrials(n, c);
  requireInsideUnit({ confidence });
  return { n, c, confidence };
}

/** One end of the score interval for a proportion p of n: the + or - root of the score equation. */
function scoreBound(p: number, n: number, z: number, side: 1 | -1): number {
  const shrink = 1 + (z * z) / n;
  const centre = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + ((z / n) * (z / n)) / 4);
  return clamp((centre + side * half) / shrink, 0, 1);
}

/**
 * Wilson's score interval: centre (p + z^2/2n)/(1 + z^2/n), half width z/(1 + z^2/n) * sqrt(p(1-p)/n + z^2/4n^2);
 * exactly 0 at c = 0 and 1 at c = n.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for confidence. Source: Wilson 1927.
 */
export function wilson(input: RateInput): Interval {
  const { n, c, confidence } = checked(input);
  const z = twoSidedZ(confidence);
  return {
    lo: c === 0 ? 0 : scoreBound(c / n, n, z, -1),
    hi: c === n ? 1 : scoreBound(c / n, n, z, 1),
  };
}

/**
 * Wilson's interval with continuity correction: the score bounds of (c - 1/2)/n and (c + 1/2)/n, without the cap that
 * R puts on the correction when c is within 1/2 of n/2.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for confidence. Source: Newcombe 1998, method 4.
 */
export function wilsonContinuity(input: RateInput): Interval {
  const { n, c, confidence } = checked(input);
  const z = twoSidedZ(confidence);
  return {
    lo: c === 0 ? 0 : scoreBound((c - 0.5) / n, n, z, -1),
    hi: c === n ? 1 : scoreBound((c + 0.5) / n, n, z, 1),
  };
}

/** Exact one-sided lower bound at error rate alpha: the Beta(c, n-c+1) quantile of alpha, 0 at c = 0. */
export function exactLower(n: number, c: number, alpha: number): number {
  return c === 0 ? 0 : betaPoint(c, n - c + 1, { lower: alpha, upper: 1 - alpha }).x;
}

/** Exact one-sided upper bound at error rate alpha: the Beta(c+1, n-c) quantile of 1-alpha, 1 at c = n. */
export function exactUpper(n: number, c: number, alpha: number): number {
  return c === n ? 1 : betaPoint(c + 1, n - c, { lower: 1 - alpha, upper: alpha }).x;
}

/**
 * Clopper and Pearson's exact interval: Beta(alpha/2; c, n-c+1) to Beta(1-alpha/2; c+1, n-c).
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for confidence. Source: Clopper and Pearson 1934.
 */
export function clopperPearson(input: RateInput): Interval {
  const { n, c, confidence } = checked(input);
  const tail = (1 - confidence) / 2;
  return { lo: exactLower(n, c, tail), hi: exactUpper(n, c, tail) };
}

/**
 * Exact one-sided lower bound, the one a gate needs: Beta(1-confidence; c, n-c+1), which is (1-confidence)^(1/n) when
 * everything passed. Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for confidence.
 */
export function clopperPearsonLowerOneSided(input: RateInput): { lo: number } {
  const { n, c, confidence } = checked(input);
  return { lo: exactLower(n, c, 1 - confidence) };
}

/** Input of {@link betaBinomialCredible}. */
export interface CredibleInput extends RateInput {
  /** Prior pass weight, above 0; 0.5 is Jeffreys' prior, 1 the uniform one. */
  a?: number;
  /** Prior fail weight, above 0. */
  b?: number;
}

/** An interval with the posterior mean. */
export interface CredibleInterval extends Interval {
  mean: number;
}

/**
 * Equal-tailed credible interval of the posterior Beta(a+c, b+n-c), and its mean (a+c)/(a+b+n). Raw quantiles also at
 * c = 0 and c = n. Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for a prior or confidence.
 */
export function betaBinomialCredible(input: CredibleInput): CredibleInterval {
  const { n, c, confidence } = checked(input);
  const { a = JEFFREYS, b = JEFFREYS } = input;
  requirePositive({ a, b });
  const tail = (1 - confidence) / 2;
  const passes = a + c;
  const fails = b + n - c;
  return {
    lo: betaPoint(passes, fails, { lower: tail, upper: 1 - tail }).x,
    hi: betaPoint(passes, fails, { lower: 1 - tail, upper: tail }).x,
    mean: passes / (passes + fails),
  };
}

/** Input of {@link minTrialsAllPass}. */
export interface MinTrialsInput {
  /** Pass rate to certify, strictly inside 0..1. */
  p0: number;
  /** One-sided error rate, strictly inside 0..1. */
  alpha?: number;
}

/**
 * Smallest n such that n passes out of n certify a pass rate of at least p0: ceil(ln alpha / ln p0).
 * Errors: INVALID_INPUT unless p0 and alpha lie strictly inside 0..1.
 */
export function minTrialsAllPass({ p0, alpha = DEFAULT_ALPHA }: MinTrialsInput): { n: number } {
  requireInsideUnit({ p0, alpha });
  return { n: Math.max(1, ceilTolerant(Math.log(alpha) / Math.log(p0))) };
}

const rate = {
  n: whole('scored trials'),
  c: whole('passes among the n trials'),
  confidence: optional(real('coverage, inside 0..1'), DEFAULT_CONFIDENCE),
};
const ends = { lo: 'lower end', hi: 'upper end' };
const nineOfTen = { n: 10, c: 9, confidence: 0.95 };

/** The groups of this file. */
export const intervalGroups: readonly StatsGroup[] = [
  defineGroup<RateInput, Interval>({
    name: 'wilson',
    summary: 'Interval of a pass rate, for display.',
    formula: '(p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)',
    fields: rate,
    outputs: ends,
    example: nineOfTen,
    compute: wilson,
  }),
  defineGroup<RateInput, Interval>({
    name: 'wilsonContinuity',
    summary: 'Wilson interval with continuity correction.',
    formula: 'score bounds of (c - 1/2)/n and (c + 1/2)/n',
    fields: rate,
    outputs: ends,
    example: nineOfTen,
    compute: wilsonContinuity,
  }),
  defineGroup<RateInput, Interval>({
    name: 'clopperPearson',
    summary: 'Exact interval of a pass rate.',
    formula: 'Beta(alpha/2; c, n-c+1) to Beta(1-alpha/2; c+1, n-c)',
    fields: rate,
    outputs: ends,
    example: nineOfTen,
    compute: clopperPearson,
  }),
  defineGroup<RateInput, { lo: number }>({
    name: 'clopperPearsonLowerOneSided',
    summary: 'Exact one-sided lower bound of a pass rate, for gates.',
    formula: 'Beta(alpha; c, n-c+1), alpha = 1 - confidence',
    fields: rate,
    outputs: { lo: 'lower bound' },
    example: { n: 20, c: 20, confidence: 0.95 },
    compute: clopperPearsonLowerOneSided,
  }),
  defineGroup<CredibleInput, CredibleInterval>({
    name: 'betaBinomialCredible',
    summary: 'Equal-tailed credible interval and mean of a pass rate under a Beta prior.',
    formula: 'quantiles and mean of Beta(a+c, b+n-c)',
    fields: {
      ...rate,
      a: optional(real('prior pass weight'), JEFFREYS),
      b: optional(real('prior fail weight'), JEFFREYS),
    },
    outputs: { ...ends, mean: 'posterior mean' },
    example: { n: 10, c: 9, a: 0.5, b: 0.5, confidence: 0.95 },
    compute: betaBinomialCredible,
  }),
  defineGroup<MinTrialsInput, { n: number }>({
    name: 'minTrialsAllPass',
    summary: 'How many passes in a row certify a pass rate.',
    formula: 'ceil(ln(alpha) / ln(p0))',
    fields: {
      p0: real('pass rate to certify'),
      alpha: optional(real('one-sided error rate'), DEFAULT_ALPHA),
    },
    outputs: { n: 'trials, all of which must pass' },
    example: { p0: 0.9, alpha: 0.05 },
    compute: minTrialsAllPass,
  }),
];
