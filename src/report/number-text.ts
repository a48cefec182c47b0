import type { Interval } from '../core/index.js';

/**
 * A share as a percentage. Only a whole 1 reads 100% and only a 0 reads 0%: rounding never turns "almost all" into
 * "all". `n/a` for null.
 */
export function percent(share: number | null, decimals: 0 | 1): string {
  if (share === null || !Number.isFinite(share)) return 'n/a';
  const step = 10 ** -decimals;
  let value = Number((share * 100).toFixed(decimals));
  if (share < 1 && value >= 100) value = 100 - step;
  if (share > 0 && value <= 0) value = step;
  return `${value.toFixed(decimals)}%`;
}

/** An interval of a share: `[43.8%, 100.0%]`. */
export function intervalText(interval: Interval): string {
  return `[${percent(interval.lo, 1)}, ${percent(interval.hi, 1)}]`;
}

/** An interval of a score: `[0.438, 1.000]`. */
export function scoreIntervalText(interval: Interval): string {
  return `[${scoreText(interval.lo)}, ${scoreText(interval.hi)}]`;
}

/** A count with its thousands apart: `12,345`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 case`, `12,345 cases`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A score of 0..1 with three decimals, by the same rule as `percent`; `n/a` for null. */
export function scoreText(score: number | null): string {
  if (score === null || !Number.isFinite(score)) return 'n/a';
  if (score < 1 && score > 0.9995) return '0.999';
  if (score > 0 && score < 0.0005) return '0.001';
  return score.toFixed(3);
}

/** US dollars: two decimals from a dollar on, four below, `under $0.0001` for less. */
export function costText(cost: number): string {
  if (cost >= 1) return `$${cost.toFixed(2)}`;
  if (cost > 0 && cost < 0.0001) return 'under $0.0001';
  return `$${cost.toFixed(4)}`;
}

/** A time span in the two units that matter: `850 ms`, `1.2 s`, `2 min 5 s`, `1 h 3 min`. */
export function durationText(milliseconds: number): string {
  const rounded = Math.max(0, Math.round(milliseconds));
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 59_950) return `${(rounded / 1000).toFixed(1)} s`;
  const seconds = Math.round(rounded / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
