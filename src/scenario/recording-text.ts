import type { JsonObject, TrialResult } from '../core/index.js';
import { recordingContent, scenarioIdentity, SIMULATOR_SCHEMA, type Case } from '../suite/index.js';

/**
 * The text of the recording that a finished trial of a scenario makes: what the user said, and the answers it said it
 * to. Null when the conversation broke off, which is nothing to play again.
 */
export function simulatorRecordingText(tested: Case, trial: TrialResult): string | null {
  const { recording } = trial;
  const { scenario } = tested;
  const simulation = recording?.simulation;
  if (scenario === undefined || recording === null || simulation === undefined) return null;
  if (simulation.ended === null) return null;
  const said: JsonObject = {
    schema: SIMULATOR_SCHEMA,
    case: tested.id,
    scenario: scenarioIdentity(scenario),
    simulator: simulation.modelRef,
    agent: recording.receipt.modelRef,
    turns: recording.turns.map(({ user, simulated, text }) => ({
      user,
      simulated: simulated === true,
      agent: text,
    })),
    ended: { by: simulation.ended, reason: simulation.reason },
  };
  return `${JSON.stringify({ ...said, content: recordingContent(said) }, null, 2)}\n`;
}
