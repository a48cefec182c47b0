import { disagreementProbability, icc11, wilson } from '../stats/index.js';
import type { Interval } from '../core/index.js';

/** How one trial was graded, each time it was. */
export interface GradedTrial {
  trial: number;
  /** 1 passed, 0 failed: the stored grading first, then each repetition of it on the same recording. */
  gradings: readonly (0 | 1)[];
}

/** What is known of one case. */
export interface ObservedCase {
  id: string;
  /** Scored trials. */
  trials: readonly GradedTrial[];
  /** Repeated replays that recorded something else, of how many; null when the case cannot be replayed. */
  replays: { differed: number; total: number } | null;
  /** Trials that could not be graded again, because their files are gone or a grader failed. */
  notRegraded: number;
}

/** How one case varies, by source. */
export interface CaseFlakiness {
  id: string;
  passed: number;
  scored: number;
  /** Wilson interval of the pass rate, 95%; null when nothing was scored. */
  interval: Interval | null;
  /** Chance that two fresh trials disagree; null below two trials. */
  index: number | null;
  /** Chance that two gradings of the same recording disagree; null when nothing was graded twice. */
  grader: number | null;
  /** Share of repeated replays that differed; must be 0. Null when the case is not replayed. */
  harness: number | null;
  notRegraded: number;
  /** Grader and harness noise is a fault to be fixed; agent noise is what is measured and is never quarantined. */
  fault: 'grader' | 'harness' | null;
}

/** Where the variance of one trial's outcome comes from; variances of a 0/1 value. */
export interface VarianceSplit {
  betweenCases: number;
  agent: number;
  grader: number | null;
  /** Cases and trials of the balanced table this is from. */
  cases: number;
  trials: number;
  /** Share of the variance that lies between cases; null without any variance. */
  icc: number | null;
}

/** How a stored run varies. */
export interface Flakiness {
  schema: 'assay/flakiness/v1';
  cases: CaseFlakiness[];
  /** Null below two cases with the same number of trials, two or more. */
  variance: VarianceSplit | null;
  /** Cases with a fault of grader or harness. */
  faults: number;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function disagreement(gradings: readonly (0 | 1)[]): number | null {
  const c = gradings.filter((grading) => grading === 1).length;
  return gradings.length < 2 ? null : disagreementProbability({ n: gradings.length, c }).value;
}

function first(trial: GradedTrial): 0 | 1 {
  return trial.gradings[0] ?? 0;
}

function caseFlakiness(observed: ObservedCase): CaseFlakiness {
  const { id, trials, replays, notRegraded } = observed;
  const passed = trials.filter((trial) => first(trial) === 1).length;
  const scored = trials.length;
  const grader = mean(trials.flatMap((trial) => disagreement(trial.gradings) ?? []));
  const harness = replays === null || replays.total === 0 ? null : replays.differed / replays.total;
  return {
    id,
    passed,
    scored,
    interval: scored === 0 ? null : wilson({ n: scored, c: passed, confidence: 0.95 }),
    index: scored < 2 ? null : disagreementProbability({ n: scored, c: passed }).value,
    grader,
    harness,
    notRegraded,
    fault: harness !== null && harness > 0 ? 'harness' : grader !== null && grader > 0 ? 'grader' : null,
  };
}

/** The number of trials that most cases have, the larger of equals; null when none has two. */
function usualTrials(cases: readonly ObservedCase[]): number | null {
  const counts = new Map<number, number>();
  for (const { trials } of cases) {
    if (trials.length >= 2) counts.set(trials.length, (counts.get(trials.length) ?? 0) + 1);
  }
  const [usual] = [...counts].toSorted((left, right) => right[1] - left[1] || right[0] - left[0]);
  return usual?.[0] ?? null;
}

function splitVariance(cases: readonly ObservedCase[]): VarianceSplit | null {
  const usual = usualTrials(cases);
  const balanced = cases.filter(({ trials }) => trials.length === usual);
  if (usual === null || balanced.length < 2) return null;
  const { msb, msw, icc } = icc11({ table: balanced.map(({ trials }) => trials.map(first)) });
  // Two gradings disagree with chance 2p(1-p), which is twice the variance of one of them.
  const disagreeing = mean(
    balanced.flatMap(({ trials }) => trials.flatMap((trial) => disagreement(trial.gradings) ?? [])),
  );
  const grader = disagreeing === null ? null : disagreeing / 2;
  return {
    betweenCases: Math.max(0, (msb - msw) / usual),
    agent: Math.max(0, msw - (grader ?? 0)),
    grader,
    cases: balanced.length,
    trials: usual,
    icc,
  };
}

/**
 * Splits how a run varies into grader noise (the same recording graded again), harness noise (the same replay again,
 * must be none) and agent noise (fresh trials), most flaky case first.
 */
export function flakiness(cases: readonly ObservedCase[]): Flakiness {
  const rows = cases.map(caseFlakiness);
  const rank = (row: CaseFlakiness): number => (row.fault === null ? (row.index ?? 0) : 2);
  return {
    schema: 'assay/flakiness/v1',
    cases: rows.toSorted((left, right) => rank(right) - rank(left)),
    variance: splitVariance(cases),
    faults: rows.filter((row) => row.fault !== null).length,
  };
}
