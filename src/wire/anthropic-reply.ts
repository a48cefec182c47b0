import { isJsonObject, sha256, type JsonObject, type JsonValue } from '../core/index.js';
import { eventBody, jsonBody } from './frames.js';
import { textOf } from './json-read.js';
import type { FinishReason, NeutralReply, NeutralRequest, ReplyBody } from './neutral.js';
import { pieces } from './pieces.js';

/** The word for each finish reason. */
export const ANTHROPIC_STOPS: { [Reason in FinishReason]: string } = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  stop_sequence: 'stop_sequence',
  pause: 'pause_turn',
  context_window: 'model_context_window_exceeded',
  recitation: 'refusal',
  malformed_call: 'tool_use',
  error: 'end_turn',
};

/** A content block, the deltas that build it up, and what it looks like before the first of them. */
interface Block {
  whole: JsonObject;
  empty: JsonObject;
  deltas: JsonObject[];
}

function textBlock(text: string): Block {
  return {
    whole: { type: 'text', text },
    empty: { type: 'text', text: '' },
    deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
}

/** The signature that stands for the provider's own; the same reasoning always has the same one. */
function signatureOf(reasoning: string): string {
  return Buffer.from(sha256(reasoning), 'hex').toString('base64');
}

function thinkingBlock(reasoning: string): Block {
  const signature = signatureOf(reasoning);
  return {
    whole: { type: 'thinking', thinking: reasoning, signature },
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
  };
}

function toolBlock(call: NeutralReply['toolCalls'][number]): Block {
  const head = { type: 'tool_use', id: call.id, name: call.name };
  return {
    whole: { ...head, input: call.arguments },
    empty: { ...head, input: {} },
    deltas: pieces(JSON.stringify(call.arguments)).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
  };
}

function blocksOf(reply: NeutralReply): Block[] {
  const blocks: Block[] = [];
  if (reply.reasoning !== null) blocks.push(thinkingBlock(reply.reasoning));
  if (reply.text !== null) blocks.push(textBlock(reply.text));
  if (reply.refusal !== null) blocks.push(textBlock(reply.refusal));
  return [...blocks, ...reply.toolCalls.map(toolBlock)];
}

/** The provider counts cached input beside the rest, not in it. */
function usageOf(reply: NeutralReply, outputTokens: number): JsonObject {
  return {
    input_tokens: Math.max(0, reply.usage.inputTokens - reply.usage.cachedInputTokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: reply.usage.cachedInputTokens,
    output_tokens: outputTokens,
  };
}

function messageOf(
  reply: NeutralReply,
  content: JsonValue[],
  stop: string | null,
  usage: JsonObject,
): JsonObject {
  return {
    id: reply.id,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage,
  };
}

function streamEvents(reply: NeutralReply, blocks: readonly Block[]): JsonObject[] {
  const first = usageOf(reply, Math.min(1, reply.usage.outputTokens));
  const events: JsonObject[] = [
    { type: 'message_start', message: messageOf(reply, [], null, first) },
    { type: 'ping' },
  ];
  blocks.forEach((block, index) => {
    events.push(
      { type: 'content_block_start', index, content_block: block.empty },
      ...block.deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    );
  });
  events.push(
    {
      type: 'message_delta',
      delta: { stop_reason: ANTHROPIC_STOPS[reply.finishReason], stop_sequence: null },
      usage: usageOf(reply, reply.usage.outputTokens),
    },
    { type: 'message_stop' },
  );
  return events;
}

/** Writes a reply as the Anthropic Messages API does, as JSON or as events. */
export function writeAnthropicReply(reply: NeutralReply, request: NeutralRequest): ReplyBody {
  const blocks = blocksOf(reply);
  if (request.stream !== 'none') {
    const name = (event: JsonValue): string => (isJsonObject(event) ? textOf(event['type']) : '');
    return eventBody(streamEvents(reply, blocks), name, null);
  }
  const content = blocks.map((block) => block.whole);
  const usage = usageOf(reply, reply.usage.outputTokens);
  return jsonBody(messageOf(reply, content, ANTHROPIC_STOPS[reply.finishReason], usage));
}
