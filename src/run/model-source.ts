import type { LanguageModelV3 } from '@ai-sdk/provider';
import { AgentError, promptSystemText, PromptSession } from '../agent/index.js';
import type { Case } from '../suite/index.js';
import { meteredModel, type PreparedAgent } from '../trial/index.js';
import { loopAgent } from './loop-agent.js';
import { openModule, type ModuleAgent } from './module-agent.js';
import type { AgentSource } from './options.js';
import type { OutsideAgents } from './outside-agents.js';
import { denial, grantTools, type Allowlist, type LoopAgent } from './tool-surface.js';

/** What answers in a run against a model. */
export interface ModelAgentsOptions {
  /** The model as named; `none` when only agent functions are run. */
  modelRef: string;
  /** The model of one trial, with time limits, retries and cost built in; null when none is named. */
  model: ((tested: Case, trial: number) => LanguageModelV3) | null;
  /** False for command-line models, which run tools of their own. */
  toolCapable: boolean;
  /** Default system text, without the evaluation context. */
  systemText: string;
  /** Same input, same answer: trials are not shuffled. */
  deterministic: boolean;
  /** Tools that cases may be granted. Default: none but those that an agent names. */
  allowedTools?: Allowlist;
  /** Makes programs and endpoints ready; absent where a run has none. */
  outside?: OutsideAgents['prepare'];
  /** Model requests of the loop in one turn, overriding the case's. */
  maxSteps?: number;
}

const NO_TOOLS = { requested: [], effective: [], registered: [] };

function refuseScripts(tested: Case): void {
  const scripted = tested.turns.findIndex((turn) => turn.steps !== null);
  if (scripted < 0) return;
  throw new AgentError(
    'setup',
    `${tested.id}: turn ${scripted + 1} scripts the model's steps; a live run takes none, so remove them or replay the case`,
  );
}

/** Agents that ask a model: one inference, the built-in loop, or the user's own function. */
export function modelAgents(options: ModelAgentsOptions): AgentSource {
  const allowlist = options.allowedTools ?? { names: [], written: false };
  const modelOf = (tested: Case, trial: number): LanguageModelV3 => {
    if (options.model === null) throw new AgentError('setup', 'the case needs a model and none is named');
    return options.model(tested, trial);
  };

  function promptAgent(tested: Case, trial: number): PreparedAgent {
    const model = modelOf(tested, trial);
    const system = promptSystemText(tested.systemPrompt ?? options.systemText, tested.scenario !== undefined);
    return {
      open: ({ signal, meter }) => new PromptSession({ model: meteredModel(model, meter), system, signal }),
    };
  }

  function liveLoop(tested: Case, agent: LoopAgent, trial: number): PreparedAgent {
    if (!options.toolCapable) {
      throw new AgentError(
        'setup',
        `${options.modelRef} cannot be given tools, so it cannot be the model of the built-in loop`,
      );
    }
    return loopAgent({
      tested,
      model: modelOf(tested, trial),
      maxSteps: options.maxSteps ?? agent.maxSteps,
      tools: grantTools(tested, agent, allowlist).sources,
      network: 'any',
      approve: denial,
    });
  }

  function moduleAgent(tested: Case, agent: ModuleAgent, trial: number): PreparedAgent {
    const model = options.model === null ? null : options.model(tested, trial);
    return {
      workspace: true,
      open: (context) => {
        const metered = model === null ? null : meteredModel(model, context.meter);
        return openModule({ tested, agent, trial, model: metered, context });
      },
    };
  }

  return {
    mode: 'live',
    modelRef: options.modelRef,
    deterministic: options.deterministic,
    toolSurface: (tested) =>
      tested.agent.type === 'loop' ? grantTools(tested, tested.agent, allowlist).surface : NO_TOOLS,
    sandbox: { autonomy: 'supervised', workspaceOnly: true },
    prepare(tested, trial) {
      refuseScripts(tested);
      const { agent } = tested;
      switch (agent.type) {
        case 'prompt':
          return promptAgent(tested, trial);
        case 'loop':
          return liveLoop(tested, agent, trial);
        case 'module':
          return moduleAgent(tested, agent, trial);
        case 'command':
        case 'http':
          if (options.outside === undefined) {
            throw new AgentError('setup', `this run was not made ready for agents of type ${agent.type}`);
          }
          return options.outside(tested, agent, trial);
      }
    },
  };
}
