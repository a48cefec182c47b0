import type { LanguageModelV3 } from '@ai-sdk/provider';
import { LoopSession } from '../agent/index.js';
import type { ToolSource } from '../core/index.js';
import type { Case } from '../suite/index.js';
import { openTools } from '../tool/index.js';
import { meteredModel, type PreparedAgent } from '../trial/index.js';

/** How the built-in loop of one trial is set up. */
export interface LoopSetup {
  tested: Case;
  model: LanguageModelV3;
  maxSteps: number;
  tools: readonly ToolSource[];
  /** `loopback`: no server elsewhere. */
  network: 'any' | 'loopback';
  /** Says before dispatch why a call may not run; null lets it. `registered` are the tools the loop has. */
  approve?: (tool: string, registered: ReadonlySet<string>) => string | null;
}

/** The built-in loop with real tools in the trial's workspace. Servers of tools live as long as the session. */
export function loopAgent(setup: LoopSetup): PreparedAgent {
  const { tested, model, maxSteps, network, approve } = setup;
  return {
    workspace: true,
    async open(context) {
      const { meter, signal } = context;
      const opened = await openTools(setup.tools, {
        workspace: context.workspace(),
        environment: context.environment(),
        ownEnvironment: process.env,
        network,
        signal,
      });
      const registered = new Set(opened.tools.map((tool) => tool.name));
      const session = new LoopSession({
        model: meteredModel(model, meter),
        tools: opened.tools,
        maxSteps,
        system: tested.systemPrompt,
        clock: context.clock,
        toolContext: { workspace: () => context.workspace(), signal },
        signal,
        beforeCall: () => meter.beforeToolCall(),
        release: () => opened.close(),
        ...(approve === undefined ? {} : { approve: (tool) => approve(tool, registered) }),
      });
      session.observed().registeredTools = [...registered].toSorted();
      return session;
    },
  };
}
