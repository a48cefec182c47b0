import { at, sum } from './arithmetic.js';
import { betaPoint } from './beta.js';
import { DEFAULT_CONFIDENCE, JEFFREYS } from './defaults.js';
import { binomialProbability } from './discrete.js';
import { StatsError } from './error.js';
import { list, optional, real, record, whole } from './field.js';
import { logBeta } from './gamma.js';
import { defineGroup, type StatsGroup } from './group.js';
import { passAtK, passHatK } from './pass-k.js';
import {
  requireAtMost,
  requireDraws,
  requireInsideUnit,
  requirePositive,
  requireSome,
  requireUnit,
} from './validate.js';

/** Input of {@link estimatorExpectation}. */
export interface EstimatorExpectationInput {
  /** Trials per case, at least 1. */
  n: number;
  /** Draws, 1..n. */
  k: number;
  /** True pass probability, 0..1. */
  p: number;
}

/** Expected values of the estimators beside what they estimate. */
export interface EstimatorExpectation {
  unbiasedPassHatK: number;
  naivePassHatK: number;
  truePassHatK: number;
  unbiasedPassAtK: number;
  naivePassAtK: number;
  truePassAtK: number;
}

const MAX_TRIALS = 10_000_000;

/**
 * Expectation of each pass@k and pass^k estimator over the binomial number of passes: sum over c of
 * Binom(c; n, p) * estimator(n, c, k). The unbiased ones equal the true values for every p and k <= n.
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, K_GT_N, INVALID_INPUT for p outside 0..1 or n above ten million.
 */
export function estimatorExpectation({ n, k, p }: EstimatorExpectationInput): EstimatorExpectation {
  requireDraws(n, 0, k);
  requireAtMost(k, n);
  requireUnit({ p });
  if (n > MAX_TRIALS) throw new StatsError('INVALID_INPUT', `n must be at most ${MAX_TRIALS}, got ${n}`);
  // C(c,k)/C(n,k) for every c, from the top down: one multiplication a step
  const allPass = new Float64Array(n + 1);
  allPass[n] = 1;
  for (let c = n; c > k; c -= 1) allPass[c - 1] = at(allPass, c) * ((c - k) / c);
  const weights = Float64Array.from(allPass, (_, c) => binomialProbability(c, n, p));
  const expect = (estimate: (c: number) => number): number =>
    sum(weights.map((weight, c) => (weight === 0 ? 0 : weight * estimate(c))));
  return {
    unbiasedPassHatK: expect((c) => at(allPass, c)),
    naivePassHatK: expect((c) => (c / n) ** k),
    truePassHatK: p ** k,
    unbiasedPassAtK: expect((c) => 1 - at(allPass, n - c)),
    naivePassAtK: expect((c) => 1 - ((n - c) / n) ** k),
    truePassAtK: p === 1 ? 1 : -Math.expm1(k * Math.log1p(-p)),
  };
}

/** Input of {@link suitePassK}. */
export interface SuitePassKInput {
  /** Scored trials and passes of every case. */
  tasks: readonly { n: number; c: number }[];
  /** Draws, at least 1 and at most the trials of the case with the fewest. */
  k: number;
}

/** pass@k and pass^k of a suite. */
export interface SuitePassK {
  passAtK: number;
  passHatK: number;
  /** What pooling all passes before raising to k would say; shown only as the wrong answer. */
  wrongPooledPassHatK: number;
}

/**
 * Mean over cases of the unbiased per-case pass@k and pass^k.
 * Errors: EMPTY without cases; those of passAtK for any case (K_GT_N per case, not against the largest).
 */
export function suitePassK({ tasks, k }: SuitePassKInput): SuitePassK {
  requireSome(tasks, 'tasks');
  const average = (values: readonly number[]): number => sum(values) / tasks.length;
  return {
    passAtK: average(tasks.map(({ n, c }) => passAtK({ n, c, k }).value)),
    passHatK: average(tasks.map(({ n, c }) => passHatK({ n, c, k }).value)),
    wrongPooledPassHatK: (sum(tasks.map(({ c }) => c)) / sum(tasks.map(({ n }) => n))) ** k,
  };
}

/** Input of {@link bayesPassK}. */
export interface BayesPassKInput {
  /** Scored trials, at least 1. */
  n: number;
  /** Passes, 0..n. */
  c: number;
  /** Draws, at least 1; may exceed n. */
  k: number;
  /** Prior pass weight, above 0; 0.5 is Jeffreys' prior, 1 the uniform one. */
  a?: number;
  /** Prior fail weight, above 0. */
  b?: number;
  /** Coverage of the intervals, inside 0..1. */
  confidence?: number;
}

/** Posterior means and equal-tailed intervals. */
export interface BayesPassK {
  passHatKMean: number;
  passAtKMean: number;
  passHatKLo: number;
  passHatKHi: number;
  passAtKLo: number;
  passAtKHi: number;
}

const LOOP_LIMIT = 4096;

