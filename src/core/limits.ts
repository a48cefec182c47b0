import type { BudgetMetric } from './check.js';

/** What a trial can be limited in: the words of `budget` checks. Counts, tokens, US dollars, milliseconds. */
export type LimitedMetric = Extract<
  BudgetMetric,
  'llm_calls' | 'tool_calls' | 'total_tokens' | 'cost' | 'duration_ms'
>;

/** Hard limits of one trial. Going beyond one ends the trial with an error of kind `limit`. */
export type TrialLimits = { readonly [Metric in LimitedMetric]?: number };
