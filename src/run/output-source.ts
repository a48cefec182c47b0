import { AgentError, OutputSession } from '../agent/index.js';
import type { StoredOutputs } from '../model/index.js';
import type { AgentSource } from './options.js';

const NO_TOOLS = { requested: [], effective: [], registered: [] };

/** Answers that were produced elsewhere stand in for the agent; a trial without one is an error, never empty text. */
export function outputAgents(outputs: StoredOutputs): AgentSource {
  return {
    mode: 'outputs',
    modelRef: `outputs:${outputs.file}`,
    deterministic: true,
    toolSurface: () => NO_TOOLS,
    sandbox: { autonomy: 'none', workspaceOnly: true },
    prepare(tested, trial) {
      const output = outputs.get(tested.id, trial);
      if (output === undefined) {
        throw new AgentError(
          'setup',
          `no stored output for case ${JSON.stringify(tested.id)}, trial ${trial}, in ${outputs.file}`,
        );
      }
      if (tested.scenario !== undefined) {
        throw new AgentError(
          'setup',
          'a stored output answers one prompt; this case is a scenario, a conversation',
        );
      }
      if (tested.turns.length > 1) {
        throw new AgentError('setup', 'a stored output answers one turn; this case has several');
      }
      return { answer: output, open: () => new OutputSession(output) };
    },
  };
}
