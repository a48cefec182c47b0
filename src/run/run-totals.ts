import type { CaseResult, JudgeUsage, RunSummary, SimulatorUsage, TrialResult } from '../core/index.js';
import { addJudgeUsage } from './judge-usage.js';
import { addSimulatorUsage } from './simulator-usage.js';

type Counts = Pick<RunSummary['totals'], 'trials' | 'scoredTrials' | 'passedTrials' | 'reusedTrials'>;

/** What the trials of a run add up to: counts, tokens, money. */
export class RunTotals {
  #trials = 0;
  #reused = 0;
  #scored = 0;
  #passed = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #cost: number | null = 0;
  #judge: JudgeUsage | null = null;
  #simulator: SimulatorUsage | null = null;

  /** A trial that is on disk, if anything is. */
  addTrial(reused: boolean): void {
    this.#trials += 1;
    if (reused) this.#reused += 1;
  }

  /** A case with all trials that it got. */
  addCase(result: CaseResult, trials: readonly TrialResult[]): void {
    this.#scored += result.scored;
    this.#passed += result.passed;
    this.#inputTokens += result.inputTokens;
    this.#outputTokens += result.outputTokens;
    this.#cost = this.#cost === null || result.cost === null ? null : this.#cost + result.cost;
    this.#judge = addJudgeUsage(this.#judge, trials);
    this.#simulator = addSimulatorUsage(this.#simulator, trials);
  }

  get counts(): Counts {
    return {
      trials: this.#trials,
      scoredTrials: this.#scored,
      passedTrials: this.#passed,
      reusedTrials: this.#reused,
    };
  }

  /** As the summary of the run has it; `judgeUsage` and `simulatorUsage` only when one was asked. */
  get usage(): Pick<RunSummary, 'inputTokens' | 'outputTokens' | 'cost' | 'judgeUsage' | 'simulatorUsage'> {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      cost: this.#cost,
      ...(this.#judge === null ? {} : { judgeUsage: this.#judge }),
      ...(this.#simulator === null ? {} : { simulatorUsage: this.#simulator }),
    };
  }
}
