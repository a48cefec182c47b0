import { at, mean, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { choice, list, nullable, optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireCounts, requireSome, requireTable, requireTwo } from './validate.js';

/** Fleiss' kappa with its parts. */
export interface FleissKappa {
  /** Mean agreement within items. */
  pBar: number;
  /** Agreement expected by chance. */
  pe: number;
  /** Null when only one category was ever used. */
  kappa: number | null;
}

/**
 * Fleiss' kappa for many raters: Pbar = mean of (sum_j n_ij^2 - m)/(m(m-1)), Pe = sum of squared category shares.
 * counts: rows are items, columns categories, each row adds up to the m raters.
 * Errors: EMPTY, LENGTH_MISMATCH, NOT_INTEGER, C_OUT_OF_RANGE, UNEQUAL_RATERS, RATERS_LT_2. Source: Fleiss 1971.
 */
export function fleissKappa({ counts }: { counts: readonly (readonly number[])[] }): FleissKappa {
  requireTable('counts', counts);
  for (const [item, row] of counts.entries()) {
    for (const [category, count] of row.entries()) requireCounts({ [`counts[${item}][${category}]`]: count });
  }
  const raters = sum(at(counts, 0));
  for (const [item, row] of counts.entries()) {
    if (sum(row) !== raters) {
      throw new StatsError(
        'UNEQUAL_RATERS',
        `counts[${item}] has ${sum(row)} raters, counts[0] has ${raters}`,
      );
    }
  }
  if (raters < 2) throw new StatsError('RATERS_LT_2', `each item needs at least two raters, got ${raters}`);
  const pairs = raters * (raters - 1);
  const pBar = mean(counts.map((row) => (sum(row.map((count) => count * count)) - raters) / pairs));
  const ratings = raters * counts.length;
  const used = at(counts, 0).map((_, category) => sum(counts.map((row) => at(row, category))));
  const pe = sum(used.map((count) => (count / ratings) ** 2));
  return { pBar, pe, kappa: used.includes(ratings) ? null : (pBar - pe) / (1 - pe) };
}

/** How far two ratings are apart. */
export type MeasurementLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** Input of {@link krippendorffAlpha}. */
export interface KrippendorffInput {
  /** One row a rater, one column a unit; null is a missing rating. */
  ratings: readonly (readonly (number | null)[])[];
  level?: MeasurementLevel;
}

/** Krippendorff's alpha. */
export interface KrippendorffAlpha {
  /** Null when all pairable ratings are equal. */
  alpha: number | null;
  /** Number of pairable ratings. */
  n: number;
}

/** Counts of each value in one unit. */
type UnitCounts = ReadonlyMap<number, number>;

function pairableUnits(ratings: readonly (readonly (number | null)[])[]): UnitCounts[] {
  const width = at(ratings, 0).length;
  const units: UnitCounts[] = [];
  for (let unit = 0; unit < width; unit += 1) {
    const counts = new Map<number, number>();
    for (const row of ratings) {
      const value = at(row, unit);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    if (sum(counts.values()) >= 2) units.push(counts);
  }
  return units;
}

/** Squared distance of two values of the sorted list, by measurement level. */
function distanceBetween(
  level: MeasurementLevel,
  totals: readonly { value: number; count: number }[],
): (left: number, right: number) => number {
  const before: number[] = [];
  let seen = 0;
  for (const { count } of totals) {
    before.push(seen);
    seen += count;
  }
  return (left, right) => {
    const one = at(totals, left);
    const other = at(totals, right);
    if (level === 'nominal') return 1;
    if (level === 'interval') return (one.value - other.value) ** 2;
    if (level === 'ratio') return ((one.value - other.value) / (one.value + other.value)) ** 2;
    // ordinal: ratings from one to the other, the outer two counted by half
    const spanned = at(before, right) + other.count - at(before, left);
    return (spanned - (one.count + other.count) / 2) ** 2;
  };
}

/**
 * Krippendorff's alpha, 1 - Do/De from the coincidences of ratings within units; units with fewer than two ratings do
 * not count. Errors: EMPTY, RATERS_LT_2, LENGTH_MISMATCH, NO_PAIRABLE_VALUES, INVALID_INPUT for a rating that is not
 * finite or, at level ratio, below 0. Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
 */
export function krippendorffAlpha({ ratings, level = 'nominal' }: KrippendorffInput): KrippendorffAlpha {
  requireSome(ratings, 'ratings');
  if (ratings.length < 2) throw new StatsError('RATERS_LT_2', 'ratings needs at least two rows, one a rater');
  requireTable(
    'ratings',
    ratings.map((row) => row.map((value) => value ?? 0)),
  );
  if (level === 'ratio' && ratings.some((row) => row.some((value) => value !== null && value < 0))) {
    throw new StatsError('INVALID_INPUT', 'ratings must not be below 0 at level ratio');
  }
  const units = pairableUnits(ratings);
  if (units.length === 0) throw new StatsError('NO_PAIRABLE_VALUES', 'no unit has two ratings');
  const counted = new Map<number, number>();
  for (const unit of units)
    for (const [value, count] of unit) counted.set(value, (counted.get(value) ?? 0) + count);
  const totals = [...counted]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => one.value - other.value);
  const place = new Map(totals.map(({ value }, index) => [value, index]));
  const n = sum(counted.values());
  const distance = distanceBetween(level, totals);
  const observed = units.map((unit) => {
    const values = [...unit]
      .map(([value, count]) => ({ index: place.get(value) ?? 0, count }))
      .toSorted((one, other) => one.index - other.index);
    return disagreement(values, distance) / (sum(unit.values()) - 1);
  });
  const expected = disagreement(
    totals.map(({ count }, index) => ({ index, count })),
    distance,
  );
  return { alpha: totals.length < 2 ? null : 1 - ((n - 1) * sum(observed)) / expected, n };
}

/** Sum over pairs of different values of count * count * distance, values in ascending order. */
function disagreement(
  values: readonly { index: number; count: number }[],
  distance: (left: number, right: number) => number,
): number {
  const perValue = values.map((one, position) => {
    let total = 0;
    for (let next = position + 1; next < values.length; next += 1) {
      const other = at(values, next);
      total += other.count * distance(one.index, other.index);
    }
    return one.count * total;
  });
  return sum(perValue);
}

/** Intraclass correlation with its mean squares. */
export interface Icc11 {
  /** Mean square between cases. */
  msb: number;
  /** Mean square within cases. */
  msw: number;
  /** Null without any variance. */
  icc: number | null;
}

/**
 * One-way random-effects intraclass correlation of a balanced table, cases x trials: (MSB-MSW)/(MSB+(k-1)MSW), the
 * share of variance that lies between cases.
 * Errors: EMPTY, LENGTH_MISMATCH, N_LT_2 below two cases or two trials, INVALID_INPUT. Source: Shrout and Fleiss 1979.
 */
export function icc11({ table }: { table: readonly (readonly number[])[] }): Icc11 {
  requireTable('table', table);
  requireTwo(table, 'table');
  requireTwo(at(table, 0), 'table[0]');
  const trials = at(table, 0).length;
  const means = table.map(mean);
  const grand = mean(means);
  const msb = (trials * sum(means.map((value) => (value - grand) ** 2))) / (table.length - 1);
  const within = table.flatMap((row, index) => row.map((value) => (value - at(means, index)) ** 2));
  const msw = sum(within) / (table.length * (trials - 1));
  const total = msb + (trials - 1) * msw;
  return { msb, msw, icc: total === 0 ? null : (msb - msw) / total };
}

const levels = ['nominal', 'ordinal', 'interval', 'ratio'] as const;

/** The groups of this file. */
export const multiRaterGroups: readonly StatsGroup[] = [
  defineGroup<{ counts: readonly (readonly number[])[] }, FleissKappa>({
    name: 'fleissKappa',
    summary: 'Agreement of equally many raters an item, beyond chance.',
    formula: '(Pbar - Pe)/(1 - Pe)',
    fields: { counts: list('rows: items, columns: categories', list('one item', whole('raters'))) },
    outputs: { pBar: 'mean agreement', pe: 'agreement by chance', kappa: 'kappa, null when undefined' },
    example: {
      counts: [
        [3, 0],
        [0, 3],
        [2, 1],
        [3, 0],
      ],
    },
    compute: fleissKappa,
  }),
  defineGroup<KrippendorffInput, KrippendorffAlpha>({
    name: 'krippendorffAlpha',
    summary: 'Agreement of any number of raters, with missing ratings and any level of measurement.',
    formula: '1 - Do/De from the coincidence matrix',
    fields: {
      ratings: list(
        'rows: raters, columns: units',
        list('one rater', nullable(real('rating, null if missing'))),
      ),
      level: optional(choice('level of measurement', levels), 'nominal'),
    },
    outputs: { alpha: 'alpha, null when all ratings are equal', n: 'pairable ratings' },
    example: {
      ratings: [
        [1, 2, 3, 4],
        [2, 2, 3, 5],
        [1, 3, null, 4],
      ],
      level: 'interval',
    },
    compute: krippendorffAlpha,
  }),
  defineGroup<{ table: readonly (readonly number[])[] }, Icc11>({
    name: 'icc11',
    summary: 'Share of score variance that lies between cases rather than between trials.',
    formula: '(MSB - MSW)/(MSB + (k-1) MSW)',
    fields: { table: list('rows: cases, columns: trials', list('one case', real('score'))) },
    outputs: { msb: 'mean square between', msw: 'mean square within', icc: 'share, null without variance' },
    example: {
      table: [
        [1, 1, 1],
        [0, 0, 0],
        [1, 0, 1],
        [0, 1, 0],
      ],
    },
    compute: icc11,
  }),
];
