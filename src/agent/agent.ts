import type { JsonObject, Message, ToolCall } from '../core/index.js';

/** What an agent session has done so far; read at any time, also after an error. */
export interface Observed {
  messages: Message[];
  toolCalls: ToolCall[];
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when a call's cost is not known. */
  cost: number | null;
  llmCalls: number;
  servedModel: string | null;
  /** Tools the agent really has, sorted; absent when that was known before it started. */
  registeredTools?: string[];
  notes: string[];
  /** What no check reads: how the agent was started, what it asked beside the script. */
  extra?: JsonObject;
}

/** One running conversation with the agent under test. */
export interface AgentSession {
  /**
   * Sends one user message and waits for the agent's final text.
   * @throws AgentError when the agent cannot finish the turn
   */
  turn(user: string, index: number): Promise<string>;
  observed(): Observed;
  /** Ends the session and everything it started. */
  close(): Promise<void>;
}

/** Time as a session sees it: milliseconds since the trial began. */
export interface TrialClock {
  elapsed(): number;
}

/** An observation of nothing. */
export function nothingObserved(): Observed {
  return {
    messages: [],
    toolCalls: [],
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    llmCalls: 0,
    servedModel: null,
    notes: [],
  };
}
