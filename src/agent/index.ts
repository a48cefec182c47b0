/** Agents: what is under test. */
export { nothingObserved, type AgentSession, type Observed, type TrialClock } from './agent.js';
export { reportedCost } from './reply.js';
export { startAgentModule, type ThreadAgent } from './module-thread.js';
export { AgentError } from './agent-error.js';
export { LoopSession, type LoopOptions } from './loop.js';
export { PromptSession, type PromptOptions } from './prompt.js';
export { EVALUATION_CONTEXT, NEUTRAL_SYSTEM_TEXT, promptSystemText } from './prompt-text.js';
export { OutputSession } from './output.js';
export { ModuleSession, type AgentAnswer, type AgentFunction, type AgentRequest } from './module.js';
export { CommandSession, type CommandOptions, type ModelAddress } from './command.js';
export { closeNetwork, OPEN_NETWORK, type ClosedNetwork, type NetworkState } from './closed-network.js';
export { endSurvivors, findSurvivors, type Survivor } from './survivors.js';
export { httpAgentFunction, type HttpOptions } from './http.js';
export { WatchedModel } from './watched-model.js';
export { scriptDisagreement, WitnessedSession, type Witness, type WitnessedOptions } from './witness.js';
export { presetProgram, presetRecipe, type PresetProgram, type Recipe } from './recipes.js';
export { presetDoctor, type PresetReport } from './preset-doctor.js';
