import type { JudgeUsage, TrialResult } from '../core/index.js';
import { addJudgeUsage } from './judge-usage.js';

/** What a run may spend on agent and judge together; null for no bound. */
export interface RunBudget {
  /** US dollars. */
  cost: number | null;
  /** Tokens, in and out. */
  tokens: number | null;
}

/** What is left of a budget. `unknown`: a cost is bounded and some trial does not say what it cost. */
export type BudgetState = 'within' | 'reached' | 'unknown';

/** Adds up what trials took, agent and judge. */
export class BudgetMeter {
  private readonly budget: RunBudget;
  private cost: number | null = 0;
  private tokens = 0;
  private judges: JudgeUsage | null = null;

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
  }

  state(): BudgetState {
    const { cost, tokens } = this.budget;
    const judges = this.judges ?? { inputTokens: 0, outputTokens: 0, cost: 0 };
    if (tokens !== null && this.tokens + judges.inputTokens + judges.outputTokens >= tokens) return 'reached';
    if (cost === null) return 'within';
    if (this.cost === null || judges.cost === null) return 'unknown';
    return this.cost + judges.cost >= cost ? 'reached' : 'within';
  }
}
