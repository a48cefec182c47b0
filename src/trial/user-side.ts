import type { Recording, Simulation, TurnRecord } from '../core/index.js';
import type { Observed } from '../agent/index.js';

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
      return Promise.resolve(
        turn === undefined ? null : { text: turn.user, simulated: turn.simulated === true },
      );
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
