import { betaTails } from './beta.js';
import { sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { deviance, stirlingError } from './gamma.js';

/** Weights below this share of the starting one cannot change any sum; above it no weight is denormal. */
const NEGLIGIBLE = 1e-300;
const MAX_WEIGHTS = 20_000_000;
const LOG_TWO_PI = Math.log(2 * Math.PI);

/** P(X = k) of a binomial with n trials and success probability p; exact zeros outside 0..n. Source: Loader 2000. */
export function binomialProbability(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  const q = 1 - p;
  if (p === 0) return k === 0 ? 1 : 0;
  if (q === 0) return k === n ? 1 : 0;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const shape = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  const log = shape - deviance(k, n * p) - deviance(n - k, n * q);
  return Math.exp(log - 0.5 * (LOG_TWO_PI + Math.log(k) + Math.log((n - k) / n)));
}

/** P(X <= k) of a binomial with n trials and success probability p. */
export function binomialLower(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return betaTails(k + 1, n - k, { x: p, y: 1 - p }).upper;
}

/** P(X >= k) of a binomial with n trials and success probability p. */
export function binomialUpper(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return betaTails(k, n - k + 1, { x: p, y: 1 - p }).lower;
}

/** Probabilities of consecutive whole numbers, the first of them `first`; the rest of the range is below rounding. */
export interface DiscreteDistribution {
  first: number;
  probabilities: readonly number[];
}

/** The weights after a starting weight of 1, each `factor(step)` times the one before, until they vanish. */
function vanishing(steps: number, factor: (step: number) => number): number[] {
  const weights: number[] = [];
  let weight = 1;
  for (let step = 0; step < steps && weight > NEGLIGIBLE; step += 1) {
    if (step >= MAX_WEIGHTS)
      throw new StatsError('INVALID_INPUT', `the counts are too large for an exact probability`);
    weight *= factor(step);
    weights.push(weight);
  }
  return weights;
}

/**
 * A distribution on from..to known by the ratio P(k+1)/P(k). Weights are grown from `start`, which should be near the
 * mode, outwards until they vanish, then divided by their sum: no factorials, no overflow.
 * Throws INVALID_INPUT when more than twenty million counts on a side have a weight.
 */
export function distributionByRatio(shape: {
  from: number;
  to: number;
  start: number;
  ratio: (k: number) => number;
}): DiscreteDistribution {
  const { from, to, ratio } = shape;
  const start = Math.min(to, Math.max(from, Math.floor(shape.start)));
  const below = vanishing(start - from, (step) => 1 / ratio(start - step - 1));
  const above = vanishing(to - start, (step) => ratio(start + step));
  const weights = [...below.toReversed(), 1, ...above];
  const total = sum(weights);
  return { first: start - below.length, probabilities: weights.map((value) => value / total) };
}

/** P(X <= k), summed from the far end inwards so that a small tail keeps its digits. */
export function lowerTail({ first, probabilities }: DiscreteDistribution, k: number): number {
  return Math.min(1, sum(probabilities.slice(0, Math.max(0, k - first + 1))));
}

/** P(X >= k). */
export function upperTail({ first, probabilities }: DiscreteDistribution, k: number): number {
  return Math.min(1, sum(probabilities.slice(Math.max(0, k - first))));
}

/**
 * Number of marked items among `draws` drawn without replacement from `total` items of which `marked` are marked.
 */
export function hypergeometric(total: number, marked: number, draws: number): DiscreteDistribution {
  return distributionByRatio({
    from: Math.max(0, draws - (total - marked)),
    to: Math.min(marked, draws),
    start: ((draws + 1) * (marked + 1)) / (total + 2),
    ratio: (k) => ((marked - k) / (k + 1)) * ((draws - k) / (total - marked - draws + k + 1)),
  });
}
