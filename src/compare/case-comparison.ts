import { fisherExact, holm } from '../stats/index.js';
import type { CasePair } from './common-part.js';
import { valueOf, type Measure } from './suite-difference.js';

/** Passed of scored trials. */
export interface Counts {
  passed: number;
  scored: number;
  errored: number;
}

/** One case on both sides. */
export interface CaseComparison {
  id: string;
  a: Counts;
  b: Counts;
  /** B minus A of the measure, -1..1; null when a side has no scored trial. */
  difference: number | null;
  result: 'win' | 'loss' | 'tie' | 'unscored';
  /** Two-sided Fisher test of the trials; null when the case is not tested. */
  p: number | null;
  /** The same, adjusted over all cases that could have shown something (Holm); null when this one could not. */
  adjusted: number | null;
  /** Moved beyond doubt and by more than the tolerance. */
  moved: 'improved' | 'regressed' | null;
}

/** Differences below this are ties: case means are sums of decimals. */
const TIE = 1e-9;

function tested(pair: CasePair): boolean {
  return !pair.a.stopped && !pair.b.stopped && pair.a.scored > 0 && pair.b.scored > 0;
}

function twoSided(a: number, nA: number, c: number, nB: number): number {
  return fisherExact({ a, b: nA - a, c, d: nB - c }).twoSided;
}

/** The smallest p-value that the numbers of trials allow, whatever comes out of them. */
function smallestOfTrials(pair: CasePair): number {
  return tested(pair) ? twoSided(pair.a.scored, pair.a.scored, 0, pair.b.scored) : 1;
}

/** The smallest p-value that a case with this many passes in all could have. */
function smallestOfMargins(pair: CasePair): number {
  const nA = pair.a.scored;
  const nB = pair.b.scored;
  const passes = pair.a.passed + pair.b.passed;
  const mostA = Math.min(nA, passes);
  const leastA = Math.max(0, passes - nB);
  return Math.min(twoSided(mostA, nA, passes - mostA, nB), twoSided(leastA, nA, passes - leastA, nB));
}

/** True when some case has trials enough to show something by itself at this level. */
export function casesCanShow(pairs: readonly CasePair[], alpha: number): boolean {
  return pairs.some((pair) => smallestOfTrials(pair) <= alpha);
}

/**
 * The cases that could be significant at all, after Tarone 1990: for the smallest k such that at most k cases can
 * reach alpha/k, those cases. Which they are depends on the totals only, so the others cost the family nothing.
 */
function testable(pairs: readonly CasePair[], alpha: number): CasePair[] {
  const smallest = new Map(pairs.filter(tested).map((pair) => [pair, smallestOfMargins(pair)]));
  for (let size = 1; size <= smallest.size; size += 1) {
    const able = [...smallest].filter(([, p]) => p <= alpha / size);
    if (able.length <= size) return able.map(([pair]) => pair);
  }
  return [...smallest.keys()];
}

/** How cases are tested. */
export interface CaseTests {
  measure: Measure;
  /** Error rate of all cases together; 0 tests none. */
  alpha: number;
  tolerance: number;
  /** Replays: every flip is a fact. */
  exact: boolean;
}

function resultOf(difference: number | null): CaseComparison['result'] {
  if (difference === null) return 'unscored';
  if (Math.abs(difference) < TIE) return 'tie';
  return difference > 0 ? 'win' : 'loss';
}

/** Every common case with wins, losses and ties, and which of them moved by themselves (Fisher, Holm). */
export function compareCases(pairs: readonly CasePair[], tests: CaseTests): CaseComparison[] {
  const { measure, alpha, tolerance, exact } = tests;
  const family = exact || alpha === 0 ? [] : testable(pairs, alpha);
  const p = family.map((pair) => twoSided(pair.a.passed, pair.a.scored, pair.b.passed, pair.b.scored));
  const { adjusted } = holm({ p });
  const places = new Map(family.map((pair, place) => [pair, place]));
  return pairs.map((pair) => {
    const valueA = valueOf(pair.a, measure);
    const valueB = valueOf(pair.b, measure);
    const difference = valueA === null || valueB === null ? null : valueB - valueA;
    const place = places.get(pair);
    const own = place === undefined ? null : (adjusted[place] ?? null);
    const certain = exact ? resultOf(difference) !== 'tie' : own !== null && own <= alpha;
    const rates = (pair.b.rate ?? 0) - (pair.a.rate ?? 0);
    // What was tested is the trials that passed, so a move is one of the pass rate, whatever is measured.
    const step = exact ? (difference ?? 0) : rates;
    const large = exact ? step !== 0 : Math.abs(step) > tolerance;
    const counts = ({ passed, scored, errored }: Counts): Counts => ({ passed, scored, errored });
    return {
      id: pair.id,
      a: counts(pair.a),
      b: counts(pair.b),
      difference,
      result: resultOf(difference),
      p: tested(pair) && !exact ? twoSided(pair.a.passed, pair.a.scored, pair.b.passed, pair.b.scored) : null,
      adjusted: own,
      moved: certain && large ? (step > 0 ? 'improved' : 'regressed') : null,
    };
  });
}
