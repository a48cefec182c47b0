import type { Interval } from '../core/index.js';
import {
  clusteredStandardError,
  mcnemar,
  mdeFromSe,
  pairedPermutation,
  studentTQuantile,
} from '../stats/index.js';
import type { CasePair } from './common-part.js';
import type { ComparedCase } from './compared-run.js';

/** What of a case is compared: its pass rate or its mean score; both 0..1. */
export type Measure = 'passed' | 'score';

/** Error rate and wanted power of a comparison. */
export interface ErrorRates {
  /** Two-sided, strictly inside 0..1. */
  alpha: number;
  power: number;
}

/** How far two sides differ over their common cases; differences are B minus A, above 0 when B is better. */
export interface SuiteDifference {
  measure: Measure;
  /** Cases that were scored on both sides. */
  cases: number;
  /** Independent units: clusters, and cases that stand alone. */
  units: number;
  meanA: number | null;
  meanB: number | null;
  difference: number | null;
  /** Interval of the difference at `confidence`; null below two units. */
  interval: Interval | null;
  confidence: number;
  standardError: number | null;
  /** `count`: replays have no chance in them, and every flip is real. `e-value`: a rule ended the runs early. */
  test: 'mcnemar' | 'permutation' | 'count' | 'e-value';
  /** Two-sided; null for counts and when nothing was scored. */
  p: number | null;
  /** Smallest true difference that a comparison of this size shows with the wanted power; null when not known. */
  detectable: number | null;
}

/** The measured value of a case, 0..1; null when no trial of it was scored. */
export function valueOf(one: ComparedCase, measure: Measure): number | null {
  return measure === 'passed' ? one.rate : one.score;
}

/** A case that was scored on both sides, with its values. */
interface Scored {
  pair: CasePair;
  a: number;
  b: number;
}

/** The pairs that were scored on both sides. */
export function scoredPairs(pairs: readonly CasePair[], measure: Measure): Scored[] {
  return pairs.flatMap((pair) => {
    const a = valueOf(pair.a, measure);
    const b = valueOf(pair.b, measure);
    return a === null || b === null ? [] : [{ pair, a, b }];
  });
}

function mean(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}

/** Cases of one family are one unit: their differences are added up and flip their sign together. */
function unitSums(scored: readonly Scored[]): number[] {
  const sums = new Map<string, number>();
  for (const { pair, a, b } of scored) {
    const unit = unitOf(pair);
    sums.set(unit, (sums.get(unit) ?? 0) + (b - a));
  }
  return [...sums.values()];
}

function unitOf(pair: CasePair): string {
  return pair.cluster === null ? `case:${pair.id}` : `family:${pair.cluster}`;
}

/**
 * Standard error and interval of a mean difference of case means. Two made-up cases, one that got better and one that
 * got worse by the smallest step a case can show (1 over its trials), are added, so that a few cases without any flip
 * are not taken for certainty; t on units - 1 degrees of freedom. With one trial a case this is the adjusted interval
 * of Bonett and Price 2012 for paired proportions.
 */
function spread(
  scored: readonly Scored[],
  units: number,
  confidence: number,
): { standardError: number; interval: Interval } {
  const differences = scored.map(({ a, b }) => b - a);
  const step = mean(scored.map(({ pair }) => (1 / pair.a.scored + 1 / pair.b.scored) / 2));
  const { mean: centre, cr1 } = clusteredStandardError({
    values: [...differences, step, -step],
    clusters: [...scored.map(({ pair }) => unitOf(pair)), 'better', 'worse'],
  });
  const half = studentTQuantile({ p: 1 - (1 - confidence) / 2, df: units - 1 }).t * cr1;
  const raw = mean(differences);
  return {
    standardError: cr1,
    interval: {
      lo: Math.max(-1, Math.min(raw, centre - half)),
      hi: Math.min(1, Math.max(raw, centre + half)),
    },
  };
}

/** How a difference is measured. */
export interface DifferenceOptions {
  measure: Measure;
  rates: ErrorRates;
  /** Coverage of the interval, strictly inside 0..1. */
  confidence: number;
  /** Both sides are replays: outcomes are facts, not samples. */
  exact: boolean;
}

/**
 * The difference of two sides over their common cases: exact McNemar test for one trial a case, else the sign-flip
 * test on case means (families flip together), with its interval and the smallest difference it could have shown.
 */
export function suiteDifference(pairs: readonly CasePair[], options: DifferenceOptions): SuiteDifference {
  const { measure, rates, confidence, exact } = options;
  const scored = scoredPairs(pairs, measure);
  const sums = unitSums(scored);
  const single =
    measure === 'passed' &&
    sums.length === scored.length &&
    scored.every(({ pair }) => pair.a.scored === 1 && pair.b.scored === 1);
  const base = { measure, cases: scored.length, units: sums.length, confidence };
  if (scored.length === 0) {
    const nothing = { meanA: null, meanB: null, difference: null, interval: null, standardError: null };
    return { ...base, ...nothing, test: exact ? 'count' : 'permutation', p: null, detectable: null };
  }
  const meanA = mean(scored.map((one) => one.a));
  const meanB = mean(scored.map((one) => one.b));
  const difference = mean(scored.map((one) => one.b - one.a));
  const means = { meanA, meanB, difference };
  if (exact) {
    const interval = { lo: difference, hi: difference };
    return { ...base, ...means, interval, standardError: 0, test: 'count', p: null, detectable: 0 };
  }
  const p = single
    ? mcnemar({
        b: scored.filter((one) => one.b < one.a).length,
        c: scored.filter((one) => one.b > one.a).length,
      }).exactTwoSided
    : pairedPermutation({ differences: sums }).twoSided;
  const known = sums.length < 2 ? null : spread(scored, sums.length, confidence);
  return {
    ...base,
    ...means,
    interval: known?.interval ?? null,
    standardError: known?.standardError ?? null,
    test: single ? 'mcnemar' : 'permutation',
    p,
    detectable: known === null ? null : mdeFromSe({ se: known.standardError, ...rates }).mde,
  };
}
