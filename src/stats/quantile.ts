import { at, sorted } from './arithmetic.js';
import { list, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireFinite, requireSome, requireUnit } from './validate.js';

/** Linear interpolation at position h of a sequence given by index. */
export function interpolate(valueAt: (index: number) => number, count: number, h: number): number {
  const below = Math.floor(h);
  const low = valueAt(below);
  if (below >= count - 1 || h === below) return low;
  return low + (h - below) * (valueAt(below + 1) - low);
}

/** Type 7 quantile of values that are already in ascending order; at least one value, p in 0..1. */
export function quantileOfSorted(ascending: ArrayLike<number>, p: number): number {
  return interpolate((index) => at(ascending, index), ascending.length, (ascending.length - 1) * p);
}

/** Input of {@link quantileType7}. */
export interface QuantileInput {
  /** At least one value, in any order. */
  values: readonly number[];
  /** 0..1. */
  p: number;
}

/**
 * Quantile by linear interpolation between order statistics: h = (n-1)p, x[floor h] + (h - floor h) * gap.
 * Errors: EMPTY, INVALID_INPUT for p outside 0..1 or a value that is not finite. Source: Hyndman and Fan 1996, type 7.
 */
export function quantileType7({ values, p }: QuantileInput): { q: number } {
  requireSome(values, 'values');
  requireFinite('values', values);
  requireUnit({ p });
  return { q: quantileOfSorted(sorted(values), p) };
}

/** The groups of this file. */
export const quantileGroups: readonly StatsGroup[] = [
  defineGroup<QuantileInput, { q: number }>({
    name: 'quantileType7',
    summary: 'Quantile with linear interpolation (Hyndman-Fan type 7).',
    formula: 'h = (n-1)p; x[floor h] + (h - floor h)(x[floor h + 1] - x[floor h])',
    fields: { values: list('the values, in any order', real('a value')), p: real('0..1') },
    outputs: { q: 'quantile' },
    example: { values: [1, 2, 3, 4], p: 0.025 },
    compute: quantileType7,
  }),
];
