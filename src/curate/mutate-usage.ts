import type { BudgetMetric, CheckSpec, Recording } from '../core/index.js';
import type { Mutant } from './mutant.js';

/** By how much a mutant wastes. */
const FACTOR = 10;

const WASTES: readonly {
  id: string;
  claim: string;
  /** Bounds that speak of it. */
  metrics: readonly BudgetMetric[];
  multiplied: (recording: Recording) => Recording;
}[] = [
  {
    id: 'usage:input_tokens',
    claim: `it used ${FACTOR} times as many input tokens`,
    metrics: ['input_tokens', 'total_tokens'],
    multiplied: (recording) => ({
      ...recording,
      usage: { ...recording.usage, inputTokens: recording.usage.inputTokens * FACTOR },
    }),
  },
  {
    id: 'usage:output_tokens',
    claim: `it used ${FACTOR} times as many output tokens`,
    metrics: ['output_tokens', 'total_tokens'],
    multiplied: (recording) => ({
      ...recording,
      usage: { ...recording.usage, outputTokens: recording.usage.outputTokens * FACTOR },
    }),
  },
  {
    id: 'usage:duration',
    claim: `it took ${FACTOR} times as long`,
    metrics: ['duration_ms'],
    multiplied: (recording) => ({ ...recording, durationMs: recording.durationMs * FACTOR }),
  },
  {
    id: 'usage:model_requests',
    claim: `it made ${FACTOR} times as many model requests`,
    metrics: ['llm_calls'],
    multiplied: (recording) => ({ ...recording, llmCalls: recording.llmCalls * FACTOR }),
  },
  {
    id: 'usage:cost',
    claim: `it cost ${FACTOR} times as much`,
    metrics: ['cost'],
    multiplied: ({ usage, ...recording }) => ({
      ...recording,
      usage: { ...usage, cost: usage.cost === null ? null : usage.cost * FACTOR },
    }),
  },
];

/** A mutant of what a run used up, and whether the case says anything about that. */
export interface UsageMutant {
  mutant: Mutant;
  /** Some check of the case bounds it. A case without a bound makes no claim that could be broken. */
  claimed: boolean;
}

/** Waste: tokens, time, requests and cost multiplied. */
export function usageMutants(recording: Recording, checks: readonly CheckSpec[]): UsageMutant[] {
  const bounded = new Set(
    checks.flatMap((check) => (check.type === 'budget' && !check.diagnostic ? [check.metric] : [])),
  );
  return WASTES.map(({ id, claim, metrics, multiplied }) => ({
    mutant: { id, claim, facet: 'usage', recording: multiplied(recording) },
    claimed: metrics.some((metric) => bounded.has(metric)),
  }));
}
