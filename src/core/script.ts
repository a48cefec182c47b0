import type { JsonValue } from './json.js';

/** Every protocol of a model provider that is spoken, by the API it belongs to, in a fixed order. */
export const PROTOCOLS = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const;

/** A protocol of a model provider. */
export type Protocol = (typeof PROTOCOLS)[number];

/** Every reason why a model may stop. */
export const FINISH_REASONS = [
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'refusal',
  'stop_sequence',
  'pause',
  'context_window',
  'recitation',
  'malformed_call',
  'error',
] as const;

/**
 * Why the model stopped, in words that each protocol has a value for: `stop_sequence`, `pause`, `context_window`,
 * `recitation` and `malformed_call` map to the nearest value where a protocol has none of its own.
 */
export type FinishReason = (typeof FINISH_REASONS)[number];

/** A tool call that the scripted model asks for. */
export interface ScriptedToolCall {
  id: string;
  name: string;
  arguments: JsonValue;
}

/** What any scripted reply can have besides its text or calls. */
export interface StepExtras {
  inputTokens: number;
  outputTokens: number;
  /** Shown as a thinking block, reasoning item or thought, where the protocol has one. */
  reasoning?: string;
  /** Absent: `stop` for text, `tool_calls` for calls, `refusal` for a refusal. */
  finishReason?: FinishReason;
  /** Part of `inputTokens` that came from a cache. */
  cachedInputTokens?: number;
  /** Part of `outputTokens` that was reasoning. */
  reasoningTokens?: number;
  /** How long the reply took, milliseconds: a replay's clock goes by it. */
  durationMs?: number;
}

/** One scripted model reply. */
export type ScriptedStep =
  | (StepExtras & { type: 'text'; content: string })
  | (StepExtras & {
      type: 'tool_calls';
      toolCalls: ScriptedToolCall[];
      /** Words beside the calls. */
      content?: string;
    })
  | (StepExtras & { type: 'refusal'; content: string });

/**
 * Something that goes wrong on purpose. A fault uses up no step: the request that meets it gets the fault, the next
 * one gets what follows.
 * - `status`: an error answer. `retryAfter` is in seconds. A status that clients may try again (408, 409, 429, 5xx)
 *   is given once; any other is given every time the same request comes, so that a client's own repeat does not
 *   turn an error into a success. `sticky` says otherwise.
 * - `drop`: the connection ends before the first byte.
 * - `cut`: the connection breaks after that many events of the following step (after half of a JSON answer).
 * - `malformed`: after that many events of the following step comes a broken one, then the end.
 * - `slow`: the following step waits that many milliseconds before its first byte.
 */
export type ScriptedFault =
  | {
      type: 'fault';
      fault: 'status';
      status: number;
      retryAfter?: number;
      message?: string;
      sticky?: boolean;
    }
  | { type: 'fault'; fault: 'drop' }
  | { type: 'fault'; fault: 'cut'; afterEvents: number }
  | { type: 'fault'; fault: 'malformed'; afterEvents: number }
  | { type: 'fault'; fault: 'slow'; firstByteMs: number };

/** What a request must look like to belong to a lane; every member that is given must hold. */
export interface LaneMatch {
  /** Text that occurs in what the user said first. White space is compared loosely. */
  firstUser?: string;
  /** Text that occurs in the system prompt. White space is compared loosely. */
  system?: string;
  /** The model's exact name. */
  model?: string;
  /** Tools that are all offered; an empty list means that none is. */
  tools?: string[];
  /** Header name to text that occurs in it, or `true` for any value. */
  header?: { [name: string]: string | true };
  /** `main`, `subagent`, or the name that the agent gives its part in a header. */
  role?: string;
}
