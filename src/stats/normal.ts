import { solveIncreasing } from './root.js';
import { requireFinite, requireInsideUnit } from './validate.js';

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);
const SERIES_UP_TO = 1.5;
const FRACTION_DEPTH = 160;

/** Standard normal density at x. */
export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / SQRT_TWO_PI;
}

/** P(Z > x) / density(x) for x >= 1.5, by Laplace's continued fraction x + 1/(x + 2/(x + 3/...)). */
function millsRatio(x: number): number {
  let tail = x;
  for (let term = FRACTION_DEPTH; term >= 1; term -= 1) tail = x + term / tail;
  return 1 / tail;
}

/** P(0 < Z < x) for small |x|, by the series density * sum of x^(2k+1) / (1*3*...*(2k+1)). */
function centralPart(x: number): number {
  let term = x;
  let total = x;
  for (let odd = 3; Math.abs(term) > Math.abs(total) * 1e-18 && odd < 400; odd += 2) {
    term *= (x * x) / odd;
    total += term;
  }
  return normalDensity(x) * total;
}

/** P(Z <= x) of the standard normal, with full relative accuracy in the lower tail. */
export function normalLower(x: number): number {
  if (Math.abs(x) <= SERIES_UP_TO) return 0.5 + centralPart(x);
  const tail = normalDensity(x) * millsRatio(Math.abs(x));
  return x < 0 ? tail : 1 - tail;
}

/** The x with P(Z <= x) = p, for 0 < p < 1. Newton's method on the log of the smaller tail. */
export function normalPoint(p: number): number {
  if (p > 0.5) return -normalPoint(1 - p);
  if (p === 0.5) return 0;
  const target = Math.log(p);
  return solveIncreasing(
    (point) => {
      const lower = normalLower(point);
      return { value: Math.log(lower) - target, slope: normalDensity(point) / lower };
    },
    { low: -39, high: 0, start: -Math.sqrt(-2 * Math.log(2 * p)) },
  );
}

let lastZ: { confidence: number; z: number } = { confidence: 0.5, z: -normalPoint(0.25) };

/**
 * z such that a standard normal lies within -z..z with the given confidence (0 < confidence < 1). A run asks for the
 * same confidence again and again, so the last answer is kept.
 */
export function twoSidedZ(confidence: number): number {
  if (lastZ.confidence !== confidence) lastZ = { confidence, z: -normalPoint((1 - confidence) / 2) };
  return lastZ.z;
}

/**
 * Distribution function of the standard normal, Phi(x).
 * Errors: INVALID_INPUT unless x is finite.
 */
export function normalCdf({ x }: { x: number }): { p: number } {
  requireFinite('x', [x]);
  return { p: normalLower(x) };
}

/**
 * The x with Phi(x) = p.
 * Errors: INVALID_INPUT unless 0 < p < 1 (the quantiles of 0 and 1 are infinite).
 */
export function normalQuantile({ p }: { p: number }): { x: number } {
  requireInsideUnit({ p });
  return { x: normalPoint(p) };
}
