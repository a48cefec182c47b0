import type { CaseResult, Check, TrialResult } from '../core/index.js';

/** Trials in the order in which they were numbered, however they finished. */
export function inOrder(trials: readonly TrialResult[]): readonly TrialResult[] {
  return trials.length < 2 ? trials : trials.toSorted((left, right) => left.trial - right.trial);
}

/** The trial that stands for its case: the first failing one, else the first scored one, else the first. */
export function representative(trials: readonly TrialResult[]): TrialResult | undefined {
  return (
    trials.find((trial) => trial.status === 'failed') ??
    trials.find((trial) => trial.status === 'passed') ??
    trials[0]
  );
}

/** Checks that were not passed, whatever else they came to. */
export function missedChecks(trial: TrialResult): Check[] {
  return trial.checks.filter((check) => check.outcome !== 'pass');
}

/**
 * True when every trial was called off before it could be scored: the case was not run, which is neither a failure
 * nor an error of anything under test.
 */
export function wasNotRun(result: CaseResult): boolean {
  const kinds = Object.entries(result.errors).filter(([, count]) => count > 0);
  return result.scored === 0 && kinds.length > 0 && kinds.every(([kind]) => kind === 'cancelled');
}

/** A warning about a case whose trials never passed. */
export type Suspicion = 'suspect' | 'low-signal';

/**
 * No pass in many trials points at the task before the agent: `suspect` from 20 scored trials on, `low-signal` from 5.
 */
export function suspicion(result: CaseResult): Suspicion | null {
  if (result.passed > 0 || result.scored < 5) return null;
  return result.scored >= 20 ? 'suspect' : 'low-signal';
}

/**
 * Checks that passed in some scored trials and not in others: label to the smaller of the two counts, sorted by
 * label. A label that occurs twice in a trial counts on its own, as `label #2`.
 */
export function checkFlips(trials: readonly TrialResult[]): { [label: string]: number } {
  const counts = new Map<string, { passes: number; misses: number }>();
  for (const trial of trials) {
    if (trial.status === 'error') continue;
    const seen = new Map<string, number>();
    for (const check of trial.checks) {
      const occurrence = (seen.get(check.label) ?? 0) + 1;
      seen.set(check.label, occurrence);
      const label = occurrence === 1 ? check.label : `${check.label} #${occurrence}`;
      const count = counts.get(label) ?? { passes: 0, misses: 0 };
      if (check.outcome === 'pass') count.passes += 1;
      else count.misses += 1;
      counts.set(label, count);
    }
  }
  const flips: [string, number][] = [];
  for (const [label, { passes, misses }] of counts) {
    const flipped = Math.min(passes, misses);
    if (flipped > 0) flips.push([label, flipped]);
  }
  return Object.fromEntries(flips.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Checks passed and made, by category, sorted; only categories that occur. */
export function categoryTotals(checks: readonly Check[]): {
  [category: string]: { passed: number; total: number };
} {
  const totals = new Map<string, { passed: number; total: number }>();
  for (const check of checks) {
    const total = totals.get(check.category) ?? { passed: 0, total: 0 };
    total.total += 1;
    if (check.outcome === 'pass') total.passed += 1;
    totals.set(check.category, total);
  }
  return Object.fromEntries([...totals].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * Why a case could not be scored, or not in full, in one text; null when every trial was. A case of which a trial
 * failed is failed for certain, and still says what happened to the rest.
 */
export function caseError(result: CaseResult, trials: readonly TrialResult[]): string | null {
  const error = trials.find((trial) => trial.error !== null)?.error;
  if (result.outcome !== 'error' && error === undefined) return null;
  if (error === undefined && result.decision?.verdict === 'inconclusive') {
    return `undecided after ${result.scored} trials: ${result.passed} passed`;
  }
  const message = error?.message ?? 'the other trials were not run';
  if (result.planned < 2) return message;
  const completed = `${result.scored} of ${result.planned} trials completed`;
  const open = result.outcome === 'error' ? `, pass^${result.planned} not established` : '';
  return `${completed}${open}: ${message}`;
}

/** Sum of counts by kind of error, sorted by kind: what `addErrors` fills. */
export type ErrorCounts = Map<string, number>;

/** Adds one case's errors to the counts of its suite. */
export function addErrors(counts: ErrorCounts, result: CaseResult): void {
  for (const [kind, count] of Object.entries(result.errors)) {
    if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
}

/** The counts as a plain object, sorted by kind. */
export function errorCounts(counts: ErrorCounts): { [kind: string]: number } {
  return Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
