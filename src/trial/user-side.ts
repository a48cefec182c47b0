import type { Recording, Simulation, TurnRecord } from '../core/index.js';
import { AgentError, type Observed } from '../agent/index.js';

/** What the user says in one turn. */
export interface UserWords {
  text: string;
  /** A model said it, or a recording of one. */
  simulated: boolean;
}

/** The user's side of one conversation whose turns are not all written down. */
export interface UserSide {
  /**
   * What the user says after these turns; null when the conversation is over. Rejects when the user cannot go on, which
   * is an error of the trial.
   */
  next(turns: readonly TurnRecord[], seen: Observed, signal: AbortSignal): Promise<UserWords | null>;
  /** How it went so far; read at any time, also after an error. */
  simulation(): Simulation;
}

/** The user's side of an earlier recording, said again. */
export function recordedUser(recording: Recording): UserSide {
  return {
    next(turns) {
      const turn = recording.turns[turns.length];
      if (turn !== undefined) return Promise.resolve({ text: turn.user, simulated: turn.simulated === true });
      // Graded as if it had ended, half a conversation could pass.
      const whole = (recording.simulation?.ended ?? null) !== null;
      if (whole) return Promise.resolve(null);
      return Promise.reject(new AgentError('setup', 'the stored conversation broke off; run the case again'));
    },
    simulation: () =>
      recording.simulation ?? {
        ended: null,
        reason: '',
        modelRef: null,
        servedModel: null,
        replayed: true,
        calls: 0,
        inputTokens: 0,
        outputTokens: 0,
        cost: 0,
      },
  };
}
