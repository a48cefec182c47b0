import type { CaseResult, ErrorKind, Interval, TrialResult } from '../core/index.js';
import { curtailedUnbiasedRate, wilson } from '../stats/index.js';
import type { Case } from '../suite/index.js';
import { caseMetrics } from './metrics.js';

/** What the trials of a case used. `cost` is null when that of one trial is not known. */
interface Used {
  inputTokens: number;
  outputTokens: number;
  cost: number | null;
  durationMs: number;
}

function usedBy(trials: readonly TrialResult[]): Used {
  const used: Used = { inputTokens: 0, outputTokens: 0, cost: 0, durationMs: 0 };
  for (const { recording } of trials) {
    if (recording === null) continue;
    const { usage } = recording;
    used.inputTokens += usage.inputTokens;
    used.outputTokens += usage.outputTokens;
    used.durationMs += recording.durationMs;
    used.cost = used.cost === null || usage.cost === null ? null : used.cost + usage.cost;
  }
  return used;
}

const intervals = new Map<string, Interval>();
const MOST_INTERVALS = 1000;

/** Wilson's interval; the cases of a run have few different counts, so it is computed once for each. */
function intervalOf(scored: number, passed: number): Interval {
  const key = `${passed}/${scored}`;
  let interval = intervals.get(key);
  if (interval === undefined) {
    interval = wilson({ n: scored, c: passed, confidence: 0.95 });
    if (intervals.size < MOST_INTERVALS) intervals.set(key, interval);
  }
  return interval;
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
  const used = usedBy(trials);
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
    interval: scored === 0 ? null : intervalOf(scored, passed),
    outcome: anyFailed ? 'failed' : complete ? 'passed' : 'error',
    curtailed,
    curtailedRate: curtailed
      ? curtailedUnbiasedRate({ n: planned, need: planned, passes: passed, fails: scored - passed }).rate
      : null,
    expectedFailing: tested.expectedFailing,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    cost: used.cost,
    durationMs: used.durationMs,
  };
  const metrics = caseMetrics(tested, trials);
  if (metrics !== null) result.metrics = metrics;
  return result;
}
