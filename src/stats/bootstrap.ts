import { at, isConstant, largestMagnitude, mean, sampleVariance, sorted, sum } from './arithmetic.js';
import { DEFAULT_CONFIDENCE } from './defaults.js';
import { StatsError } from './error.js';
import { list, optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import type { Interval } from './intervals.js';
import { normalLower, normalPoint } from './normal.js';
import { interpolate, quantileOfSorted } from './quantile.js';
import { seededRandom } from './random.js';
import { requireFinite, requireInsideUnit, requireSome, requireWhole } from './validate.js';

/** Input of {@link bootstrapExhaustive}. */
export interface ExhaustiveInput {
  /** 1 to 10 values. */
  values: readonly number[];
  /** Coverage, strictly inside 0..1. */
  confidence?: number;
}

/** Percentile interval over all resamples. */
export interface ExhaustiveBootstrap extends Interval {
  /** Number of resamples, n^n. */
  count: number;
}

const MAX_EXHAUSTIVE = 10;
const DEFAULT_RESAMPLES = 2000;
const MAX_DRAWS = 2_000_000_000;
/** Ties between a resample mean and the observed mean are judged up to this share of the largest value. */
const TIE = 1e-12;

/** Every resample as a multiset: its mean, and in how many of the n^n orders it occurs. */
function resampleMeans(values: readonly number[]): { mean: number; orders: number }[] {
  const n = values.length;
  const found: { mean: number; orders: number }[] = [];
  const grow = (index: number, left: number, total: number, orders: number): void => {
    if (index === n - 1) {
      found.push({ mean: (total + left * at(values, index)) / n, orders });
      return;
    }
    let ways = orders;
    for (let taken = 0; taken <= left; taken += 1) {
      grow(index + 1, left - taken, total + taken * at(values, index), ways);
      ways = (ways * (left - taken)) / (taken + 1);
    }
  };
  grow(0, n, 0, 1);
  return found.toSorted((one, other) => one.mean - other.mean);
}

/**
 * Percentile interval of the mean over all n^n equally likely resamples, quantiles of type 7.
 * Errors: EMPTY, INVALID_INPUT for more than 10 values, confidence or a value that is not finite.
 */
export function bootstrapExhaustive(input: ExhaustiveInput): ExhaustiveBootstrap {
  const { values, confidence = DEFAULT_CONFIDENCE } = input;
  requireSome(values, 'values');
  requireFinite('values', values);
  requireInsideUnit({ confidence });
  if (values.length > MAX_EXHAUSTIVE) {
    throw new StatsError(
      'INVALID_INPUT',
      `values may hold at most ${MAX_EXHAUSTIVE} values; use bootstrapMean`,
    );
  }
  const count = values.length ** values.length;
  if (isConstant(values)) return { count, lo: at(values, 0), hi: at(values, 0) };
  const resamples = resampleMeans(values);
  const ends: number[] = [];
  let seen = 0;
  for (const { orders } of resamples) {
    seen += orders;
    ends.push(seen);
  }
  const valueAt = (rank: number): number =>
    at(
      resamples,
      ends.findIndex((end) => rank < end),
    ).mean;
  const tail = (1 - confidence) / 2;
  const quantile = (p: number): number => interpolate(valueAt, count, (count - 1) * p);
  return { count, lo: quantile(tail), hi: quantile(1 - tail) };
}

/** Input of {@link bootstrapMean}. */
export interface BootstrapInput {
  /** Independent values, at least one; means of cases or clusters when trials are correlated. */
  values: readonly number[];
  /** Number of resamples, at least 2. */
  B?: number;
  /** Whole number; the same seed gives the same result. */
  seed: number;
  /** Coverage, strictly inside 0..1. */
  confidence?: number;
}

/** The bias-corrected and accelerated interval with its ingredients. */
export interface BcaInterval extends Interval {
  z0: number;
  acceleration: number;
  alphaLo: number;
  alphaHi: number;
}

/** Bootstrap of a mean. */
export interface BootstrapMean {
  /** The first five resample means, to compare implementations. */
  firstMeans: number[];
  /** Standard deviation of the resample means, over B-1. */
  bootSe: number;
  percentileLo: number;
  percentileHi: number;
  /** Null when it is undefined: all resamples equal or on one side, or no spread in the jackknife. */
  bca: BcaInterval | null;
}

/**
 * Bootstrap of the mean: B resamples of n indices floor(u * n) drawn from {@link seededRandom}; percentile interval
 * with type 7 quantiles; BCa with z0 from the share below (ties by half) and acceleration from the jackknife.
 * Errors: EMPTY, NOT_INTEGER, N_LT_2 for B below 2, INVALID_INPUT for confidence, a value that is not finite, or more
 * than two billion draws. Source: Efron 1987, "Better bootstrap confidence intervals".
 */
export function bootstrapMean(input: BootstrapInput): BootstrapMean {
  const { values, B = DEFAULT_RESAMPLES, seed, confidence = DEFAULT_CONFIDENCE } = input;
  requireSome(values, 'values');
  requireFinite('values', values);
  requireWhole({ B });
  requireInsideUnit({ confidence });
  if (B < 2) throw new StatsError('N_LT_2', `B must be at least 2 resamples, got ${B}`);
  const n = values.length;
  if (B * n > MAX_DRAWS)
    throw new StatsError('INVALID_INPUT', `B times the number of values exceeds ${MAX_DRAWS}`);
  const random = seededRandom(seed);
  const means: number[] = [];
  for (let resample = 0; resample < B; resample += 1) {
    let total = 0;
    for (let draw = 0; draw < n; draw += 1) total += at(values, Math.floor(random() * n));
    means.push(total / n);
  }
  const ascending = sorted(means);
  const tail = (1 - confidence) / 2;
  return {
    firstMeans: means.slice(0, 5),
    bootSe: Math.sqrt(sampleVariance(means)),
    percentileLo: quantileOfSorted(ascending, tail),
    percentileHi: quantileOfSorted(ascending, 1 - tail),
    bca: accelerated(values, ascending, tail),
  };
}

function accelerated(
  values: readonly number[],
  ascending: readonly number[],
  tail: number,
): BcaInterval | null {
  const observed = mean(values);
  const tie = TIE * largestMagnitude(values);
  const below = ascending.filter((value) => value < observed - tie).length;
  const equal = ascending.filter((value) => Math.abs(value - observed) <= tie).length;
  const share = (below + equal / 2) / ascending.length;
  const acceleration = jackknifeAcceleration(values);
  if (equal === ascending.length || share <= 0 || share >= 1 || acceleration === null) return null;
  const z0 = normalPoint(share);
  const adjusted = (z: number): number => normalLower(z0 + (z0 + z) / (1 - acceleration * (z0 + z)));
  const alphaLo = adjusted(normalPoint(tail));
  const alphaHi = adjusted(-normalPoint(tail));
  return {
    z0,
    acceleration,
    alphaLo,
    alphaHi,
    lo: quantileOfSorted(ascending, alphaLo),
    hi: quantileOfSorted(ascending, alphaHi),
  };
}

/** sum d^3 / (6 (sum d^2)^1.5) over the jackknife means, d = their mean minus each; null without spread. */
function jackknifeAcceleration(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2 || isConstant(values)) return null;
  // leaving out x moves the mean by (mean - x)/(n-1); the common factor cancels in the ratio
  const centre = mean(values);
  const deviations = values.map((value) => value - centre);
  const scale = largestMagnitude(deviations);
  const moves = deviations.map((deviation) => deviation / scale);
  const squares = sum(moves.map((move) => move ** 2));
  return sum(moves.map((move) => move ** 3)) / (6 * squares ** 1.5);
}

