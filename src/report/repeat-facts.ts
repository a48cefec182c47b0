import type { CaseResult, TrialResult } from '../core/index.js';
import { checkFlips } from './case-facts.js';

/** Mean and sample standard deviation (over n - 1); null where there are too few values. */
export interface Spread {
  mean: number | null;
  deviation: number | null;
}

/** What repeating a case showed beyond its verdict. */
export interface RepeatFacts {
  /** Tokens in and out of one trial, over the scored trials. */
  tokens: Spread;
  /** Milliseconds of one trial, over the scored trials. */
  durations: Spread;
  /** Checks that passed in some scored trials and not in others: label to the smaller count. */
  flips: { [label: string]: number };
  /** Some planned trial could not be scored, or was not run. */
  truncated: boolean;
}

/** Tokens in and out of a trial; null when nothing was recorded. */
export function totalTokens(trial: TrialResult): number | null {
  const usage = trial.recording?.usage;
  return usage === undefined ? null : usage.inputTokens + usage.outputTokens;
}

function spread(values: readonly number[]): Spread {
  const count = values.length;
  if (count === 0) return { mean: null, deviation: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, deviation: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (count - 1)) };
}

/** The facts of a repeated case. */
export function repeatFacts(result: CaseResult, trials: readonly TrialResult[]): RepeatFacts {
  const scored = trials.filter((trial) => trial.status !== 'error');
  return {
    tokens: spread(scored.map(totalTokens).filter((value) => value !== null)),
    durations: spread(
      scored.map((trial) => trial.recording?.durationMs).filter((value) => value !== undefined),
    ),
    flips: checkFlips(trials),
    truncated: result.outcome === 'error' || result.scored < result.planned,
  };
}
