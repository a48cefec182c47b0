import { StatsError } from './error.js';
import { logBeta, logBetaTerm } from './gamma.js';
import { solveIncreasing } from './root.js';
import { requirePositive, requireUnit } from './validate.js';

/** Both tails of a distribution at one point; each is accurate on its own, also where the other is almost 1. */
export interface Tails {
  lower: number;
  upper: number;
  logLower: number;
  logUpper: number;
}

/** A point of 0..1 with its complement, both accurate. */
export interface UnitPoint {
  x: number;
  y: number;
}

/** A point of 0..1 that may be closer to an end than a double can tell: log(x/y) still can. */
export interface BetaPoint extends UnitPoint {
  logit: number;
}

const MAX_TERMS = 20_000_000;
const TINY = 1e-300;

/**
 * Continued fraction K with I_x(a,b) = x^a y^b / (B(a,b) K), evaluated by the modified Lentz method; meant for
 * x <= a/(a+b), where it needs about sqrt(a+b) terms.
 * Source: DiDonato and Morris 1992, "Significant digit computation of the incomplete beta function ratios", eq. 9.
 */
function betaFraction(a: number, b: number, x: number, y: number): number {
  const drift = a * y - b * x + 1;
  const denominator = (m: number): number => {
    const first = m === 0 ? 0 : m + (m * (b - m) * x) / (a + 2 * m - 1);
    return first + ((a + m) * (drift + m * (2 - x))) / (a + 2 * m + 1);
  };
  let fraction = denominator(0);
  if (fraction === 0) fraction = TINY;
  let upper = fraction;
  let lower = 0;
  for (let m = 1; m < MAX_TERMS; m += 1) {
    const step = (x / (a + 2 * m - 1)) * (a + m - 1);
    const numerator = step * (x / (a + 2 * m - 1)) * (a + b + m - 1) * m * (b - m);
    const next = denominator(m);
    lower = next + numerator * lower;
    if (lower === 0) lower = TINY;
    upper = next + numerator / upper;
    if (upper === 0) upper = TINY;
    lower = 1 / lower;
    const change = upper * lower;
    fraction *= change;
    if (Math.abs(change - 1) <= Number.EPSILON) return fraction;
  }
  throw new StatsError('INVALID_INPUT', `a = ${a}, b = ${b} are too large for the incomplete beta function`);
}

/** Tails of the Beta(a, b) distribution at x, with y = 1 - x given separately so that neither loses digits. */
export function betaTails(a: number, b: number, { x, y }: UnitPoint): Tails {
  if (x <= 0) return { lower: 0, upper: 1, logLower: Number.NEGATIVE_INFINITY, logUpper: 0 };
  if (y <= 0) return { lower: 1, upper: 0, logLower: 0, logUpper: Number.NEGATIVE_INFINITY };
  const leftOfMean = b * x <= a * y;
  const logTerm = logBetaTerm(a, b, x, y);
  const fraction = leftOfMean ? betaFraction(a, b, x, y) : betaFraction(b, a, y, x);
  const logNear = Math.min(0, logTerm - Math.log(fraction));
  const near = Math.exp(logNear);
  const far = { tail: 1 - near, log: Math.log1p(-near) };
  return leftOfMean
    ? { lower: near, upper: far.tail, logLower: logNear, logUpper: far.log }
    : { lower: far.tail, upper: near, logLower: far.log, logUpper: logNear };
}

/** Beyond this logit a tail is its leading power x^a/(a B(a, b)) to full precision. */
const FAR_LOGIT = 700;

/**
 * The point whose Beta(a, b) tails are `lower` and `upper` (which must add up to 1). The smaller tail is the one
 * solved for, on the logit scale, where the log of either tail is concave and Newton's method is safe.
 */
export function betaPoint(a: number, b: number, tails: { lower: number; upper: number }): BetaPoint {
  const { lower, upper } = tails;
  if (lower <= 0) return { x: 0, y: 1, logit: Number.NEGATIVE_INFINITY };
  if (upper <= 0) return { x: 1, y: 0, logit: Number.POSITIVE_INFINITY };
  if (lower > upper) {
    const { x, y, logit } = pointFromBelow(b, a, upper);
    return { x: y, y: x, logit: -logit };
  }
  return pointFromBelow(a, b, lower);
}

function pointFromBelow(a: number, b: number, lower: number): BetaPoint {
  const target = Math.log(lower);
  const farLogit = (target + Math.log(a) + logBeta(a, b)) / a;
  if (farLogit < -FAR_LOGIT) return { x: Math.exp(farLogit), y: 1, logit: farLogit };
  if (b === 1) return withLogit(lower ** (1 / a), -Math.expm1(target / a));
  if (a === 1) return withLogit(-Math.expm1(Math.log1p(-lower) / b), (1 - lower) ** (1 / b));
  const logit = solveIncreasing(
    (point) => {
      const { x, y } = unitPoint(point);
      const { logLower } = betaTails(a, b, { x, y });
      return { value: logLower - target, slope: Math.exp(logBetaTerm(a, b, x, y) - logLower) };
    },
    { low: -FAR_LOGIT - 1, high: FAR_LOGIT + 1, start: Math.log(a / b) },
  );
  return { ...unitPoint(logit), logit };
}

function withLogit(x: number, y: number): BetaPoint {
  return { x, y, logit: Math.log(x / y) };
}

function unitPoint(logit: number): UnitPoint {
  return { x: 1 / (1 + Math.exp(-logit)), y: 1 / (1 + Math.exp(logit)) };
}

/** Input of {@link betaCdf}. */
export interface BetaCdfInput {
  /** Point, 0..1. */
  x: number;
  /** First shape, above 0. */
  a: number;
  /** Second shape, above 0. */
  b: number;
}

/**
 * Distribution function of Beta(a, b): the regularised incomplete beta function I_x(a, b).
 * Errors: INVALID_INPUT outside 0 <= x <= 1, a > 0, b > 0.
 */
export function betaCdf({ x, a, b }: BetaCdfInput): { p: number } {
  requireUnit({ x });
  requirePositive({ a, b });
  return { p: betaTails(a, b, { x, y: 1 - x }).lower };
}

/** Input of {@link betaQuantile}. */
export interface BetaQuantileInput {
  /** Probability, 0..1. */
  q: number;
  /** First shape, above 0. */
  a: number;
  /** Second shape, above 0. */
  b: number;
}

/**
 * The x with I_x(a, b) = q; 0 at q = 0 and 1 at q = 1.
 * Errors: INVALID_INPUT outside 0 <= q <= 1, a > 0, b > 0.
 */
export function betaQuantile({ q, a, b }: BetaQuantileInput): { x: number } {
  requireUnit({ q });
  requirePositive({ a, b });
  return { x: betaPoint(a, b, { lower: q, upper: 1 - q }).x };
}
