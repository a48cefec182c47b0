import type { Source } from '../core/index.js';

/** The scores of one case before and after; each 0..1. */
export interface CaseScores {
  before: readonly number[];
  after: readonly number[];
}

/** Scores are counted in millionths, so that equal sums are equal. */
const UNIT = 1e6;
const MOST_SUMS = 20_000;
const DRAWS = 20_000;

function units(scores: readonly number[]): number[] {
  return scores.map((score) => Math.round(score * UNIT));
}

function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** How the sum of `draws` of the values is distributed, drawn without replacement; null when there are too many sums. */
function sumsOf(values: readonly number[], draws: number): Map<number, number> | null {
  const ways: Map<number, number>[] = Array.from({ length: draws + 1 }, () => new Map<number, number>());
  ways[0]?.set(0, 1);
  let size = 1;
  for (const value of values) {
    for (let count = draws; count > 0; count -= 1) {
      const into = ways[count];
      for (const [sum, number] of ways[count - 1] ?? []) {
        if (into?.has(sum + value) === false) size += 1;
        into?.set(sum + value, (into.get(sum + value) ?? 0) + number);
      }
    }
    if (size > MOST_SUMS) return null;
  }
  return ways[draws] ?? null;
}

/** Probability that the after-sums are at most what was seen, by counting; null when there are too many sums. */
function counted(cases: readonly CaseScores[], seen: number): number | null {
  let sums = new Map<number, number>([[0, 1]]);
  for (const { before, after } of cases) {
    const own = sumsOf(units([...before, ...after]), after.length);
    if (own === null) return null;
    const whole = total([...own.values()]);
    const next = new Map<number, number>();
    for (const [left, weight] of sums) {
      for (const [right, number] of own) {
        next.set(left + right, (next.get(left + right) ?? 0) + weight * (number / whole));
      }
    }
    if (next.size > MOST_SUMS) return null;
    sums = next;
  }
  return Math.min(1, total([...sums].filter(([sum]) => sum <= seen).map(([, weight]) => weight)));
}

/** The same by drawing; never 0. */
function drawn(cases: readonly CaseScores[], seen: number, source: Pick<Source, 'random'>): number {
  const pools = cases.map(({ before, after }) => ({
    values: units([...before, ...after]),
    draws: after.length,
  }));
  let atMost = 1;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (const { values, draws } of pools) {
      for (let at = 0; at < draws; at += 1) {
        const other = at + Math.floor(source.random() * (values.length - at));
        const value = values[other] ?? 0;
        values[other] = values[at] ?? 0;
        values[at] = value;
        sum += value;
      }
    }
    if (sum <= seen) atMost += 1;
  }
  return atMost / (DRAWS + 1);
}

/**
 * How likely chance alone makes the scores after a change this low or lower, had nothing changed: the permutation test
 * of trials within each case (one-sided). The cases are taken as given: the question is whether the agent changed on
 * them, not on cases like them. Exact for up to some thousands of different sums, else by 20 000 draws.
 * @returns p, above 0 and at most 1; null when no case has scores on both sides
 */
export function dropTest(cases: readonly CaseScores[], source: Pick<Source, 'random'>): number | null {
  const both = cases.filter(({ before, after }) => before.length > 0 && after.length > 0);
  if (both.length === 0) return null;
  const seen = total(both.map(({ after }) => total(units(after))));
  return counted(both, seen) ?? drawn(both, seen, source);
}
