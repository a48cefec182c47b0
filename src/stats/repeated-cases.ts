import { clamp, mean, sumOfSquares } from './arithmetic.js';
import { requireAtLeastOne, requirePart, requireWhole } from './validate.js';

/** A case that ran k times without error. */
export interface RepeatedCase {
  /** Passes, 0..k. */
  passes: number;
  /** Runs, at least 1. */
  k: number;
  /** Label of a correlated family; cases that share it count as one unit. Null stands alone. */
  cluster: string | null;
}

/** Error bar of the repeated-case pass rate; all null below two independent units. */
export interface RepeatedPassRate {
  /** Independent units: clusters and cases that stand alone. */
  n: number;
  mean: number | null;
  /** Standard error of the mean. */
  sem: number | null;
  /** Lower end of the 95% interval, cut to 0..1. */
  lo: number | null;
  /** Upper end. */
  hi: number | null;
}

/** Two-sided 95% points of Student's t by degrees of freedom, as printed tables give them. */
const T_TABLE: readonly (readonly [number, number])[] = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [7, 2.365],
  [8, 2.306],
  [9, 2.262],
  [10, 2.228],
  [12, 2.179],
  [15, 2.131],
  [20, 2.086],
  [25, 2.06],
  [30, 2.042],
];

/** Two-sided 95% point of the normal. */
const Z = 1.959963984540054;

/**
 * The t multiplier of the repeated-case error bar: the table row of df or, unlisted, the next lower row, which is
 * wider; above 30 the Cornish-Fisher expansion in 1/df; Infinity at df = 0.
 */
export function tabulatedT(df: number): number {
  const row = T_TABLE.findLast(([listed]) => listed <= df);
  if (row === undefined) return Number.POSITIVE_INFINITY;
  if (df <= 30) return row[1];
  const z3 = Z ** 3;
  const z5 = Z ** 5;
  const z7 = Z ** 7;
  return (
    Z +
    (z3 + Z) / (4 * df) +
    (5 * z5 + 16 * z3 + 3 * Z) / (96 * df ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * df ** 3)
  );
}

/**
 * Mean pass rate of repeated cases with its 95% error bar. Cases of one cluster are first averaged to one value;
 * SEM = sqrt(sum (p_i - m)^2 / (n(n-1))), interval m +- t * SEM with {@link tabulatedT} at n-1, cut to 0..1.
 * Pass only cases that finished all runs. Errors: NOT_INTEGER, K_LT_1, C_OUT_OF_RANGE.
 */
export function repeatedPassRateInterval({ cases }: { cases: readonly RepeatedCase[] }): RepeatedPassRate {
  const alone: number[] = [];
  const families = new Map<string, number[]>();
  for (const { passes, k, cluster } of cases) {
    requireWhole({ passes, k });
    requireAtLeastOne(k, 'k');
    requirePart(passes, k, 'passes', 'k');
    const rate = passes / k;
    if (cluster === null) alone.push(rate);
    else families.set(cluster, [...(families.get(cluster) ?? []), rate]);
  }
  const rates = [...alone, ...[...families.values()].map(mean)];
  const n = rates.length;
  if (n < 2) return { n, mean: null, sem: null, lo: null, hi: null };
  const centre = mean(rates);
  const sem = Math.sqrt(sumOfSquares(rates) / (n * (n - 1)));
  const half = tabulatedT(n - 1) * sem;
  return { n, mean: centre, sem, lo: clamp(centre - half, 0, 1), hi: clamp(centre + half, 0, 1) };
}
