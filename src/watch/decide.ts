import { fixedSource } from '../core/index.js';
import { dropTest } from './drop-test.js';
import type { CaseFacts, RunFacts } from './run-facts.js';

/**
 * What a run says of the change. `good`: no drop is seen; `lower`: a large drop that chance may explain; `regression`:
 * the suite fails, or dropped by more than chance explains.
 */
export type ChangeVerdict = 'good' | 'lower' | 'regression';

/** A verdict and what it rests on. */
export interface Decision {
  verdict: ChangeVerdict;
  /** In one sentence. */
  reason: string;
  /** Mean of the last good run minus that of this one over their common cases; null without a common case. */
  drop: number | null;
  /** Chance of a drop like this when nothing has changed; null without a common case, and for replays. */
  p: number | null;
  /** Id of the last good run; null when there is none that compares. */
  against: string | null;
}

/** How drops are judged: the `config_change` block's `alpha` and `max_drop`. */
export interface DropLimits {
  alpha: number;
  maxDrop: number;
}

function measured(one: CaseFacts, byScore: boolean): number[] {
  return byScore ? one.scores : one.passes.map(Number);
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function points(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}

/** Runs that the new one compares with: other prompts, but the same mode and the same judge. */
function comparable(run: RunFacts, good: readonly RunFacts[]): RunFacts[] {
  const { mode, judgeModel } = run.summary;
  return good.filter(({ summary }) => summary.mode === mode && summary.judgeModel === judgeModel);
}

function meanDrop(run: RunFacts, last: RunFacts, byScore: boolean): number | null {
  const before = new Map(last.cases.map((one) => [one.hash, one]));
  const pairs = run.cases.flatMap((after) => {
    const earlier = before.get(after.hash);
    if (earlier === undefined || earlier.scores.length === 0 || after.scores.length === 0) return [];
    return [mean(measured(earlier, byScore)) - mean(measured(after, byScore))];
  });
  return pairs.length === 0 ? null : mean(pairs);
}

/**
 * Decides what a finished, scored run says of the change, from the last good runs (newest first). The drop is that
 * against the newest; whether chance explains it is asked of all of them together, trial by trial within each case,
 * because one run of a few trials could hardly show anything. Scores are compared under the gate `mean`, passes under
 * the others.
 */
export function decide(run: RunFacts, earlier: readonly RunFacts[], limits: DropLimits): Decision {
  const good = comparable(run, earlier);
  const [last] = good;
  const byScore = run.summary.gate === 'mean';
  const drop = last === undefined ? null : meanDrop(run, last, byScore);
  const against = last === undefined || drop === null ? null : last.runId;
  const exact = run.summary.mode === 'replay';
  const p =
    drop === null || exact
      ? null
      : dropTest(
          run.cases.map((after) => ({
            before: good.flatMap(({ cases }) =>
              cases.filter(({ hash }) => hash === after.hash).flatMap((one) => measured(one, byScore)),
            ),
            after: measured(after, byScore),
          })),
          fixedSource(),
        );
  const facts = { drop, p, against };
  if (run.summary.outcome !== 'passed') {
    const change = last === undefined ? 'no earlier run is known to have passed' : `${last.runId} passed`;
    return { verdict: 'regression', reason: `the suite fails: ${run.summary.reason}; ${change}`, ...facts };
  }
  if (drop === null) return { verdict: 'good', reason: 'no earlier good run has these cases', ...facts };
  if (drop <= 0) return { verdict: 'good', reason: `not lower than ${last?.runId ?? ''}`, ...facts };
  const shown = `${points(drop)} lower than ${last?.runId ?? ''}`;
  if (exact) return { verdict: 'regression', reason: `${shown}; a replay has no chance in it`, ...facts };
  const chance = `p = ${(p ?? 1).toPrecision(2)}`;
  if (p !== null && p <= limits.alpha)
    return { verdict: 'regression', reason: `${shown}, more than chance explains (${chance})`, ...facts };
  if (drop > limits.maxDrop)
    return { verdict: 'lower', reason: `${shown}; chance may explain it (${chance})`, ...facts };
  return { verdict: 'good', reason: `${shown}, which chance explains (${chance})`, ...facts };
}
