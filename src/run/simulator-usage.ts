import type { SimulatorUsage, TrialResult } from '../core/index.js';

/** Adds what the simulated users of some trials used to a total; null stands for none asked so far. */
export function addSimulatorUsage(
  total: SimulatorUsage | null,
  trials: readonly TrialResult[],
): SimulatorUsage | null {
  let sum = total;
  for (const { recording } of trials) {
    const simulation = recording?.simulation;
    if (simulation === undefined || simulation.calls === 0) continue;
    sum ??= { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    sum = {
      calls: sum.calls + simulation.calls,
      inputTokens: sum.inputTokens + simulation.inputTokens,
      outputTokens: sum.outputTokens + simulation.outputTokens,
      cost: sum.cost === null || simulation.cost === null ? null : sum.cost + simulation.cost,
    };
  }
  return sum;
}
