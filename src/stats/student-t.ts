import { betaPoint, betaTails } from './beta.js';
import { requireFinite, requireInsideUnit, requirePositive } from './validate.js';

/** P(T <= t) with df degrees of freedom, for finite t and df > 0. */
export function studentLower(t: number, df: number): number {
  if (t === 0) return 0.5;
  // 1 + t^2/df may overflow; both parts of the unit point stay accurate
  const ratio = (t / df) * t;
  const { lower } = betaTails(df / 2, 0.5, {
    x: 1 / (1 + ratio),
    y: ratio > 1 ? 1 / (1 + 1 / ratio) : ratio / (1 + ratio),
  });
  return t < 0 ? lower / 2 : 1 - lower / 2;
}

/** The t with P(T <= t) = p, for 0 < p < 1 and df > 0. */
export function studentPoint(p: number, df: number): number {
  if (p > 0.5) return -studentPoint(1 - p, df);
  if (p === 0.5) return 0;
  const { x, y } = betaPoint(df / 2, 0.5, { lower: 2 * p, upper: 1 - 2 * p });
  return -Math.sqrt(df) * Math.sqrt(y / x);
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
 * df: degrees of freedom, any number above 0. Errors: INVALID_INPUT unless 0 < p < 1 and df > 0.
 */
export function studentTQuantile({ p, df }: { p: number; df: number }): { t: number } {
  requireInsideUnit({ p });
  requirePositive({ df });
  return { t: studentPoint(p, df) };
}