/** E[q^k] for q ~ Beta(a, b): product over i < k of (a+i)/(a+b+i), as 1 minus or as itself without cancellation. */
function powerMoment(a: number, b: number, k: number): { value: number; complement: number } {
  if (k > LOOP_LIMIT) {
    const log = Math.min(0, logBeta(a + k, b) - logBeta(a, b));
    return { value: Math.exp(log), complement: -Math.expm1(log) };
  }
  let value = 1;
  let complement = 0;
  for (let i = 0; i < k; i += 1) {
    complement += value * (b / (a + b + i));
    value *= (a + i) / (a + b + i);
  }
  return { value, complement: Math.min(1, complement) };
}

/**
 * pass^k and pass@k under a Beta(a, b) prior: E[p^k | data] = prod_{i<k} (a+c+i)/(a+b+n+i),
 * E[1-(1-p)^k | data] = 1 - prod_{i<k} (b+n-c+i)/(a+b+n+i), and intervals from the Beta quantiles of p.
 * Defined for k > n: the honest way to extrapolate beyond the trials run.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, K_LT_1, INVALID_INPUT for a prior or confidence outside its domain.
 */
export function bayesPassK(input: BayesPassKInput): BayesPassK {
  const { n, c, k, a = JEFFREYS, b = JEFFREYS, confidence = DEFAULT_CONFIDENCE } = input;
  requireDraws(n, c, k);
  requirePositive({ a, b });
  requireInsideUnit({ confidence });
  const passes = a + c;
  const fails = b + n - c;
  const tail = (1 - confidence) / 2;
  const low = betaPoint(passes, fails, { lower: tail, upper: 1 - tail });
  const high = betaPoint(passes, fails, { lower: 1 - tail, upper: tail });
  const any = (y: number): number => -Math.expm1(k * Math.log(y));
  return {
    passHatKMean: powerMoment(passes, fails, k).value,
    passAtKMean: powerMoment(fails, passes, k).complement,
    passHatKLo: low.x ** k,
    passHatKHi: high.x ** k,
    passAtKLo: any(low.y),
    passAtKHi: any(high.y),
  };
}

/** The groups of this file. */
export const passKSuiteGroups: readonly StatsGroup[] = [
  defineGroup<EstimatorExpectationInput, EstimatorExpectation>({
    name: 'estimatorExpectation',
    summary: 'What each pass@k and pass^k estimator gives on average, beside the true value.',
    formula: 'sum over c of Binom(c; n, p) * estimator(n, c, k)',
    fields: { n: whole('trials'), k: whole('draws'), p: real('true pass probability, 0..1') },
    outputs: {
      unbiasedPassHatK: 'expectation of passHatK',
      naivePassHatK: 'expectation of naivePassHatK',
      truePassHatK: 'p^k',
      unbiasedPassAtK: 'expectation of passAtK',
      naivePassAtK: 'expectation of naivePassAtK',
      truePassAtK: '1 - (1-p)^k',
    },
    example: { n: 5, k: 3, p: 0.9 },
    compute: estimatorExpectation,
  }),
  defineGroup<SuitePassKInput, SuitePassK>({
    name: 'suitePassK',
    summary: 'pass@k and pass^k of a suite: the mean of the per-case values.',
    formula: 'mean over cases of passAtK and passHatK',
    fields: {
      tasks: list('the cases', record('one case', { n: whole('scored trials'), c: whole('passes') })),
      k: whole('draws'),
    },
    outputs: {
      passAtK: 'mean pass@k',
      passHatK: 'mean pass^k',
      wrongPooledPassHatK: 'what pooling first would wrongly say',
    },
    example: {
      tasks: [
        { n: 5, c: 5 },
        { n: 5, c: 3 },
        { n: 5, c: 4 },
      ],
      k: 3,
    },
    compute: suitePassK,
  }),
  defineGroup<BayesPassKInput, BayesPassK>({
    name: 'bayesPassK',
    summary: 'pass@k and pass^k with intervals, also for k beyond the trials run.',
    formula: 'E[p^k] = prod_{i<k} (a+c+i)/(a+b+n+i); interval = (Beta quantiles of p)^k',
    fields: {
      n: whole('scored trials'),
      c: whole('passes among the n trials'),
      k: whole('draws, may exceed n'),
      a: optional(real('prior pass weight'), JEFFREYS),
      b: optional(real('prior fail weight'), JEFFREYS),
      confidence: optional(real('coverage of the intervals'), DEFAULT_CONFIDENCE),
    },
    outputs: {
      passHatKMean: 'posterior mean of p^k',
      passAtKMean: 'posterior mean of 1-(1-p)^k',
      passHatKLo: 'lower end for p^k',
      passHatKHi: 'upper end for p^k',
      passAtKLo: 'lower end for 1-(1-p)^k',
      passAtKHi: 'upper end for 1-(1-p)^k',
    },
    example: { n: 3, c: 3, k: 5, a: 1, b: 1, confidence: 0.95 },
    compute: bayesPassK,
  }),
];
