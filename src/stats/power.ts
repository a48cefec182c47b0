import { ceilTolerant } from './arithmetic.js';
import { DEFAULT_ALPHA, DEFAULT_POWER } from './defaults.js';
import { StatsError } from './error.js';
import { optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { normalPoint } from './normal.js';
import {
  requireAtLeastOne,
  requireInsideUnit,
  requireNonNegative,
  requireSize,
  requireUnit,
} from './validate.js';

/** Error rates of a planned two-sided test. */
export interface PlanErrors {
  /** Two-sided error rate, strictly inside 0..1. */
  alpha?: number;
  /** Chance to see the effect, strictly inside 0..1. */
  power?: number;
}

/** A planned sample size; both null when the effect is 0, which no sample shows. */
export interface SampleSize {
  nRaw: number | null;
  /** nRaw rounded up, at least 1. */
  n: number | null;
}

/** A minimum detectable effect. */
export interface DetectableEffect {
  mde: number;
}

function quantiles({ alpha = DEFAULT_ALPHA, power = DEFAULT_POWER }: PlanErrors): {
  zAlpha: number;
  zPower: number;
} {
  requireInsideUnit({ alpha, power });
  return { zAlpha: -normalPoint(alpha / 2), zPower: normalPoint(power) };
}

function sizeFrom(root: number): SampleSize {
  const nRaw = root * root;
  return Number.isFinite(nRaw) ? { nRaw, n: Math.max(1, ceilTolerant(nRaw)) } : { nRaw: null, n: null };
}

/** Input of {@link sampleSizeUnpaired}. */
export interface UnpairedPlan extends PlanErrors {
  /** Pass rate of one arm, 0..1. */
  p1: number;
  /** Pass rate of the other arm, 0..1. */
  p2: number;
}

/**
 * Trials per arm to tell two unpaired rates apart: (z_{alpha/2} + z_power)^2 (p1 q1 + p2 q2) / (p1 - p2)^2.
 * Null when p1 = p2. Errors: INVALID_INPUT outside the domains.
 */
export function sampleSizeUnpaired(input: UnpairedPlan): SampleSize {
  const { p1, p2 } = input;
  requireUnit({ p1, p2 });
  const { zAlpha, zPower } = quantiles(input);
  const spread = Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  return sizeFrom(((zAlpha + zPower) * spread) / (p1 - p2));
}

/** Input of {@link sampleSizeOneSample}. */
export interface OneSamplePlan extends PlanErrors {
  /** Rate to compare with, 0..1. */
  p0: number;
  /** True rate, 0..1. */
  p1: number;
}

/**
 * Trials to tell a rate p1 from a fixed p0: ((z_{alpha/2} sqrt(p0 q0) + z_power sqrt(p1 q1)) / (p1 - p0))^2.
 * Null when p1 = p0. Errors: INVALID_INPUT outside the domains.
 */
export function sampleSizeOneSample(input: OneSamplePlan): SampleSize {
  const { p0, p1 } = input;
  requireUnit({ p0, p1 });
  const { zAlpha, zPower } = quantiles(input);
  const spread = zAlpha * Math.sqrt(p0 * (1 - p0)) + zPower * Math.sqrt(p1 * (1 - p1));
  return sizeFrom(spread / (p1 - p0));
}

/** Input of {@link sampleSizePairedBinary}. */
export interface PairedBinaryPlan extends PlanErrors {
  /** Share of cases that flip from pass to fail, 0..1. */
  p10: number;
  /** Share of cases that flip from fail to pass, 0..1; p10 + p01 <= 1. */
  p01: number;
}

/**
 * Cases for a paired comparison of pass and fail: ((z_{alpha/2} sqrt(pd) + z_power sqrt(pd - d^2)) / d)^2 with
 * pd = p10 + p01, d = p10 - p01. Null when d = 0. Errors: INVALID_INPUT outside the domains. Source: Connor 1987.
 */
export function sampleSizePairedBinary(input: PairedBinaryPlan): SampleSize {
  const { p10, p01 } = input;
  requireUnit({ p10, p01 });
  const discordant = p10 + p01;
  if (discordant > 1 + 1e-12) {
    throw new StatsError('INVALID_INPUT', `p10 + p01 must be at most 1, got ${discordant}`);
  }
  const { zAlpha, zPower } = quantiles(input);
  const difference = p10 - p01;
  const spread = Math.sqrt(Math.max(0, discordant - difference * difference));
  return sizeFrom((zAlpha * Math.sqrt(discordant) + zPower * spread) / difference);
}

/** The variance of a paired suite comparison. */
export interface SuiteVariance extends PlanErrors {
  /** Variance over cases of the difference of true means, at least 0. */
  omega2: number;
  /** Mean within-case trial variance of A, at least 0. */
  sigmaA2: number;
  /** Mean within-case trial variance of B, at least 0. */
  sigmaB2: number;
  /** Trials per case of A, at least 1. */
  KA: number;
  /** Trials per case of B, at least 1. */
  KB: number;
}

function perCase({ omega2, sigmaA2, sigmaB2, KA, KB }: SuiteVariance): number {
  requireNonNegative({ omega2, sigmaA2, sigmaB2 });
  requireAtLeastOne(KA, 'KA');
  requireAtLeastOne(KB, 'KB');
  return omega2 + sigmaA2 / KA + sigmaB2 / KB;
}

/** Input of {@link sampleSizeMiller}. */
export interface MillerSizePlan extends SuiteVariance {
  /** Difference to detect. */
  delta: number;
}

/**
 * Cases to detect a difference of suite means: (z_{alpha/2} + z_power)^2 (omega^2 + sigmaA^2/KA + sigmaB^2/KB)/delta^2.
 * Null when delta = 0. Errors: NOT_INTEGER, K_LT_1, INVALID_INPUT. Source: Miller 2024, "Adding Error Bars to Evals".
 */
export function sampleSizeMiller(input: MillerSizePlan): SampleSize {
  const variance = perCase(input);
  const { zAlpha, zPower } = quantiles(input);
  if (!Number.isFinite(input.delta))
    throw new StatsError('INVALID_INPUT', `delta must be finite, got ${input.delta}`);
  return sizeFrom(((zAlpha + zPower) * Math.sqrt(variance)) / input.delta);
}

/** Input of {@link mdeMiller}. */
export interface MillerEffectPlan extends SuiteVariance {
  /** Number of cases, at least 1. */
  n: number;
}

/**
 * Smallest detectable difference of suite means: (z_{alpha/2} + z_power) sqrt((omega^2 + sigmaA^2/KA + sigmaB^2/KB)/n).
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, INVALID_INPUT. Source: Miller 2024.
 */
export function mdeMiller(input: MillerEffectPlan): DetectableEffect {
  requireSize(input.n);
  const variance = perCase(input);
  const { zAlpha, zPower } = quantiles(input);
  return { mde: (zAlpha + zPower) * Math.sqrt(variance / input.n) };
}

/** Input of {@link mdeFromSe}. */
export interface StandardErrorPlan extends PlanErrors {
  /** Standard error of the difference, at least 0. */
  se: number;
}

/** Smallest detectable difference at a known standard error: (z_{alpha/2} + z_power) * se. Errors: INVALID_INPUT. */
export function mdeFromSe(input: StandardErrorPlan): DetectableEffect {
  requireNonNegative({ se: input.se });
  const { zAlpha, zPower } = quantiles(input);
  return { mde: (zAlpha + zPower) * input.se };
}

const errors = {
  alpha: optional(real('two-sided error rate'), DEFAULT_ALPHA),
  power: optional(real('chance to see the effect'), DEFAULT_POWER),
};
const suite = {
  omega2: real('variance over cases of the difference of true means'),
  sigmaA2: real('mean within-case trial variance of A'),
  sigmaB2: real('mean within-case trial variance of B'),
  KA: whole('trials per case of A'),
  KB: whole('trials per case of B'),
};
const size = { nRaw: 'exact size', n: 'size rounded up; null when the effect is 0' };
const suiteExample = { omega2: 0.05, sigmaA2: 0.1, sigmaB2: 0.1, KA: 5, KB: 5 };

/** The groups of this file. */
export const powerGroups: readonly StatsGroup[] = [
  defineGroup<UnpairedPlan, SampleSize>({
    name: 'sampleSizeUnpaired',
    summary: 'Trials per arm to tell two pass rates apart.',
    formula: '(z_{a/2} + z_b)^2 (p1 q1 + p2 q2)/(p1 - p2)^2',
    fields: { p1: real('one pass rate'), p2: real('other pass rate'), ...errors },
    outputs: size,
    example: { p1: 0.8, p2: 0.9, alpha: 0.05, power: 0.8 },
    compute: sampleSizeUnpaired,
  }),
  defineGroup<OneSamplePlan, SampleSize>({
    name: 'sampleSizeOneSample',
    summary: 'Trials to tell a pass rate from a fixed bar.',
    formula: '((z_{a/2} sqrt(p0 q0) + z_b sqrt(p1 q1))/(p1 - p0))^2',
    fields: { p0: real('the bar'), p1: real('true pass rate'), ...errors },
    outputs: size,
    example: { p0: 0.9, p1: 0.8, alpha: 0.05, power: 0.8 },
    compute: sampleSizeOneSample,
  }),
  defineGroup<PairedBinaryPlan, SampleSize>({
    name: 'sampleSizePairedBinary',
    summary: 'Cases for a paired comparison, from the shares of flips.',
    formula: '((z_{a/2} sqrt(pd) + z_b sqrt(pd - d^2))/d)^2, pd = p10 + p01, d = p10 - p01',
    fields: { p10: real('share pass to fail'), p01: real('share fail to pass'), ...errors },
    outputs: size,
    example: { p10: 0.1, p01: 0.05, alpha: 0.05, power: 0.8 },
    compute: sampleSizePairedBinary,
  }),
  defineGroup<MillerSizePlan, SampleSize>({
    name: 'sampleSizeMiller',
    summary: 'Cases to detect a difference of suite means with K trials a case.',
    formula: '(z_{a/2} + z_b)^2 (omega^2 + sigmaA^2/KA + sigmaB^2/KB)/delta^2',
    fields: { ...suite, delta: real('difference to detect'), ...errors },
    outputs: size,
    example: { ...suiteExample, delta: 0.05, alpha: 0.05, power: 0.8 },
    compute: sampleSizeMiller,
  }),
  defineGroup<MillerEffectPlan, DetectableEffect>({
    name: 'mdeMiller',
    summary: 'Smallest difference of suite means that n cases with K trials can show.',
    formula: '(z_{a/2} + z_b) sqrt((omega^2 + sigmaA^2/KA + sigmaB^2/KB)/n)',
    fields: { ...suite, n: whole('cases'), ...errors },
    outputs: { mde: 'minimum detectable effect' },
    example: { ...suiteExample, n: 50, alpha: 0.05, power: 0.8 },
    compute: mdeMiller,
  }),
  defineGroup<StandardErrorPlan, DetectableEffect>({
    name: 'mdeFromSe',
    summary: 'Smallest difference a known standard error can show.',
    formula: '(z_{1-a/2} + z_power) * se',
    fields: { se: real('standard error of the difference'), ...errors },
    outputs: { mde: 'minimum detectable effect' },
    example: { se: 0.05, alpha: 0.05, power: 0.8 },
    compute: mdeFromSe,
  }),
];
