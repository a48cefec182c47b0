/** Agents: what is under test. */
export { nothingObserved, type AgentSession, type Observed, type TrialClock } from './agent.js';
export { AgentError } from './agent-error.js';
export { LoopSession, type LoopOptions } from './loop.js';
export { PromptSession, type PromptOptions } from './prompt.js';
export { EVALUATION_CONTEXT, NEUTRAL_SYSTEM_TEXT, promptSystemText } from './prompt-text.js';
export { OutputSession } from './output.js';
export { ModuleSession, loadAgentModule, type AgentAnswer, type AgentFunction, type AgentRequest } from './module.js';
