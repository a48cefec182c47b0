import { AgentError, type Observed } from '../agent/index.js';
import { clip, plural, quote, type ScenarioEnd, type Simulation, type TurnRecord } from '../core/index.js';
import type { Exchange } from '../judge/index.js';
import type { CaseScenario, SimulatorRecording } from '../suite/index.js';
import type { UserSide, UserWords } from '../trial/index.js';
import { nextDecision, type Simulator } from './simulator.js';
import { ruleThatHolds } from './stop-rules.js';

/** How the user of one trial is set up. */
export interface ScenarioUserOptions {
  scenario: CaseScenario;
  /** Who speaks where words are neither written nor recorded; null when nobody can. */
  simulator: Simulator | null;
  /** Takes out of answers what recordings do not hold either. */
  redact: (text: string) => string;
}

const SHOWN = 200;

/** The user's side of one trial of a scenario: written words, those of a recording, or those of a simulator. */
class ScenarioUser implements UserSide {
  private readonly options: ScenarioUserOptions;
  private readonly recording: SimulatorRecording | null;
  private readonly state: Simulation;

  constructor(options: ScenarioUserOptions) {
    this.options = options;
    this.recording = options.scenario.recorded?.recording ?? null;
    this.state = {
      ended: null,
      reason: '',
      modelRef: null,
      servedModel: null,
      replayed: this.recording !== null,
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
    };
  }

  simulation(): Simulation {
    return { ...this.state };
  }

  async next(turns: readonly TurnRecord[], seen: Observed, signal: AbortSignal): Promise<UserWords | null> {
    const { scenario } = this.options;
    const last = turns.at(-1);
    const rule = last === undefined ? null : ruleThatHolds(scenario.stopRules, last.text, seen);
    if (rule !== null) return this.end('stop_when', rule);
    const written = scenario.words[turns.length];
    if (written === undefined) return this.end('turns', plural(scenario.words.length, 'turn'));
    if (this.recording !== null) return this.recorded(this.recording, turns);
    if (written !== null) return { text: written, simulated: false };
    return this.simulated(turns, signal);
  }

  private end(by: ScenarioEnd, reason: string): null {
    this.state.ended = by;
    this.state.reason = reason;
    return null;
  }

  /** What the recorded user said next, as long as the agent answers as it did then. */
  private recorded(recording: SimulatorRecording, turns: readonly TurnRecord[]): UserWords | null {
    const last = turns.at(-1);
    const then = recording.turns[turns.length - 1];
    const now = last === undefined ? undefined : this.options.redact(last.text);
    if (now !== then?.agent) {
      const before = quote(clip(then?.agent ?? '', SHOWN));
      throw new AgentError(
        'script',
        `turn ${turns.length}: the agent answered ${quote(clip(now ?? '', SHOWN))}, and ${before} when the simulated user was recorded, so what it said next does not fit; record it again with assay scenario run --record, or write the user's words as a script`,
      );
    }
    const next = recording.turns[turns.length];
    if (next !== undefined) return { text: next.user, simulated: next.simulated };
    return this.end(recording.ended.by, recording.ended.reason);
  }

  private async simulated(turns: readonly TurnRecord[], signal: AbortSignal): Promise<UserWords | null> {
    const { scenario, simulator } = this.options;
    if (simulator === null)
      throw new AgentError('setup', 'the scenario needs a simulated user and no model plays it');
    this.state.modelRef = simulator.modelRef;
    const decided = await nextDecision(simulator, scenario, turns, signal);
    this.count(decided.exchanges);
    if (!decided.ok) throw decided.error;
    const { decision } = decided;
    if (decision.action === 'say') return { text: decision.message, simulated: true };
    return this.end(decision.outcome === 'reached' ? 'goal' : 'gave_up', decision.reason);
  }

  private count(exchanges: readonly Exchange[]): void {
    const { state } = this;
    for (const { answer } of exchanges) {
      state.calls += 1;
      state.servedModel = answer.servedModel ?? state.servedModel;
      state.inputTokens += answer.inputTokens ?? 0;
      state.outputTokens += answer.outputTokens ?? 0;
      state.cost = state.cost === null || answer.cost === null ? null : state.cost + answer.cost;
    }
  }
}

/** The user's side of one trial of a scenario. */
export function scenarioUser(options: ScenarioUserOptions): UserSide {
  return new ScenarioUser(options);
}
