import { at } from './arithmetic.js';
import { list, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireFinite, requireSameLength, requireTwo } from './validate.js';

/** Two rankings of the same items, in the same order of items. */
export interface KendallInput {
  x: readonly number[];
  y: readonly number[];
}

/** Kendall's rank correlation. */
export interface KendallTau {
  /** Pairs of items ordered alike by both. */
  concordant: number;
  /** Pairs ordered oppositely. */
  discordant: number;
  /** (concordant - discordant) / all pairs. */
  tauA: number;
  /** Corrected for ties; null when a side is constant. */
  tauB: number | null;
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** Pairs within runs of equal neighbours of a sorted sequence. */
function tiedPairs(count: number, same: (index: number) => boolean): number {
  let tied = 0;
  let run = 1;
  for (let index = 1; index <= count; index += 1) {
    if (index < count && same(index)) run += 1;
    else {
      tied += pairsOf(run);
      run = 1;
    }
  }
  return tied;
}

/** Ascending copy, and the number of pairs that were in strictly descending order (merge sort). */
function sortCounting(values: readonly number[]): { ascending: number[]; inversions: number } {
  if (values.length < 2) return { ascending: values.slice(), inversions: 0 };
  const middle = values.length >> 1;
  const left = sortCounting(values.slice(0, middle));
  const right = sortCounting(values.slice(middle));
  const ascending: number[] = [];
  let inversions = left.inversions + right.inversions;
  let low = 0;
  for (const value of right.ascending) {
    while (low < middle && at(left.ascending, low) <= value) {
      ascending.push(at(left.ascending, low));
      low += 1;
    }
    inversions += middle - low;
    ascending.push(value);
  }
  for (; low < middle; low += 1) ascending.push(at(left.ascending, low));
  return { ascending, inversions };
}

/**
 * Kendall's tau: tauA = (C-D)/n0, tauB = (C-D)/sqrt((n0-tx)(n0-ty)), n0 all pairs, tx and ty pairs tied in x and y.
 * Errors: LENGTH_MISMATCH, N_LT_2, INVALID_INPUT for a value that is not finite.
 * Source: Kendall 1945; counting by merge sort: Knight 1966.
 */
export function kendallTau({ x, y }: KendallInput): KendallTau {
  requireSameLength(x, y, 'x', 'y');
  requireTwo(x, 'x');
  requireFinite('x', x);
  requireFinite('y', y);
  const pairs = x.map((value, index) => ({ x: value, y: at(y, index) }));
  const byX = pairs.toSorted((one, other) => one.x - other.x || one.y - other.y);
  const count = x.length;
  const sameX = (index: number): boolean => at(byX, index).x === at(byX, index - 1).x;
  const sameBoth = (index: number): boolean => sameX(index) && at(byX, index).y === at(byX, index - 1).y;
  // within ties of x the order is by y, so that only pairs ordered by x can be inverted
  const { ascending, inversions: discordant } = sortCounting(byX.map((pair) => pair.y));
  const all = pairsOf(count);
  const tiedX = tiedPairs(count, sameX);
  const tiedY = tiedPairs(count, (index) => at(ascending, index) === at(ascending, index - 1));
  const concordant = all - tiedX - tiedY + tiedPairs(count, sameBoth) - discordant;
  const balance = concordant - discordant;
  const root = Math.sqrt((all - tiedX) * (all - tiedY));
  return { concordant, discordant, tauA: balance / all, tauB: root === 0 ? null : balance / root };
}

/** The groups of this file. */
export const rankCorrelationGroups: readonly StatsGroup[] = [
  defineGroup<KendallInput, KendallTau>({
    name: 'kendallTau',
    summary: 'How alike two rankings of the same items are.',
    formula: 'tauA = (C-D)/n0; tauB = (C-D)/sqrt((n0-tx)(n0-ty))',
    fields: { x: list('one ranking', real('a value')), y: list('other ranking', real('a value')) },
    outputs: {
      concordant: 'pairs ordered alike',
      discordant: 'pairs ordered oppositely',
      tauA: 'tau without tie correction',
      tauB: 'tau with tie correction, null when a side is constant',
    },
    example: { x: [12, 2, 1, 12, 2], y: [1, 4, 7, 1, 0] },
    compute: kendallTau,
  }),
];
