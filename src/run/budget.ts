import type { JudgeUsage, SimulatorUsage, TrialResult } from '../core/index.js';
import { addJudgeUsage } from './judge-usage.js';
import { addSimulatorUsage } from './simulator-usage.js';

/** What a run may spend on agent, judge and simulator together; null for no bound. */
export interface RunBudget {
  /** US dollars. */
  cost: number | null;
  /** Tokens, in and out. */
  tokens: number | null;
}

/** What is left of a budget. `unknown`: a cost is bounded and some trial does not say what it cost. */
export type BudgetState = 'within' | 'reached' | 'unknown';

/** Adds up what trials took: agent, judge and simulator. */
export class BudgetMeter {
  private readonly budget: RunBudget;
  private cost: number | null = 0;
  private tokens = 0;
  private judges: JudgeUsage | null = null;
  private simulators: SimulatorUsage | null = null;

  constructor(budget: RunBudget) {
    this.budget = budget;
  }

  add(trials: readonly TrialResult[]): void {
    for (const { recording } of trials) {
      if (recording === null) continue;
      const { cost, inputTokens, outputTokens } = recording.usage;
      this.cost = this.cost === null || cost === null ? null : this.cost + cost;
      this.tokens += inputTokens + outputTokens;
    }
    this.judges = addJudgeUsage(this.judges, trials);
    this.simulators = addSimulatorUsage(this.simulators, trials);
  }

  state(): BudgetState {
    const { cost, tokens } = this.budget;
    const others = [this.judges, this.simulators].filter((usage) => usage !== null);
    const used = others.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, this.tokens);
    if (tokens !== null && used >= tokens) return 'reached';
    if (cost === null) return 'within';
    let spent = this.cost;
    for (const one of others) spent = spent === null || one.cost === null ? null : spent + one.cost;
    if (spent === null) return 'unknown';
    return spent >= cost ? 'reached' : 'within';
  }
}
