/** Agents: what is under test. */
export { nothingObserved, type AgentSession, type Observed, type TrialClock } from './agent.js';
export { AgentError } from './agent-error.js';
export { LoopSession, type LoopOptions } from './loop.js';
