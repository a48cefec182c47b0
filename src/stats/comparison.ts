import { DEFAULT_CONFIDENCE } from './defaults.js';
import { binomialLower, binomialProbability, hypergeometric, lowerTail, upperTail } from './discrete.js';
import { optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { wilson, type Interval } from './intervals.js';
import type { Value } from './pass-k.js';
import { sum } from './arithmetic.js';
import { requireCounts, requireInsideUnit, requirePart, requireSize, requireWhole } from './validate.js';

/** Input of {@link mcnemar}: the discordant pairs. */
export interface McnemarInput {
  /** Cases that passed before and fail now. */
  b: number;
  /** Cases that failed before and pass now. */
  c: number;
}

/** Exact p-values of the paired test. */
export interface Mcnemar {
  exactTwoSided: number;
  midP: number;
  /** Small when there are too many flips from pass to fail. */
  oneSidedRegression: number;
}

/**
 * Exact McNemar test on one value a case: two-sided min(1, 2 P(X <= min(b,c))) with X ~ Bin(b+c, 1/2), mid-p minus
 * P(X = min(b,c)), one-sided P(X >= b). All 1 without discordant pairs.
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE below 0. Source: McNemar 1947; mid-p: Fagerland et al. 2013.
 */
export function mcnemar({ b, c }: McnemarInput): Mcnemar {
  requireCounts({ b, c });
  const n = b + c;
  if (n === 0) return { exactTwoSided: 1, midP: 1, oneSidedRegression: 1 };
  const smaller = Math.min(b, c);
  const doubled = 2 * binomialLower(smaller, n, 0.5);
  return {
    exactTwoSided: Math.min(1, doubled),
    midP: Math.min(1, doubled - binomialProbability(smaller, n, 0.5)),
    // the binomial is symmetric: at least b of one kind is at most c of the other
    oneSidedRegression: binomialLower(c, n, 0.5),
  };
}

/** Input of {@link fisherExact}: passes and fails of the base (a, b) and of the new version (c, d). */
export interface FisherInput {
  a: number;
  b: number;
  c: number;
  d: number;
}

/** Exact p-values of a 2x2 table. */
export interface FisherExact {
  twoSided: number;
  /** P(A <= a): small when the base passes too rarely. */
  less: number;
  /** P(A >= a): small when the new version passes too rarely, a regression. */
  greater: number;
}

/** Tables whose probability exceeds the observed one by no more than this factor count as equally extreme. */
const TIE = 1 + 1e-7;

/**
 * Fisher's exact test of [[a, b], [c, d]] = [[base pass, base fail], [new pass, new fail]]: hypergeometric with the
 * margins fixed; two-sided adds all tables not more probable than the observed one.
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE below 0, N_LT_1 when a row has no trials. Source: Fisher 1934.
 */
export function fisherExact({ a, b, c, d }: FisherInput): FisherExact {
  requireCounts({ a, b, c, d });
  requireSize(a + b, 'a + b');
  requireSize(c + d, 'c + d');
  const tables = hypergeometric(a + b + c + d, a + b, a + c);
  const observed = tables.probabilities[a - tables.first] ?? 0;
  return {
    twoSided: Math.min(1, sum(tables.probabilities.filter((probability) => probability <= observed * TIE))),
    less: lowerTail(tables, a),
    greater: upperTail(tables, a),
  };
}

/** Input of {@link newcombeDifference}: c1 of n1 against c2 of n2, unpaired. */
export interface RateDifferenceInput {
  c1: number;
  n1: number;
  c2: number;
  n2: number;
  /** Coverage, strictly inside 0..1. */
  confidence?: number;
}

/** A difference of rates with its interval. */
export interface RateDifference extends Interval {
  diff: number;
}

function requireRate(count: number, size: number, countName: string, sizeName: string): void {
  requireWhole({ [countName]: count });
  requireSize(size, sizeName);
  requirePart(count, size, countName, sizeName);
}

/**
 * Hybrid-score interval of p1 - p2: d - sqrt((p1-l1)^2 + (u2-p2)^2) to d + sqrt((u1-p1)^2 + (p2-l2)^2) with the
 * Wilson ends l, u of each rate. Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT for confidence.
 * Source: Newcombe 1998, method 10.
 */
export function newcombeDifference(input: RateDifferenceInput): RateDifference {
  const { c1, n1, c2, n2, confidence = DEFAULT_CONFIDENCE } = input;
  requireRate(c1, n1, 'c1', 'n1');
  requireRate(c2, n2, 'c2', 'n2');
  requireInsideUnit({ confidence });
  const p1 = c1 / n1;
  const p2 = c2 / n2;
  const first = wilson({ n: n1, c: c1, confidence });
  const second = wilson({ n: n2, c: c2, confidence });
  const diff = p1 - p2;
  return {
    diff,
    lo: Math.max(-1, diff - Math.hypot(p1 - first.lo, second.hi - p2)),
    hi: Math.min(1, diff + Math.hypot(first.hi - p1, p2 - second.lo)),
  };
}

/** Input of {@link probBGreaterThanA}: cA of nA against cB of nB. */
export interface TwoRatesInput {
  cA: number;
  nA: number;
  cB: number;
  nB: number;
}

/**
 * P(pB > pA) for independent Beta(1, 1) priors. Seen as order statistics of uniforms, pA < pB exactly when at least
 * cA+1 of the first cA+cB+1 of all nA+nB+2 uniforms belong to A: a hypergeometric tail, exact and without cancellation.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE. Source: Altham 1969 gives the link of Beta and hypergeometric tails.
 */
export function probBGreaterThanA({ cA, nA, cB, nB }: TwoRatesInput): Value {
  requireRate(cA, nA, 'cA', 'nA');
  requireRate(cB, nB, 'cB', 'nB');
  return { value: upperTail(hypergeometric(nA + nB + 2, nA + 1, cA + cB + 1), cA + 1) };
}

/** The groups of this file. */
export const comparisonGroups: readonly StatsGroup[] = [
  defineGroup<McnemarInput, Mcnemar>({
    name: 'mcnemar',
    summary: 'Did the suite change, one value a case? Exact paired test on the flipped cases.',
    formula: 'min(1, 2 P(X <= min(b,c))), X ~ Bin(b+c, 1/2)',
    fields: { b: whole('cases flipped from pass to fail'), c: whole('cases flipped from fail to pass') },
    outputs: {
      exactTwoSided: 'two-sided p',
      midP: 'mid-p, less conservative',
      oneSidedRegression: 'p for a regression',
    },
    example: { b: 10, c: 2 },
    compute: mcnemar,
  }),
  defineGroup<FisherInput, FisherExact>({
    name: 'fisherExact',
    summary: 'Did one case change? Baseline trials against new trials, unpaired.',
    formula: 'hypergeometric; two-sided = sum of table probabilities not above the observed one',
    fields: {
      a: whole('base passes'),
      b: whole('base fails'),
      c: whole('new passes'),
      d: whole('new fails'),
    },
    outputs: { twoSided: 'two-sided p', less: 'p for an improvement', greater: 'p for a regression' },
    example: { a: 10, b: 0, c: 7, d: 3 },
    compute: fisherExact,
  }),
  defineGroup<RateDifferenceInput, RateDifference>({
    name: 'newcombeDifference',
    summary: 'Interval of the difference of two unpaired pass rates.',
    formula: 'p1 - p2 with the Wilson ends of each rate (hybrid score)',
    fields: {
      c1: whole('passes of the first'),
      n1: whole('trials of the first'),
      c2: whole('passes of the second'),
      n2: whole('trials of the second'),
      confidence: optional(real('coverage, inside 0..1'), DEFAULT_CONFIDENCE),
    },
    outputs: { diff: 'p1 - p2', lo: 'lower end', hi: 'upper end' },
    example: { c1: 56, n1: 70, c2: 48, n2: 80, confidence: 0.95 },
    compute: newcombeDifference,
  }),
  defineGroup<TwoRatesInput, Value>({
    name: 'probBGreaterThanA',
    summary: 'Probability that B has the higher pass rate, under uniform priors.',
    formula: 'P(pB > pA), p ~ Beta(1+c, 1+n-c)',
    fields: {
      cA: whole('passes of A'),
      nA: whole('trials of A'),
      cB: whole('passes of B'),
      nB: whole('trials of B'),
    },
    outputs: { value: 'probability' },
    example: { cA: 5, nA: 10, cB: 8, nB: 10 },
    compute: probBGreaterThanA,
  }),
];
