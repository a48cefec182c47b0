import { AssayError } from '../core/index.js';
import { holm } from '../stats/index.js';
import { casesCanShow, compareCases, type CaseComparison } from './case-comparison.js';
import { commonPart, type CommonPart } from './common-part.js';
import type { ComparedRun } from './compared-run.js';
import { neededToDecide } from './needed-trials.js';
import {
  compareDimensions,
  compareSpending,
  compareVerdicts,
  sideFacts,
  type DimensionComparison,
  type SpendingComparison,
} from './spending.js';
import { ruledDifference, ruledVerdict } from './ruled-difference.js';
import type { RuledEnd } from './stopped-early.js';
import { suiteDifference, type Measure, type SuiteDifference } from './suite-difference.js';
import { decideVerdict, type CompareVerdict } from './verdict.js';

/** How runs are compared. */
export interface CompareOptions {
  /** Default `passed`: pass rates. */
  measure?: Measure;
  /** Differences up to this do not matter; 0 or more and below 1. Default 0.05. */
  tolerance?: number;
  /** Chance of a false better or worse over the whole comparison, strictly inside 0..1. Default 0.05. */
  alpha?: number;
  /** Power that the detectable difference and the needed trials are stated for. Default 0.8. */
  power?: number;
  /** How a rule that might have ended the runs early left them, its rivals in the order of the runs; default none. */
  ruled?: RuledEnd | null;
}

/** What a side is. */
export type SideFacts = ReturnType<typeof sideFacts>;

/** B against A. */
export interface PairComparisonResult {
  a: SideFacts;
  b: SideFacts;
  verdict: CompareVerdict;
  difference: SuiteDifference;
  /** p of the suite, adjusted over all comparisons (Holm); null for replays. */
  adjusted: number | null;
  /** Level the suite's p is held against, and the level all cases share. */
  levels: { suite: number; cases: number };
  wins: number;
  losses: number;
  ties: number;
  unscored: number;
  cases: CaseComparison[];
  spending: SpendingComparison[];
  dimensions: DimensionComparison[];
  /** What the judges said on both sides; null when none was asked. */
  judges: ReturnType<typeof compareVerdicts>;
  restrictions: string[];
  differences: string[];
  onlyA: string[];
  onlyB: string[];
  changed: string[];
}

/** Two or more runs, each against the first. */
export interface Comparison {
  schema: 'assay/comparison/v1';
  suite: string;
  measure: Measure;
  tolerance: number;
  alpha: number;
  power: number;
  comparisons: PairComparisonResult[];
}

/** Tolerance unless another is given: 5 points. */
export const DEFAULT_TOLERANCE = 0.05;
/** Part of the error rate that goes to cases by themselves, once they have trials enough to show anything. */
const CASE_SHARE = 0.2;

type ReadyOptions = Required<CompareOptions>;

function ready(options: CompareOptions): ReadyOptions {
  const { measure = 'passed', tolerance = DEFAULT_TOLERANCE, alpha = 0.05, power = 0.8 } = options;
  const { ruled = null } = options;
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw new AssayError('INPUT', `the tolerance must be 0 or more and below 1, got ${tolerance}`, {
      fix: 'write a share: 0.05 is 5 points',
    });
  }
  for (const [name, value] of Object.entries({ alpha, power })) {
    if (!(value > 0 && value < 1))
      throw new AssayError('INPUT', `${name} must lie between 0 and 1, got ${value}`);
  }
  return { measure, tolerance, alpha, power, ruled };
}

/** One pair before its p-value is adjusted. */
interface Measured {
  a: ComparedRun;
  b: ComparedRun;
  part: CommonPart;
  difference: SuiteDifference;
  levels: { suite: number; cases: number };
  cases: CaseComparison[];
  /** The verdict of a rule that ended the runs early; null when none did. */
  ended: CompareVerdict | null;
}

/** What is left of the error rate for a test of all that was run: looking at it on the way costs its part. */
function levelOf({ alpha, ruled }: ReadyOptions): number {
  return ruled === null ? alpha : alpha - ruled.rule.level;
}

/** Which of how many comparisons one is. */
interface Place {
  place: number;
  rivals: number;
}

