import { normalQuantile, sampleSizeMiller } from '../stats/index.js';
import { scoredPairs, type ErrorRates, type Measure, type SuiteDifference } from './suite-difference.js';
import type { CasePair } from './common-part.js';

/** What it would take to decide, if the true difference were the one that was seen. */
export interface Needed {
  /** Trials a case and side; null when no number of trials on these cases is enough. */
  trials: number | null;
  /** Cases, with as many trials as now; null when the difference lies on the tolerance itself. */
  cases: number | null;
  /** With one trial a case, chance and real differences cannot be told apart: the trials are a lower limit. */
  atLeast: boolean;
}

/** Where the spread of a comparison comes from; variances of values in 0..1. */
export interface Variances {
  /** Over cases, of the true difference: omega squared. */
  omega2: number;
  /** Within a case, mean over cases, of one trial. */
  sigmaA2: number;
  sigmaB2: number;
  /** Trials a case, mean. */
  trialsA: number;
  trialsB: number;
}

function mean(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return values.length === 0 ? 0 : total / values.length;
}

/** Unbiased variance of one 0/1 trial of a case; null below two trials. */
function trialVariance(passed: number, scored: number): number | null {
  return scored < 2 ? null : ((passed / scored) * (scored - passed)) / (scored - 1);
}

/**
 * The variance of the case differences, split into what differs between cases and what is chance within a case. Null
 * below two cases. With a single trial a case everything counts as chance.
 */
export function varianceParts(pairs: readonly CasePair[], measure: Measure): Variances | null {
  const scored = scoredPairs(pairs, measure);
  if (scored.length < 2) return null;
  const differences = scored.map(({ a, b }) => b - a);
  const centre = mean(differences);
  const total = differences.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (scored.length - 1);
  const trialsA = mean(scored.map(({ pair }) => pair.a.scored));
  const trialsB = mean(scored.map(({ pair }) => pair.b.scored));
  const withinA = scored.flatMap(({ pair }) => trialVariance(pair.a.passed, pair.a.scored) ?? []);
  const withinB = scored.flatMap(({ pair }) => trialVariance(pair.b.passed, pair.b.scored) ?? []);
  if (withinA.length === 0 || withinB.length === 0) {
    return { omega2: 0, sigmaA2: total / 2, sigmaB2: total / 2, trialsA, trialsB };
  }
  const [sigmaA2, sigmaB2] = [mean(withinA), mean(withinB)];
  const omega2 = Math.max(0, total - sigmaA2 / trialsA - sigmaB2 / trialsB);
  return { omega2, sigmaA2, sigmaB2, trialsA, trialsB };
}

/** How many trials or cases would decide between better, worse and equivalent. Null when nothing is known of the spread. */
export function neededToDecide(
  pairs: readonly CasePair[],
  difference: SuiteDifference,
  tolerance: number,
  rates: ErrorRates,
): Needed | null {
  const parts = varianceParts(pairs, difference.measure);
  if (parts === null || difference.difference === null) return null;
  const size = Math.abs(difference.difference);
  // Beyond the tolerance 0 must be excluded; within it, the tolerance must be.
  const gap = size > tolerance ? size : tolerance - size;
  const atLeast = Math.min(parts.trialsA, parts.trialsB) < 2;
  if (gap < 1e-9) return { trials: null, cases: null, atLeast };
  const chance = parts.sigmaA2 + parts.sigmaB2;
  // A spread of 0 was only seen, never proved: one more flip in all trials is always possible.
  const floor = 1 / (difference.cases * Math.max(parts.trialsA, parts.trialsB));
  const sigma2 = Math.max(chance, floor);
  const points = normalQuantile({ p: 1 - rates.alpha / 2 }).x + normalQuantile({ p: rates.power }).x;
  const allowed = difference.cases * (gap / points) ** 2 - parts.omega2;
  const now = Math.floor(Math.min(parts.trialsA, parts.trialsB));
  const trials = allowed <= 0 ? null : Math.max(now + 1, Math.ceil(sigma2 / allowed));
  const { n: cases } = sampleSizeMiller({
    omega2: parts.omega2,
    sigmaA2: sigma2 / 2,
    sigmaB2: sigma2 / 2,
    KA: Math.max(1, Math.round(parts.trialsA)),
    KB: Math.max(1, Math.round(parts.trialsB)),
    delta: gap,
    ...rates,
  });
  return { trials, cases, atLeast };
}