const values = list('the values', real('a value'));
const confidence = optional(real('coverage, inside 0..1'), DEFAULT_CONFIDENCE);

/** The groups of this file. */
export const bootstrapGroups: readonly StatsGroup[] = [
  defineGroup<ExhaustiveInput, ExhaustiveBootstrap>({
    name: 'bootstrapExhaustive',
    summary: 'Percentile interval of a mean over every possible resample, for up to 10 values.',
    formula: 'type 7 quantiles of all n^n resample means',
    fields: { values, confidence },
    outputs: { count: 'number of resamples', lo: 'lower end', hi: 'upper end' },
    example: { values: [0.2, 0.5, 0.9, 0.4], confidence: 0.95 },
    compute: bootstrapExhaustive,
  }),
  defineGroup<BootstrapInput, BootstrapMean>({
    name: 'bootstrapMean',
    summary: 'Reproducible bootstrap of a mean with percentile and BCa intervals.',
    formula: 'B resamples of floor(u*n); BCa: z0 = Phi^-1(share below), acceleration by jackknife',
    fields: {
      values,
      B: optional(whole('resamples'), DEFAULT_RESAMPLES),
      seed: whole('any whole number'),
      confidence,
    },
    outputs: {
      firstMeans: 'first five resample means',
      bootSe: 'standard error',
      percentileLo: 'lower end',
      percentileHi: 'upper end',
      bca: 'BCa interval with its ingredients, null when undefined',
    },
    example: { values: [1, 1, 0, 1, 1, 0, 1, 1, 1, 0], B: 2000, seed: 42, confidence: 0.95 },
    compute: bootstrapMean,
  }),
];
