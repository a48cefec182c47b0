import { DEFAULT_ALPHA, UNIFORM } from './defaults.js';
import { StatsError } from './error.js';
import { optional, real, whole } from './field.js';
import { logBeta, logBetaTerm } from './gamma.js';
import { defineGroup, type StatsGroup } from './group.js';
import type { Interval } from './intervals.js';
import { solveIncreasing } from './root.js';
import {
  requireCounts,
  requireInsideUnit,
  requirePart,
  requirePositive,
  requireSize,
  requireUnit,
  requireWhole,
} from './validate.js';

/** A prior and what was seen so far; n may be 0. */
export interface EvidenceCounts {
  /** Scored trials so far, at least 0. */
  n: number;
  /** Passes, 0..n. */
  c: number;
  /** Prior pass weight, above 0, fixed before the first trial. */
  a?: number;
  /** Prior fail weight, above 0. */
  b?: number;
}

/** An e-value: evidence against the hypothesis, valid however often one looks. */
export interface EValue {
  e: number;
}

function checked({ n, c, a = UNIFORM, b = UNIFORM }: EvidenceCounts): Required<EvidenceCounts> {
  requireWhole({ n, c });
  if (n < 0) throw new StatsError('N_LT_1', `n must be 0 or more, got ${n}`);
  requirePart(c, n, 'c', 'n');
  requirePositive({ a, b });
  return { n, c, a, b };
}

/**
 * log of B(a+c, b+n-c)/B(a,b) / (p0^c (1-p0)^(n-c)), for p0 inside 0..1 with q0 = 1 - p0. As a ratio of two Beta terms
 * at p0 it needs no difference of large logarithms.
 */
function logEvidence({ n, c, a, b }: Required<EvidenceCounts>, p0: number, q0: number): number {
  return logBetaTerm(a, b, p0, q0) - logBetaTerm(a + c, b + n - c, p0, q0);
}

/** Beyond this a double overflows; a smaller e-value is still valid evidence. */
function bounded(logE: number): EValue {
  return { e: Math.min(Number.MAX_VALUE, Math.exp(logE)) };
}

/** Input of {@link betaBinomialEValue}. */
export interface EValueInput extends EvidenceCounts {
  /** Pass rate to reject, 0..1. */
  p0: number;
}

/**
 * Evidence against a pass rate p0: B(a+c, b+n-c)/B(a,b) / (p0^c (1-p0)^(n-c)). Reject p0 at any time when it is at
 * least 1/alpha; values of independent runs multiply. Held at the largest double when greater, as when p0 is impossible.
 * Errors: NOT_INTEGER, N_LT_1 below 0, C_OUT_OF_RANGE, INVALID_INPUT. Source: Robbins 1970; Shafer et al. 2011.
 */
export function betaBinomialEValue(input: EValueInput): EValue {
  const counts = checked(input);
  const { p0 } = input;
  requireUnit({ p0 });
  const { n, c, a, b } = counts;
  if (p0 === 0 || p0 === 1) {
    const impossible = p0 === 0 ? c > 0 : c < n;
    return impossible
      ? bounded(Number.POSITIVE_INFINITY)
      : bounded(logBeta(a + c, b + n - c) - logBeta(a, b));
  }
  return bounded(n === 0 ? 0 : logEvidence(counts, p0, 1 - p0));
}

/** Input of {@link betaBinomialConfidenceSequence}. */
export interface ConfidenceSequenceInput extends EvidenceCounts {
  /** Error over all looks together, strictly inside 0..1. */
  alpha?: number;
}

/**
 * All pass rates p0 with betaBinomialEValue below 1/alpha: an interval that holds at every n at once.
 * Errors: NOT_INTEGER, N_LT_1 below 0, C_OUT_OF_RANGE, INVALID_INPUT. Source: Waudby-Smith and Ramdas 2020.
 */
export function betaBinomialConfidenceSequence(input: ConfidenceSequenceInput): Interval {
  const counts = checked(input);
  const { alpha = DEFAULT_ALPHA } = input;
  requireInsideUnit({ alpha });
  const { n, c } = counts;
  const limit = -Math.log(alpha);
  // on the logit scale the log-evidence is convex with its minimum at c/n
  const excess = (logit: number, side: 1 | -1): { value: number; slope: number } => {
    const x = 1 / (1 + Math.exp(-logit));
    const y = 1 / (1 + Math.exp(logit));
    return { value: side * (logEvidence(counts, x, y) - limit), slope: side * ((n - c) * x - c * y) };
  };
  const solve = (side: 1 | -1): number => {
    const middle = c === 0 || c === n ? 0 : Math.log(c / (n - c));
    const low = side === 1 && c > 0 ? middle : -700;
    const high = side === -1 && c < n ? middle : 700;
    return (
      1 /
      (1 + Math.exp(-solveIncreasing((logit) => excess(logit, side), { low, high, start: middle + side })))
    );
  };
  return { lo: c === 0 ? 0 : solve(-1), hi: c === n ? 1 : solve(1) };
}

