import type { Check } from '../core/index.js';

/** How checks become the verdict of a case. */
export type ScoringRule = { rule: 'all' } | { rule: 'weighted'; threshold: number };

/** The verdict of one trial. */
export interface TrialVerdict {
  passed: boolean;
  /** 0..1; null when the trial cannot be scored. */
  score: number | null;
  /** Why the trial cannot be scored; null when it can. */
  error: string | null;
}

// 0.1 and 0.7 have the mean 0.39999999999999997; a case with threshold 0.4 must still pass.
const TOLERANCE = 1e-9;

/**
 * True when a case has failed whatever the checks that are still open will say: by a required check, by a check that
 * must pass, or because even full marks for all of them cannot reach the threshold.
 * @param settled checks that are final
 * @param open weights of the gating checks that are not
 */
export function hasFailed(settled: readonly Check[], open: readonly number[], scoring: ScoringRule): boolean {
  const gating = settled.filter((check) => !check.diagnostic);
  const missed = gating.filter((check) => check.outcome === 'fail' || check.outcome === 'unknown');
  if (scoring.rule === 'all') return missed.length > 0;
  if (missed.some((check) => check.required)) return true;
  let best = 0;
  let weights = 0;
  for (const check of gating) {
    best += (check.outcome === 'error' ? 1 : check.score) * check.weight;
    weights += check.weight;
  }
  for (const weight of open) {
    best += weight;
    weights += weight;
  }
  return weights > 0 && best / weights < scoring.threshold - TOLERANCE;
}

/**
 * The verdict over all gating checks; diagnostic checks never enter it. Rule `all`: at least one gating check, and
 * every one passed; the score is the share that passed. Rule `weighted`: the weighted mean of the scores reaches the
 * threshold and no required check missed; a missed one makes the score 0. A gating check that could not be evaluated
 * leaves the trial unscored.
 */
export function verdictOf(checks: readonly Check[], scoring: ScoringRule): TrialVerdict {
  let gating = 0;
  let passes = 0;
  let errors = 0;
  let missedRequired = false;
  let weighted = 0;
  let weights = 0;
  for (const check of checks) {
    if (check.diagnostic) continue;
    gating += 1;
    if (check.outcome === 'error') errors += 1;
    if (check.outcome === 'pass') passes += 1;
    else if (check.required) missedRequired = true;
    weighted += check.score * check.weight;
    weights += check.weight;
  }
  if (gating === 0) return { passed: false, score: null, error: null };
  if (errors > 0) return { passed: false, score: null, error: errorsOf(checks) };
  if (scoring.rule === 'all') return { passed: passes === gating, score: passes / gating, error: null };
  // Weights that add to zero assert nothing, so nothing is passed.
  if (!(weights > 0)) return { passed: false, score: 0, error: null };
  // A missed required check takes the whole score, so that no mean over cases can hide it.
  if (missedRequired) return { passed: false, score: 0, error: null };
  const score = Math.min(1, Math.max(0, weighted / weights));
  return { passed: score >= scoring.threshold - TOLERANCE, score, error: null };
}

function errorsOf(checks: readonly Check[]): string {
  return checks
    .filter((check) => !check.diagnostic && check.outcome === 'error')
    .map((check) => `${check.label}: ${check.evidence}`)
    .join('\n');
}
