import type { JudgeUsage, TrialResult } from '../core/index.js';

/** Adds what the judges of some trials used to a total; null stands for no judge asked so far. */
export function addJudgeUsage(total: JudgeUsage | null, trials: readonly TrialResult[]): JudgeUsage | null {
  let sum = total;
  for (const trial of trials) {
    for (const { judge } of trial.checks) {
      if (judge === undefined || judge.cached || judge.replies.length === 0) continue;
      sum ??= { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
      sum = {
        calls: sum.calls + judge.replies.length,
        inputTokens: sum.inputTokens + (judge.inputTokens ?? 0),
        outputTokens: sum.outputTokens + (judge.outputTokens ?? 0),
        cost: sum.cost === null || judge.cost === null ? null : sum.cost + judge.cost,
      };
    }
  }
  return sum;
}