/** Input of {@link hoeffdingMixtureConfidenceSequence}. */
export interface HoeffdingInput {
  /** Values so far, at least 1. */
  n: number;
  /** Their mean, 0..1. */
  mean: number;
  /** Error over all looks together, strictly inside 0..1. */
  alpha?: number;
  /** Above 0; the width is smallest near n = 4 rho. Fixed before the first value. */
  rho: number;
}

/**
 * Interval for the mean of values in 0..1 that holds at every n at once: mean +- sqrt(2 (V+rho) ln(sqrt((V+rho)/rho)/
 * alpha))/n with V = n/4; not cut to 0..1.
 * Errors: NOT_INTEGER, N_LT_1, INVALID_INPUT. Source: Robbins 1970; Howard et al. 2021.
 */
export function hoeffdingMixtureConfidenceSequence(input: HoeffdingInput): Interval {
  const { n, mean, alpha = DEFAULT_ALPHA, rho } = input;
  requireSize(n);
  requireUnit({ mean });
  requireInsideUnit({ alpha });
  requirePositive({ rho });
  const spread = n / 4 + rho;
  const half = Math.sqrt(2 * spread * (Math.log(spread / rho) / 2 - Math.log(alpha))) / n;
  return { lo: mean - half, hi: mean + half };
}

/** Input of {@link mcnemarEValue}: the discordant pairs so far. */
export interface DiscordantCounts {
  b: number;
  c: number;
}

/**
 * Anytime-valid evidence that two versions differ, from discordant pairs: B(b+1/2, c+1/2)/B(1/2, 1/2) * 2^(b+c).
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE below 0.
 */
export function mcnemarEValue({ b, c }: DiscordantCounts): EValue {
  requireCounts({ b, c });
  return betaBinomialEValue({ n: b + c, c: b, p0: 0.5, a: 0.5, b: 0.5 });
}

const counts = {
  n: whole('scored trials so far'),
  c: whole('passes among them'),
  a: optional(real('prior pass weight'), UNIFORM),
  b: optional(real('prior fail weight'), UNIFORM),
};
const alpha = optional(real('error over all looks together'), DEFAULT_ALPHA);
const ends = { lo: 'lower end', hi: 'upper end' };

/** The groups of this file. */
export const evidenceGroups: readonly StatsGroup[] = [
  defineGroup<EValueInput, EValue>({
    name: 'betaBinomialEValue',
    summary: 'Evidence against a pass rate that may be looked at after every trial.',
    formula: 'B(a+c, b+n-c)/B(a,b) / (p0^c (1-p0)^(n-c)); reject when >= 1/alpha',
    fields: { ...counts, p0: real('pass rate to reject') },
    outputs: { e: 'e-value' },
    example: { n: 10, c: 9, p0: 0.5, a: 1, b: 1 },
    compute: betaBinomialEValue,
  }),
  defineGroup<ConfidenceSequenceInput, Interval>({
    name: 'betaBinomialConfidenceSequence',
    summary: 'Interval of a pass rate that may be looked at after every trial.',
    formula: 'all p0 with betaBinomialEValue < 1/alpha',
    fields: { ...counts, alpha },
    outputs: ends,
    example: { n: 10, c: 9, alpha: 0.05, a: 1, b: 1 },
    compute: betaBinomialConfidenceSequence,
  }),
  defineGroup<HoeffdingInput, Interval>({
    name: 'hoeffdingMixtureConfidenceSequence',
    summary: 'Interval of a mean score in 0..1 that may be looked at after every value.',
    formula: 'mean +- sqrt(2 (V+rho) ln(sqrt((V+rho)/rho)/alpha))/n, V = n/4',
    fields: {
      n: whole('values so far'),
      mean: real('their mean'),
      alpha,
      rho: real('tuning, fixed in advance'),
    },
    outputs: ends,
    example: { n: 100, mean: 0.9, alpha: 0.05, rho: 25 },
    compute: hoeffdingMixtureConfidenceSequence,
  }),
  defineGroup<DiscordantCounts, EValue>({
    name: 'mcnemarEValue',
    summary: 'Evidence that two versions differ, from flipped cases, at any time.',
    formula: 'B(b+1/2, c+1/2)/B(1/2, 1/2) * 2^(b+c)',
    fields: { b: whole('cases flipped from pass to fail'), c: whole('cases flipped from fail to pass') },
    outputs: { e: 'e-value' },
    example: { b: 5, c: 0 },
    compute: mcnemarEValue,
  }),
];
