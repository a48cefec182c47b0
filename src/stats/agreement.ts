import { at, clamp, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { choice, list, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { twoSidedZ } from './normal.js';
import { DEFAULT_CONFIDENCE } from './defaults.js';
import { requireCounts, requireTable } from './validate.js';

/** Cross table of two raters: rows are the categories given by one (the human), columns by the other (the judge). */
export interface AgreementInput {
  /** Square table of counts with at least two categories. */
  table: readonly (readonly number[])[];
}

/** A checked table with its total and margins. */
interface CrossTable {
  cells: { row: number; column: number; count: number }[];
  total: number;
  rows: number[];
  columns: number[];
  categories: number;
}

/** Errors: EMPTY, LENGTH_MISMATCH unless square, NOT_INTEGER, C_OUT_OF_RANGE, INVALID_INPUT below two categories. */
function crossTable(table: readonly (readonly number[])[]): CrossTable {
  requireTable('table', table);
  const categories = table.length;
  if (at(table, 0).length !== categories) {
    throw new StatsError(
      'LENGTH_MISMATCH',
      `table must be square, got ${categories} x ${at(table, 0).length}`,
    );
  }
  if (categories < 2) throw new StatsError('INVALID_INPUT', 'table must have at least two categories');
  const cells = table.flatMap((counts, row) => counts.map((count, column) => ({ row, column, count })));
  for (const { row, column, count } of cells) requireCounts({ [`table[${row}][${column}]`]: count });
  const total = sum(cells.map(({ count }) => count));
  if (total === 0) throw new StatsError('EMPTY', 'table holds no items');
  return {
    cells,
    total,
    rows: table.map((counts) => sum(counts)),
    columns: table.map((_, column) => sum(table.map((counts) => at(counts, column)))),
    categories,
  };
}

/** Cohen's kappa with its error; kappa and what follows are null when both raters gave one and the same category. */
export interface CohenKappa {
  /** Observed agreement. */
  po: number;
  /** Agreement expected by chance. */
  pe: number;
  kappa: number | null;
  /** Large-sample standard error. */
  se: number | null;
  /** sqrt(po(1-po)/n)/(1-pe). */
  seSimple: number | null;
  /** 95% interval kappa +- z*se, cut to -1..1. */
  lo: number | null;
  hi: number | null;
}

/**
 * Cohen's kappa: (po - pe)/(1 - pe). Collapses when one category dominates: show gwetAC1 and sensitivity beside it.
 * Errors: EMPTY, LENGTH_MISMATCH, NOT_INTEGER, C_OUT_OF_RANGE, INVALID_INPUT.
 * Source: Cohen 1960; standard error: Fleiss, Cohen and Everitt 1969.
 */
export function cohenKappa({ table }: AgreementInput): CohenKappa {
  const { cells, total, rows, columns } = crossTable(table);
  const share = (count: number): number => count / total;
  const po = share(sum(cells.filter(({ row, column }) => row === column).map(({ count }) => count)));
  const pe = sum(rows.map((count, category) => share(count) * share(at(columns, category))));
  const constant = rows.some((count, category) => count === total && at(columns, category) === total);
  if (constant) return { po: 1, pe: 1, kappa: null, se: null, seSimple: null, lo: null, hi: null };
  const kappa = (po - pe) / (1 - pe);
  // the variance over the cells of (agreement - (1-kappa) * margins): all terms positive, so that it is 0 when it should
  const rest = 1 - kappa;
  const centre = kappa - pe * rest;
  const spread = cells.map(({ row, column, count }) => {
    const margins = share(at(columns, row)) + share(at(rows, column));
    return share(count) * ((row === column ? 1 : 0) - margins * rest - centre) ** 2;
  });
  const se = Math.sqrt(sum(spread) / total) / (1 - pe);
  const half = twoSidedZ(DEFAULT_CONFIDENCE) * se;
  return {
    po,
    pe,
    kappa,
    se,
    seSimple: Math.sqrt((po * (1 - po)) / total) / (1 - pe),
    lo: clamp(kappa - half, -1, 1),
    hi: clamp(kappa + half, -1, 1),
  };
}

/** Input of {@link weightedKappa}. */
export interface WeightedKappaInput extends AgreementInput {
  /** How disagreement grows with the distance of ordered categories. */
  weights: 'linear' | 'quadratic';
}

/**
 * Kappa for ordered categories: 1 - sum(w o)/sum(w e) with w = |i-j|/(k-1), or its square. Null when chance alone
 * gives no disagreement. Errors: EMPTY, LENGTH_MISMATCH, NOT_INTEGER, C_OUT_OF_RANGE, INVALID_INPUT.
 * Source: Cohen 1968.
 */
export function weightedKappa({ table, weights }: WeightedKappaInput): { kappa: number | null } {
  const { cells, total, rows, columns, categories } = crossTable(table);
  const weight = (row: number, column: number): number => {
    const distance = Math.abs(row - column) / (categories - 1);
    return weights === 'linear' ? distance : distance * distance;
  };
  const observed = sum(cells.map(({ row, column, count }) => weight(row, column) * count));
  const expected = sum(
    cells.map(({ row, column }) => (weight(row, column) * at(rows, row) * at(columns, column)) / total),
  );
  return { kappa: expected === 0 ? null : 1 - observed / expected };
}

/**
 * Gwet's AC1: (po - pe)/(1 - pe) with pe = sum pi(1-pi)/(k-1), pi the mean share of a category over both raters;
 * steady when one category dominates. Errors: EMPTY, LENGTH_MISMATCH, NOT_INTEGER, C_OUT_OF_RANGE, INVALID_INPUT.
 * Source: Gwet 2008.
 */
export function gwetAC1({ table }: AgreementInput): { ac1: number } {
  const { cells, total, rows, columns, categories } = crossTable(table);
  const po = sum(cells.filter(({ row, column }) => row === column).map(({ count }) => count)) / total;
  const shares = rows.map((count, category) => (count + at(columns, category)) / (2 * total));
  const pe = sum(shares.map((share) => share * (1 - share))) / (categories - 1);
  return { ac1: (po - pe) / (1 - pe) };
}

const table = list('rows: human, columns: judge', list('one row', whole('items')));

/** The groups of this file. */
export const agreementGroups: readonly StatsGroup[] = [
  defineGroup<AgreementInput, CohenKappa>({
    name: 'cohenKappa',
    summary: 'Agreement of two raters beyond chance, with its 95% interval.',
    formula: '(po - pe)/(1 - pe)',
    fields: { table },
    outputs: {
      po: 'observed agreement',
      pe: 'agreement by chance',
      kappa: 'kappa, null when both raters are constant and equal',
      se: 'large-sample standard error',
      seSimple: 'simple standard error',
      lo: 'lower end',
      hi: 'upper end',
    },
    example: {
      table: [
        [20, 5],
        [10, 15],
      ],
    },
    compute: cohenKappa,
  }),
  defineGroup<WeightedKappaInput, { kappa: number | null }>({
    name: 'weightedKappa',
    summary: 'Agreement of two raters on ordered categories.',
    formula: '1 - sum(w o)/sum(w e), w = |i-j|/(k-1) or its square',
    fields: { table, weights: choice('growth of disagreement', ['linear', 'quadratic']) },
    outputs: { kappa: 'weighted kappa, null when undefined' },
    example: {
      table: [
        [10, 2, 1],
        [3, 8, 2],
        [0, 1, 9],
      ],
      weights: 'linear',
    },
    compute: weightedKappa,
  }),
  defineGroup<AgreementInput, { ac1: number }>({
    name: 'gwetAC1',
    summary: 'Agreement of two raters, steady when one category dominates.',
    formula: '(po - pe)/(1 - pe), pe = sum pi(1-pi)/(k-1)',
    fields: { table },
    outputs: { ac1: 'AC1' },
    example: {
      table: [
        [95, 2],
        [3, 0],
      ],
    },
    compute: gwetAC1,
  }),
];
