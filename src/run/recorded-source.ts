import { AgentError, type AgentSession, type Observed } from '../agent/index.js';
import type { Receipt, Recording } from '../core/index.js';
import { saidInCase } from '../suite/index.js';
import type { AgentSource } from './options.js';

/** A stored recording as a conversation: it says again what was said, and what was done is what was recorded. */
class RecordedSession implements AgentSession {
  private readonly recording: Recording;

  constructor(recording: Recording) {
    this.recording = recording;
  }

  observed(): Observed {
    const { recording } = this;
    return {
      messages: recording.messages,
      toolCalls: recording.toolCalls,
      inputTokens: recording.usage.inputTokens,
      outputTokens: recording.usage.outputTokens,
      cost: recording.usage.cost,
      llmCalls: recording.llmCalls,
      servedModel: recording.receipt.servedModel,
      notes: recording.notes ?? [],
    };
  }

  async close(): Promise<void> {
    // Nothing runs.
  }

  async turn(user: string, index: number): Promise<string> {
    const turn = this.recording.turns[index];
    if (turn === undefined) throw new AgentError('setup', `the stored run has no turn ${index + 1}`);
    if (turn.user !== user) {
      throw new AgentError(
        'setup',
        `turn ${index + 1}: the prompt has changed since the run; run the case again`,
      );
    }
    return turn.text;
  }
}

/**
 * Stored recordings stand in for the agent, so that today's checks grade an earlier run. Durations are the recorded
 * ones; a trial that has no recording is an error.
 * @param find the recording of a case's trial (1-based), or null
 */
export function recordedAgents(
  run: { mode: Receipt['mode']; modelRef: string },
  find: (caseId: string, trial: number) => Recording | null,
): AgentSource {
  return {
    mode: run.mode,
    modelRef: run.modelRef,
    deterministic: true,
    toolSurface: () => ({ requested: [], effective: [], registered: [] }),
    sandbox: { autonomy: 'none', workspaceOnly: true },
    prepare(tested, trial) {
      const recording = find(tested.id, trial);
      if (recording === null) {
        throw new AgentError('setup', `the stored run has no finished trial ${trial} of this case`);
      }
      const users = recording.turns.map((turn) => turn.user);
      if (tested.scenario !== undefined && !saidInCase(tested, users)) {
        throw new AgentError('setup', 'what the user says has changed since the run; run the case again');
      }
      return { open: () => new RecordedSession(recording), recorded: recording };
    },
  };
}
