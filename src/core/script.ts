import type { JsonValue } from './json.js';

/** A tool call that the scripted model asks for. */
export interface ScriptedToolCall {
  id: string;
  name: string;
  arguments: JsonValue;
}

/** One scripted model reply. */
export type ScriptedStep =
  | { type: 'text'; content: string; inputTokens: number; outputTokens: number }
  | { type: 'tool_calls'; toolCalls: ScriptedToolCall[]; inputTokens: number; outputTokens: number };
