import type { LanguageModelV3 } from '@ai-sdk/provider';
import {
  AgentError,
  loadAgentModule,
  LoopSession,
  ModuleSession,
  promptSystemText,
  PromptSession,
  type AgentFunction,
} from '../agent/index.js';
import { echoTool, workspaceTools, type Tool } from '../tool/index.js';
import type { AgentSpec, Case } from '../suite/index.js';
import type { AgentSource } from './options.js';

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
}

const KNOWN_TOOLS: ReadonlyMap<string, Tool> = new Map([...workspaceTools, [echoTool.name, echoTool]]);

function loopTools(agent: AgentSpec & { type: 'loop' }): { tools: Tool[]; unknown: string[] } {
  const names = (agent.tools ?? [echoTool.name]).map((source) =>
    typeof source === 'string' ? source : source.name,
  );
  const tools: Tool[] = [];
  const unknown: string[] = [];
  for (const name of new Set(names)) {
    const tool = KNOWN_TOOLS.get(name);
    if (tool === undefined) unknown.push(name);
    else tools.push(tool);
  }
  return { tools, unknown };
}

function surfaceOf(tested: Case): ReturnType<AgentSource['toolSurface']> {
  if (tested.agent.type !== 'loop') return { requested: [], effective: [], registered: [] };
  const { tools, unknown } = loopTools(tested.agent);
  const effective = tools.map((tool) => tool.name).toSorted();
  return { requested: [...effective, ...unknown].toSorted(), effective, registered: effective };
}

/** Agents that ask a model: one inference, the built-in loop, or the user's own function. */
export function modelAgents(options: ModelAgentsOptions): AgentSource {
  const functions = new Map<string, Promise<AgentFunction>>();
  const agentFunction = (path: string, exportName: string): Promise<AgentFunction> => {
    const key = `${exportName}@${path}`;
    const loading = functions.get(key) ?? loadAgentModule(path, exportName);
    functions.set(key, loading);
    return loading;
  };
  const modelOf = (tested: Case, trial: number): LanguageModelV3 => {
    if (options.model === null) throw new AgentError('setup', 'the case needs a model and none is named');
    return options.model(tested, trial);
  };
  return {
    mode: 'live',
    modelRef: options.modelRef,
    deterministic: options.deterministic,
    toolSurface: surfaceOf,
    sandbox: { autonomy: 'supervised', workspaceOnly: true },
    async prepare(tested, trial) {
      const { agent } = tested;
      switch (agent.type) {
        case 'prompt': {
          const model = modelOf(tested, trial);
          const system = promptSystemText(tested.systemPrompt ?? options.systemText);
          return { open: (context) => new PromptSession({ model, system, signal: context.signal }) };
        }
        case 'loop': {
          if (!options.toolCapable) {
            throw new AgentError(
              'setup',
              `${options.modelRef} runs tools of its own and cannot be the model of the built-in loop`,
            );
          }
          const model = modelOf(tested, trial);
          const { tools, unknown } = loopTools(agent);
          if (unknown.length > 0) {
            throw new AgentError(
              'setup',
              `unknown tools: ${unknown.join(', ')}; there are ${[...KNOWN_TOOLS.keys()].join(', ')}`,
            );
          }
          return {
            open: (context) =>
              new LoopSession({
                model,
                tools,
                maxSteps: agent.maxSteps,
                system: tested.systemPrompt,
                clock: context.clock,
                toolContext: { workspace: () => context.workspace(), signal: context.signal },
                signal: context.signal,
              }),
          };
        }
        case 'module': {
          const run = await agentFunction(agent.path, agent.exportName);
          const model = options.model === null ? null : options.model(tested, trial);
          return {
            open: (context) =>
              new ModuleSession({
                agent: run,
                model,
                workspace: () => context.workspace(),
                clock: context.clock,
                signal: context.signal,
                caseId: tested.id,
                trial,
              }),
          };
        }
        case 'command':
        case 'http':
          throw new AgentError(
            'setup',
            `agents of type ${agent.type} cannot be run by this version; use prompt, loop or module`,
          );
      }
    },
  };
}
