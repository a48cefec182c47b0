import type { LanguageModelV3 } from '@ai-sdk/provider';
import {
  ModuleSession,
  startAgentModule,
  WatchedModel,
  WitnessedSession,
  type AgentSession,
} from '../agent/index.js';
import { terminalSafe } from '../core/index.js';
import type { AgentSpec, Case } from '../suite/index.js';
import type { SessionContext } from '../trial/index.js';

/** An agent that is a function of the user's module. */
export type ModuleAgent = Extract<AgentSpec, { type: 'module' }>;

/** What a session with a user's function is opened with. */
export interface ModuleSetup {
  tested: Case;
  agent: ModuleAgent;
  /** 1-based. */
  trial: number;
  model: LanguageModelV3 | null;
  context: SessionContext;
}

/**
 * Opens a session with a user's function, in a thread of its own. What it does with its model is seen at the model;
 * calls that it reports itself go before those. What it prints goes to stderr, so that it does not mix with results.
 */
export async function openModule(setup: ModuleSetup): Promise<AgentSession> {
  const { tested, agent, trial, model, context } = setup;
  const thread = await startAgentModule(agent.path, agent.exportName, (text) => {
    process.stderr.write(terminalSafe(text));
  });
  const watched = model === null ? null : new WatchedModel(model, context.clock);
  const session = new ModuleSession({
    agent: thread.run,
    model: watched,
    workspace: () => context.workspace(),
    clock: context.clock,
    signal: context.signal,
    caseId: tested.id,
    trial,
    release: () => thread.release(),
  });
  if (watched === null) return session;
  return new WitnessedSession({ agent: session, witness: watched, text: 'agent', reports: true });
}
