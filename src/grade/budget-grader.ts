import type { CheckSpecOf, Recording } from '../core/index.js';
import { cannotGrade, decide, unreachable, type Verdict } from './grader.js';

/** What the trial used of one metric; null when nobody said. Sums saturate at the largest safe integer. */
function used(metric: CheckSpecOf<'budget'>['metric'], recording: Recording): number | null {
  const { usage } = recording;
  switch (metric) {
    case 'input_tokens':
      return usage.inputTokens;
    case 'output_tokens':
      return usage.outputTokens;
    case 'total_tokens':
      return Math.min(usage.inputTokens + usage.outputTokens, Number.MAX_SAFE_INTEGER);
    case 'duration_ms':
      return recording.durationMs;
    case 'llm_calls':
      return recording.llmCalls;
    case 'tool_calls':
      return recording.toolCalls.length;
    case 'cost':
      return usage.cost;
    default:
      return unreachable(metric);
  }
}

/** Passes when the trial used at most the limit. An unknown figure is an error, never 0. */
export function gradeBudget(spec: CheckSpecOf<'budget'>, recording: Recording): Verdict {
  const actual = used(spec.metric, recording);
  if (actual === null || Number.isNaN(actual)) return cannotGrade(`${spec.metric} is unknown for this trial`);
  return decide(actual <= spec.limit, `${spec.metric} is ${actual}, the upper limit ${spec.limit}`);
}
