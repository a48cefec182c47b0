import type { TrialResult } from '../core/index.js';

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

  constructor(budget: RunBudget) {
    this.budget = budget;
  }

  add(trials: readonly TrialResult[]): void {
    for (const { recording, checks } of trials) {
      if (recording !== null) {
        this.addCost(recording.usage.cost);
        this.tokens += recording.usage.inputTokens + recording.usage.outputTokens;
      }
      for (const { judge } of checks) {
        if (judge === undefined || judge.cached) continue;
        this.addCost(judge.cost);
        this.tokens += (judge.inputTokens ?? 0) + (judge.outputTokens ?? 0);
      }
    }
  }

  private addCost(cost: number | null): void {
    this.cost = this.cost === null || cost === null ? null : this.cost + cost;
  }

  state(): BudgetState {
    const { cost, tokens } = this.budget;
    if (tokens !== null && this.tokens >= tokens) return 'reached';
    if (cost === null) return 'within';
    if (this.cost === null) return 'unknown';
    return this.cost >= cost ? 'reached' : 'within';
  }
}