function measurePair(
  a: ComparedRun,
  b: ComparedRun,
  options: ReadyOptions,
  { place, rivals }: Place,
): Measured {
  const { measure, tolerance, power, ruled } = options;
  const part = commonPart(a, b);
  const exact = a.mode === 'replay' && b.mode === 'replay';
  const alpha = levelOf(options);
  const share = (alpha * CASE_SHARE) / rivals;
  const early = ruled?.early === true;
  const cases = !early && !exact && casesCanShow(part.pairs, share) ? share : 0;
  const fixed = suiteDifference(part.pairs, {
    measure,
    rates: { alpha: alpha / rivals, power },
    confidence: 1 - alpha / rivals,
    exact,
  });
  return {
    a,
    b,
    part,
    // The suite's p is adjusted over the rivals instead, which costs less than dividing its level.
    levels: {
      suite: early ? ruled.rule.level : cases === 0 ? alpha : alpha * (1 - CASE_SHARE),
      cases,
    },
    ended: early ? ruledVerdict(ruled, place) : null,
    difference: ruled === null ? fixed : ruledDifference(fixed, ruled, place),
    cases: compareCases(part.pairs, { measure, alpha: cases, tolerance, exact }),
  };
}

function finish(measured: Measured, adjusted: number | null, options: ReadyOptions): PairComparisonResult {
  const { a, b, part, difference, levels, cases } = measured;
  const { tolerance, power } = options;
  const rates = { alpha: 1 - difference.confidence, power };
  const needed =
    difference.test === 'count' ? null : neededToDecide(part.pairs, difference, tolerance, rates);
  const count = (result: CaseComparison['result']): number =>
    cases.filter((one) => one.result === result).length;
  const confidence = difference.confidence;
  return {
    a: sideFacts(a),
    b: sideFacts(b),
    verdict:
      measured.ended ??
      decideVerdict({ difference, cases, tolerance, p: adjusted, alpha: levels.suite, needed }),
    difference,
    adjusted,
    levels,
    wins: count('win'),
    losses: count('loss'),
    ties: count('tie'),
    unscored: count('unscored'),
    cases,
    spending: compareSpending(part.pairs, confidence),
    dimensions: compareDimensions(part.pairs, confidence),
    judges: compareVerdicts(part.pairs),
    restrictions: part.restrictions,
    differences: part.differences,
    onlyA: part.onlyA,
    onlyB: part.onlyB,
    changed: part.changed,
  };
}

/**
 * Compares each run with the first. The chance of any false better or worse among all of it is at most `alpha`: the
 * suites' p-values are adjusted by Holm, and a fifth of it goes to cases that moved by themselves, once they have
 * trials enough to show anything.
 * @throws AssayError `INPUT` below two runs, for options out of range, and for runs that cannot be compared
 */
export function compareRuns(runs: readonly ComparedRun[], options: CompareOptions = {}): Comparison {
  const settings = ready(options);
  const { measure, tolerance, alpha, power } = settings;
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) {
    throw new AssayError('INPUT', 'a comparison needs two runs or more', {
      fix: 'name the runs: assay compare A B',
    });
  }
  const measured = others.map((other, place) =>
    measurePair(first, other, settings, { place, rivals: others.length }),
  );
  const tested = measured.filter((one) => one.difference.p !== null);
  const { adjusted } = holm({ p: tested.map((one) => one.difference.p ?? 1) });
  const places = new Map(tested.map((one, place) => [one, place]));
  return {
    schema: 'assay/comparison/v1',
    suite: first.suite,
    measure,
    tolerance,
    alpha,
    power,
    comparisons: measured.map((one) => {
      const place = places.get(one);
      return finish(one, place === undefined ? null : (adjusted[place] ?? null), settings);
    }),
  };
}

/**
 * The exit code of a gated comparison: 1 when some run is worse than the first, or when the data does not decide it and
 * that is not allowed; else 0. The verdict in the result tells the two apart.
 */
export function gateExitCode(comparison: Comparison, allowUndecided: boolean): 0 | 1 {
  const names = comparison.comparisons.map((one) => one.verdict.name);
  if (names.includes('worse')) return 1;
  return names.includes('not enough data') && !allowUndecided ? 1 : 0;
}
