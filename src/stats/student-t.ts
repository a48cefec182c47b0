import { betaPoint, betaTails } from './beta.js';
import { StatsError } from './error.js';
import { logBeta } from './gamma.js';
import { normalLower, normalPoint } from './normal.js';
import { requireFinite, requireInsideUnit, requirePositive } from './validate.js';

/** From here on the difference from the normal is far below rounding. */
const NORMAL_FROM = 1e17;

/** P(T <= t) with df degrees of freedom, for finite t and df > 0. */
export function studentLower(t: number, df: number): number {
  if (t === 0) return 0.5;
  if (df > NORMAL_FROM) return normalLower(t);
  const tail = twoTails(t, df);
  return t < 0 ? tail / 2 : 1 - tail / 2;
}

/** Where t^2/df is so large that the tail is its leading power to full precision. */
const FAR_RATIO = 1e200;

/** P(|T| > |t|). */
function twoTails(t: number, df: number): number {
  const ratio = (t / df) * t;
  if (ratio > FAR_RATIO) {
    const logPoint = Math.log(df) - 2 * Math.log(Math.abs(t));
    return Math.exp((df / 2) * logPoint - Math.log(df / 2) - logBeta(df / 2, 0.5));
  }
  const y = ratio > 1 ? 1 / (1 + 1 / ratio) : ratio / (1 + ratio);
  return betaTails(df / 2, 0.5, { x: 1 / (1 + ratio), y }).lower;
}

/** The t with P(T <= t) = p, for 0 < p < 1 and df > 0. Throws INVALID_INPUT when it is beyond the largest double. */
export function studentPoint(p: number, df: number): number {
  if (p > 0.5) return -studentPoint(1 - p, df);
  if (p === 0.5) return 0;
  if (df > NORMAL_FROM) return normalPoint(p);
  const { x, y, logit } = betaPoint(df / 2, 0.5, { lower: 2 * p, upper: 1 - 2 * p });
  const size = x > 1e-300 ? Math.sqrt(df) * Math.sqrt(y / x) : Math.exp((Math.log(df) - logit) / 2);
  if (size > Number.MAX_VALUE)
    throw new StatsError('INVALID_INPUT', `the quantile of p = ${p} is too large a number`);
  return -size;
}

/**
 * Distribution function of Student's t: P(T <= t).
 * df: degrees of freedom, any number above 0. Errors: INVALID_INPUT for other df or a t that is not finite.
 */
export function studentTCdf({ t, df }: { t: number; df: number }): { p: number } {
  requireFinite('t', [t]);
  requirePositive({ df });
  return { p: studentLower(t, df) };
}

/**
 * The t with P(T <= t) = p.
 * df: degrees of freedom, any number above 0. Errors: INVALID_INPUT unless 0 < p < 1 and df > 0, or if t overflows.
 */
export function studentTQuantile({ p, df }: { p: number; df: number }): { t: number } {
  requireInsideUnit({ p });
  requirePositive({ df });
  return { t: studentPoint(p, df) };
}
