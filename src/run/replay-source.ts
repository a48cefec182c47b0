import { LoopSession } from '../agent/index.js';
import { ScriptedModel } from '../model/index.js';
import { echoTool } from '../tool/index.js';
import type { AgentSource } from './options.js';

const REPLAY_TOOLS = [echoTool];
const REPLAY_SURFACE = { requested: [], effective: [], registered: REPLAY_TOOLS.map((tool) => tool.name) };

/**
 * The agent of replay mode: the built-in loop over each case's own script, with `echo` as its only tool. No network,
 * no key, no file outside the trial.
 * @param maxSteps model requests in one turn, overriding the case's
 */
export function replayAgents(maxSteps?: number): AgentSource {
  return {
    mode: 'replay',
    modelRef: 'scripted',
    deterministic: true,
    toolSurface: () => REPLAY_SURFACE,
    sandbox: { autonomy: 'supervised', workspaceOnly: false },
    prepare(tested) {
      const model = new ScriptedModel(
        tested.id,
        tested.turns.map((turn) => turn.steps),
      );
      const stepLimit = tested.agent.type === 'loop' ? tested.agent.maxSteps : 1;
      return {
        open: (context) =>
          new LoopSession({
            model,
            tools: REPLAY_TOOLS,
            maxSteps: maxSteps ?? stepLimit,
            system: tested.systemPrompt,
            clock: context.clock,
            toolContext: { workspace: () => context.workspace(), signal: null },
            signal: null,
          }),
        endTurn: (turn) => model.endTurn(turn),
      };
    },
  };
}
