import { mcnemarEValue } from '../stats/index.js';

/**
 * When a comparison of arms ends before its last case, fixed in the header of the run before the first trial: paired
 * e-values, which may be looked at as often as one likes.
 */
export interface EarlyStop {
  rule: 'paired e-values';
  /** Cases between two looks, run in random order, all arms of a case together. */
  block: number;
  /** Part of the error rate that looking may use up, over all rivals; the rest is left to the test at the end. */
  level: number;
  /** E-value that decides one rival: rivals / level. */
  threshold: number;
  /** Mean differences up to this decide nothing, 0..1. */
  tolerance: number;
}

/** Cases between two looks. */
export const CASES_OF_BLOCK = 8;
/** Part of the error rate that goes to looking. */
const SHARE = 0.5;

/** The rule of a comparison with this many arms beside the baseline. */
export function earlyStop(alpha: number, tolerance: number, rivals: number): EarlyStop {
  const level = alpha * SHARE;
  return { rule: 'paired e-values', block: CASES_OF_BLOCK, level, threshold: rivals / level, tolerance };
}

/** Pass rate of every arm on one case, 0..1, the baseline first; null where an arm has no scored trial. */
export type ArmRates = readonly (number | null)[];

/** What is known of one rival against the baseline. */
export interface Evidence {
  /** Cases on which the rival passed more often, and less often. */
  wins: number;
  losses: number;
  /** Cases that were scored on both sides, and those that were not. */
  scored: number;
  unscored: number;
  /** Sums of the pass rates over the scored cases. */
  sumA: number;
  sumB: number;
}

/** Rates that differ by less are the same: they are quotients of small numbers. */
const TIE = 1e-9;

/** Nothing seen yet. */
export function noEvidence(rivals: number): Evidence[] {
  return Array.from({ length: rivals }, () => ({
    wins: 0,
    losses: 0,
    scored: 0,
    unscored: 0,
    sumA: 0,
    sumB: 0,
  }));
}

/** Adds one case to what is known of every rival. */
export function addCase(evidence: readonly Evidence[], rates: ArmRates): void {
  const a = rates[0] ?? null;
  for (const [index, one] of evidence.entries()) {
    const b = rates[index + 1] ?? null;
    if (a === null || b === null) {
      one.unscored += 1;
      continue;
    }
    one.scored += 1;
    one.sumA += a;
    one.sumB += b;
    if (b - a > TIE) one.wins += 1;
    else if (a - b > TIE) one.losses += 1;
  }
}

const known = new Map<number, number>();

/** The e-value of so many wins and losses; asked for very often when orders are drawn. */
export function eValueOf({ wins, losses }: Pick<Evidence, 'wins' | 'losses'>): number {
  const [less, more] = wins < losses ? [wins, losses] : [losses, wins];
  const key = less * 2 ** 26 + more;
  const found = known.get(key);
  if (found !== undefined) return found;
  const { e } = mcnemarEValue({ b: less, c: more });
  known.set(key, e);
  return e;
}

/** What the rule says of one rival; null while it is undecided. */
export function decidedAs(one: Evidence, rule: EarlyStop): 'better' | 'worse' | null {
  if (one.scored === 0 || eValueOf(one) < rule.threshold) return null;
  const difference = (one.sumB - one.sumA) / one.scored;
  if (Math.abs(difference) <= rule.tolerance) return null;
  if (difference < 0) return one.losses > one.wins ? 'worse' : null;
  // A side that crashes on its hardest cases must not win by having them left out.
  return one.wins > one.losses && one.unscored === 0 ? 'better' : null;
}

/** Whether the comparison may end: every rival is decided. */
export function allDecided(evidence: readonly Evidence[], rule: EarlyStop): boolean {
  return evidence.every((one) => decidedAs(one, rule) !== null);
}
