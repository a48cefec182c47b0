import type { Recording } from '../core/index.js';
import { isUnconfined } from './graded-place.js';
import type { RecordedTrial, TrialPlan } from './record.js';

/**
 * The attempt of an agent whose answer is there already, where nothing but the answer is needed: one written turn, no
 * file to be put or watched, no limit to be counted. Null for every other trial, which is recorded like any other.
 */
export function recordAnswer(plan: TrialPlan): RecordedTrial | null {
  const { case: tested, receipt, source } = plan;
  const { answer } = plan.agent;
  const [turn, more] = tested.turns;
  const plain =
    tested.scenario === undefined && tested.graderFiles === undefined && !isUnconfined(tested.agent);
  const limited = plan.limits !== undefined || tested.limits !== undefined;
  if (answer === undefined || turn === undefined || more !== undefined || !plain || limited) return null;
  const recording: Recording = {
    receipt,
    turns: [{ user: turn.user, text: answer }],
    messages: [
      { role: 'user', text: turn.user },
      { role: 'assistant', text: answer },
    ],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, cost: null },
    llmCalls: 0,
    durationMs: 0,
  };
  return {
    recording,
    error: null,
    startedAt: new Date(source.now()).toISOString(),
    dispose: nothingToDispose,
  };
}

function nothingToDispose(): void {
  // Nothing was made.
}
