import { LoopSession } from '../agent/index.js';
import type { Receipt } from '../core/index.js';
import { ScriptedModel } from '../model/index.js';
import type { Case } from '../suite/index.js';
import { echoTool } from '../tool/index.js';
import { meteredModel, type PreparedAgent } from '../trial/index.js';
import { loopAgent } from './loop-agent.js';
import { openModule, type ModuleAgent } from './module-agent.js';
import type { AgentSource } from './options.js';
import { namedSurface, type LoopAgent } from './tool-surface.js';
import type { ScriptedHost } from './wired-agents.js';

const REPLAY_TOOLS = [echoTool];
const REPLAY_SURFACE = { requested: [], effective: [], registered: REPLAY_TOOLS.map((tool) => tool.name) };
const NO_SURFACE = { requested: [], effective: [], registered: [] };

/** How cases are replayed; everything has a default. */
export interface ReplayOptions {
  /** Model requests in one turn, overriding the case's. */
  maxSteps?: number;
  /** A run that leaves its recording fails. Default: it is said, and that is all. */
  strict?: boolean;
  /** Says to a person that a run leaves its recording. */
  warn?: (message: string) => void;
}

/** Agents of replay mode, with what they need until the run is over. */
export interface ReplayAgents extends AgentSource {
  close(): Promise<void>;
}

function scriptedModel(tested: Case): ScriptedModel {
  return new ScriptedModel(
    tested.id,
    tested.turns.map((turn) => turn.steps),
  );
}

/** The loop with `echo`, which needs no place and starts nothing: what most replays are. */
function echoAgent(tested: Case, maxSteps: number | undefined): PreparedAgent {
  const model = scriptedModel(tested);
  const stepLimit = tested.agent.type === 'loop' ? tested.agent.maxSteps : 1;
  return {
    open: (context) =>
      new LoopSession({
        model: meteredModel(model, context.meter),
        tools: REPLAY_TOOLS,
        maxSteps: maxSteps ?? stepLimit,
        system: tested.systemPrompt,
        clock: context.clock,
        toolContext: { workspace: () => context.workspace(), signal: null },
        signal: null,
        beforeCall: () => context.meter.beforeToolCall(),
      }),
    endTurn: (turn) => model.endTurn(turn),
    clock: model,
  };
}

/** The loop with the tools that the case names, in a workspace with the case's files. */
function toolAgent(tested: Case, agent: LoopAgent, maxSteps: number | undefined): PreparedAgent {
  const model = scriptedModel(tested);
  const tools = agent.tools ?? [];
  const setup = { tested, model, maxSteps: maxSteps ?? agent.maxSteps, tools, network: 'loopback' } as const;
  return { ...loopAgent(setup), endTurn: (turn) => model.endTurn(turn), clock: model };
}

function surfaceOf({ agent }: Case): Receipt['toolSurface'] {
  if (agent.type === 'loop' && agent.tools !== null) return namedSurface(agent.tools);
  return agent.type === 'loop' || agent.type === 'prompt' ? REPLAY_SURFACE : NO_SURFACE;
}

function moduleAgent(tested: Case, agent: ModuleAgent, trial: number): PreparedAgent {
  const model = scriptedModel(tested);
  return {
    workspace: true,
    open: (context) =>
      openModule({ tested, agent, trial, model: meteredModel(model, context.meter), context }),
    endTurn: (turn) => model.endTurn(turn),
    clock: model,
  };
}

/**
 * The agents of replay mode over each case's own script: the built-in loop with `echo` as its only tool, the user's
 * own functions given the scripted model, programs and endpoints with the scripted model server as their provider.
 * No network, no key, no file outside the trial.
 */
export function replayAgents(options: ReplayOptions = {}): ReplayAgents {
  let host: Promise<ScriptedHost> | null = null;
  // Loaded when the first program needs it: most replays never do.
  const hosted = async (): Promise<ScriptedHost> => {
    const { ScriptedHost: Host } = await import('./wired-agents.js');
    return new Host({ strict: options.strict === true, warn: options.warn ?? (() => undefined) });
  };
  return {
    mode: 'replay',
    modelRef: 'scripted',
    deterministic: true,
    toolSurface: surfaceOf,
    // Only what works on files is held to its workspace; echo touches none.
    sandbox: ({ agent }) => ({
      autonomy: 'supervised',
      workspaceOnly: agent.type === 'loop' && agent.tools !== null,
    }),
    prepare(tested, trial) {
      const { agent } = tested;
      switch (agent.type) {
        case 'loop':
          return agent.tools === null
            ? echoAgent(tested, options.maxSteps)
            : toolAgent(tested, agent, options.maxSteps);
        case 'prompt':
          return echoAgent(tested, options.maxSteps);
        case 'module':
          return moduleAgent(tested, agent, trial);
        case 'command':
        case 'http': {
          host ??= hosted();
          return host.then((ready) => ready.prepare(tested, agent, trial));
        }
      }
    },
    async close() {
      await (await host)?.close();
    },
  };
}
