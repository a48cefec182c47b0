import { DEFAULT_CONFIDENCE } from './defaults.js';
import { requireInsideUnit, requireSize, requireUnit } from './validate.js';

/** Input of {@link boundedMeanBounds}. */
export interface BoundedMeanInput {
  /** Independent values, at least 1. */
  n: number;
  /** Their mean, 0..1. */
  mean: number;
  /** One-sided confidence of each bound, strictly inside 0..1. */
  confidence?: number;
}

/** Kullback and Leibler's divergence of two coins. */
function divergence(seen: number, truth: number): number {
  const up = seen === 0 ? 0 : seen * Math.log(seen / truth);
  const down = seen === 1 ? 0 : (1 - seen) * Math.log((1 - seen) / (1 - truth));
  return up + down;
}

/** The mean farthest below `seen` that still explains it, to the last bit of a double. */
function farthestBelow(seen: number, budget: number): number {
  let [out, inside] = [0, seen];
  for (let step = 0; step < 80; step += 1) {
    const middle = (out + inside) / 2;
    if (divergence(seen, middle) > budget) out = middle;
    else inside = middle;
  }
  return out;
}

/**
 * One-sided bounds for the mean of independent values of 0..1, whatever their distribution: every mean m with
 * n·KL(seen, m) <= ln(1/(1-confidence)). Where all values are 1 the lower bound is the exact one. Never of width zero.
 * Errors: NOT_INTEGER, N_LT_1, INVALID_INPUT. Source: Hoeffding 1963, theorem 1.
 */
export function boundedMeanBounds({ n, mean, confidence = DEFAULT_CONFIDENCE }: BoundedMeanInput): {
  lower: number;
  upper: number;
} {
  requireSize(n);
  requireUnit({ mean });
  requireInsideUnit({ confidence });
  const budget = -Math.log(1 - confidence) / n;
  return {
    lower: mean === 0 ? 0 : farthestBelow(mean, budget),
    upper: mean === 1 ? 1 : 1 - farthestBelow(1 - mean, budget),
  };
}
