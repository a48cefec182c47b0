import type { FinishReason, JsonObject, JsonValue, Message, Protocol } from '../core/index.js';

export { FINISH_REASONS, PROTOCOLS, type FinishReason, type Protocol } from '../core/index.js';

/** How a client wants its answer framed: one JSON document, server-sent events, or Gemini's streamed JSON array. */
export type StreamMode = 'none' | 'sse' | 'array';

/** A tool that a request offers to the model. */
export interface NeutralTool {
  name: string;
  /** `function` takes JSON arguments, `custom` takes free text, `hosted` runs at the provider. */
  kind: 'function' | 'custom' | 'hosted';
  /** The namespace a function is listed under; null when it is listed by itself. */
  namespace: string | null;
  description: string;
  /** JSON Schema of the arguments; null when the request gives none. */
  schema: JsonValue;
}

/** A model request, the same whatever protocol it came in. Credentials are never part of it. */
export interface NeutralRequest {
  protocol: Protocol;
  model: string;
  /** System prompt and leading developer messages; '' when there are none. */
  system: string;
  /** The conversation as the model sees it. For a continuation: with the remembered history in front. */
  messages: Message[];
  tools: NeutralTool[];
  stream: StreamMode;
  /** Whether the answer must be JSON, and by which JSON Schema (null: any JSON). */
  output: { type: 'text' } | { type: 'json'; schema: JsonValue };
  /** Every other body field as it was sent, credentials hidden. */
  parameters: JsonObject;
  ids: RequestIds;
  /** Headers that say who is asking, by lower-case name. Never credentials. */
  hints: { [name: string]: string };
}

/** The stateful part of a request. */
export interface RequestIds {
  /** The reply that this request continues from, when the client relies on the server's memory; else null. */
  previous: string | null;
  /** How many times the client says it has tried before; 0 when it does not say. */
  attempt: number;
}

/** Tokens of one model reply. `inputTokens` counts cached ones too, `outputTokens` reasoning too. */
export interface ReplyUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
}

/** A tool call in a reply. */
export interface ReplyCall {
  /** The id that the result comes back with. */
  id: string;
  /** Id of the output item that holds the call, where the protocol has such a thing (`fc_...`). */
  itemId: string;
  name: string;
  arguments: JsonValue;
  kind: 'function' | 'custom';
  namespace: string | null;
}

/** A model reply, the same whatever protocol it goes out in. */
export interface NeutralReply {
  /** Id of the message, completion or response. */
  id: string;
  /** Id of the output item that holds the text, where the protocol has such a thing. */
  messageId: string;
  /** Id of the output item that holds the reasoning, where the protocol has such a thing. */
  reasoningId: string;
  model: string;
  /** Null when the model did not show its reasoning. */
  reasoning: string | null;
  /** Null when there is no text block at all, '' when there is an empty one. */
  text: string | null;
  /** The words in which the model refused; null when it did not. */
  refusal: string | null;
  toolCalls: ReplyCall[];
  finishReason: FinishReason;
  usage: ReplyUsage;
  /** Unix seconds. */
  createdAt: number;
}

/** The body of an answer, in the pieces in which it is sent: one JSON text, or one piece an event. */
export interface ReplyBody {
  contentType: string;
  frames: string[];
}
