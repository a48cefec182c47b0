import type { CaseResult, ErrorKind, TrialResult } from '../core/index.js';
import { curtailedUnbiasedRate, wilson } from '../stats/index.js';
import type { Case } from '../suite/index.js';
import { caseMetrics } from './metrics.js';

function sum(trials: readonly TrialResult[], read: (trial: TrialResult) => number): number {
  let total = 0;
  for (const trial of trials) total += read(trial);
  return total;
}

function totalCost(trials: readonly TrialResult[]): number | null {
  let total = 0;
  for (const trial of trials) {
    const cost = trial.recording === null ? 0 : trial.recording.usage.cost;
    if (cost === null) return null;
    total += cost;
  }
  return total;
}

function countErrors(trials: readonly TrialResult[]): CaseResult['errors'] {
  const errors: { [Kind in ErrorKind]?: number } = {};
  for (const trial of trials) {
    if (trial.error !== null && trial.status === 'error') {
      errors[trial.error.kind] = (errors[trial.error.kind] ?? 0) + 1;
    }
  }
  return errors;
}

/**
 * What the trials of a case come to. Only scored trials enter n; k is the number of planned trials, and an estimate
 * that needs more scored trials than there are is null.
 * @param trials in trial order
 * @param curtailed the case was stopped early because its verdict was decided
 */
export function tallyCase(
  tested: Case,
  planned: number,
  trials: readonly TrialResult[],
  curtailed: boolean,
): CaseResult {
  let scored = 0;
  let passed = 0;
  let scoreTotal = 0;
  for (const trial of trials) {
    if (trial.status === 'error') continue;
    scored += 1;
    if (trial.status === 'passed') passed += 1;
    scoreTotal += trial.score ?? 0;
  }
  const errored = trials.length - scored;
  const complete = scored >= planned;
  const anyFailed = passed < scored;
  const result: CaseResult = {
    id: tested.id,
    hash: tested.hash,
    source: tested.source.name,
    line: tested.source.line,
    negative: tested.negative,
    tags: tested.tags,
    cluster: tested.cluster,
    planned,
    scored,
    passed,
    errors: errored === 0 ? {} : countErrors(trials),
    // k is the number of planned trials, so the unbiased estimators are "any passed" and "all passed"; one failure
    // or one pass decides them even when other trials are missing.
    passAtK: passed > 0 ? 1 : complete ? 0 : null,
    passHatK: anyFailed ? 0 : complete ? 1 : null,
    meanScore: scored === 0 ? null : scoreTotal / scored,
    interval: scored === 0 ? null : wilson({ n: scored, c: passed, confidence: 0.95 }),
    outcome: anyFailed ? 'failed' : complete ? 'passed' : 'error',
    curtailed,
    curtailedRate: curtailed
      ? curtailedUnbiasedRate({ n: planned, need: planned, passes: passed, fails: scored - passed }).rate
      : null,
    expectedFailing: tested.expectedFailing,
    inputTokens: sum(trials, (trial) => trial.recording?.usage.inputTokens ?? 0),
    outputTokens: sum(trials, (trial) => trial.recording?.usage.outputTokens ?? 0),
    cost: totalCost(trials),
    durationMs: sum(trials, (trial) => trial.recording?.durationMs ?? 0),
  };
  return Object.assign(result, caseMetrics(tested, trials));
}
