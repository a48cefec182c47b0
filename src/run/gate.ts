import type { CaseResult, RunOutcome } from '../core/index.js';
import { plural } from '../core/index.js';
import type { Suite } from '../suite/index.js';

/** Room for rounding when a mean is held against a bar: 0.1 and 0.7 average to 0.4, not to a little less. */
const ROUNDING = 1e-9;

/** Running totals of a run, from which its gate is decided; memory does not grow with the suite. */
export interface GateTotals {
  cases: number;
  passed: number;
  failed: number;
  errored: number;
  notRun: number;
  /** Cases marked as known to fail; they take no part in the gate. */
  excused: number;
  unexpectedPasses: number;
  /** Cases of which some trial could not be scored. */
  incomplete: number;
  /** Cases that a stopping rule left inconclusive. */
  undecided: number;
  scoreSum: number;
  scoreCases: number;
  passHatSum: number;
  passHatCases: number;
  passAtSum: number;
  passAtCases: number;
}

/** Totals of nothing. */
export function emptyTotals(): GateTotals {
  return {
    cases: 0,
    passed: 0,
    failed: 0,
    errored: 0,
    notRun: 0,
    excused: 0,
    unexpectedPasses: 0,
    incomplete: 0,
    undecided: 0,
    scoreSum: 0,
    scoreCases: 0,
    passHatSum: 0,
    passHatCases: 0,
    passAtSum: 0,
    passAtCases: 0,
  };
}

/** Adds one finished case to the totals. */
export function addCase(totals: GateTotals, result: CaseResult): void {
  totals.cases += 1;
  if (result.outcome === 'passed') totals.passed += 1;
  else if (result.outcome === 'failed') totals.failed += 1;
  else totals.errored += 1;
  if (result.expectedFailing && result.outcome !== 'error') {
    totals.excused += 1;
    if (result.outcome === 'passed') totals.unexpectedPasses += 1;
    return;
  }
  const complete = result.scored >= result.planned || result.curtailed;
  if (!complete) totals.incomplete += 1;
  else if (result.decision?.verdict === 'inconclusive') totals.undecided += 1;
  if (result.meanScore !== null && complete) {
    totals.scoreSum += result.meanScore;
    totals.scoreCases += 1;
  }
  if (result.passHatK !== null) {
    totals.passHatSum += result.passHatK;
    totals.passHatCases += 1;
  }
  if (result.passAtK !== null) {
    totals.passAtSum += result.passAtK;
    totals.passAtCases += 1;
  }
}

/** The verdict of a run and why. */
export interface GateVerdict {
  outcome: RunOutcome;
  reason: string;
}

function percent(value: number): string {
  return `${Math.round(value * 1000) / 10} %`;
}

function undecided(totals: GateTotals, interrupted: boolean): GateVerdict {
  if (interrupted) {
    const missing = totals.incomplete + totals.notRun;
    return { outcome: 'inconclusive', reason: `interrupted: ${plural(missing, 'case')} not finished` };
  }
  if (totals.incomplete > 0) {
    return { outcome: 'error', reason: `${plural(totals.incomplete, 'case')} could not be scored in full` };
  }
  return { outcome: 'inconclusive', reason: `stopped early: ${plural(totals.notRun, 'case')} not run` };
}

function gateAll(totals: GateTotals, interrupted: boolean): GateVerdict {
  const failed = totals.failed - (totals.excused - totals.unexpectedPasses);
  if (failed > 0) {
    return {
      outcome: 'failed',
      reason: `${plural(failed, 'case')} of ${totals.cases + totals.notRun} failed`,
    };
  }
  if (totals.incomplete > 0 || totals.notRun > 0) return undecided(totals, interrupted);
  if (totals.undecided > 0) {
    return {
      outcome: 'inconclusive',
      reason: `the stopping rule left ${plural(totals.undecided, 'case')} of ${totals.cases} undecided`,
    };
  }
  return { outcome: 'passed', reason: `all ${plural(totals.cases, 'case')} passed` };
}

/** Holds a mean over cases against the bar; missing cases decide it only when they cannot change the answer. */
function gateMean(
  totals: GateTotals,
  sum: number,
  counted: number,
  threshold: number,
  name: string,
  interrupted: boolean,
): GateVerdict {
  const total = totals.cases + totals.notRun - totals.excused;
  const missing = total - counted;
  if (total === 0) return { outcome: 'error', reason: 'no case takes part in the gate' };
  const best = (sum + missing) / total;
  if (best < threshold - ROUNDING) {
    const shown = counted === 0 ? 'no case' : `${name} ${percent(sum / counted)}`;
    return {
      outcome: 'failed',
      reason: `${shown} over ${plural(counted, 'case')} is below ${percent(threshold)}`,
    };
  }
  if (missing > 0 || totals.incomplete > 0) return undecided(totals, interrupted);
  return {
    outcome: 'passed',
    reason: `${name} ${percent(sum / counted)} over ${plural(counted, 'case')} reaches ${percent(threshold)}`,
  };
}

/**
 * Decides a run whose cases were stopped by a rule: every case must be decided, and pass. Means over cases that got
 * different numbers of trials by their outcomes would be biased, so no gate is held against them.
 */
export function decideRuledGate(totals: GateTotals, interrupted: boolean): GateVerdict {
  if (totals.cases + totals.notRun === 0) return { outcome: 'error', reason: 'no case was run' };
  return gateAll(totals, interrupted);
}

/**
 * Decides the gate of a suite. A run with an unresolved error never passes; it has failed only when the missing
 * cases could not have saved it.
 */
export function decideGate(suite: Suite, totals: GateTotals, interrupted: boolean): GateVerdict {
  if (totals.cases + totals.notRun === 0) return { outcome: 'error', reason: 'no case was run' };
  switch (suite.gate) {
    case 'all':
      return gateAll(totals, interrupted);
    case 'mean':
      return gateMean(
        totals,
        totals.scoreSum,
        totals.scoreCases,
        suite.passThreshold,
        'mean score',
        interrupted,
      );
    case 'pass^k':
      return gateMean(
        totals,
        totals.passHatSum,
        totals.passHatCases,
        suite.passThreshold,
        'pass^k',
        interrupted,
      );
  }
}
