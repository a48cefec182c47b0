import type { JsonObject } from '../core/index.js';
import { ANTHROPIC_STOPS } from './anthropic-reply.js';
import { finishFrom } from './finish.js';
import { argumentsValue, countOf, objectOf, objectsOf, textOf } from './json-read.js';
import type { NeutralReply, ReplyCall } from './neutral.js';

/** A message while its events come in. */
interface Draft {
  message: JsonObject | null;
  blocks: JsonObject[];
  /** Arguments text of each call, by its block. */
  inputs: Map<number, string>;
}

function addDelta(draft: Draft, index: number, delta: JsonObject): void {
  if (delta['type'] === 'input_json_delta') {
    draft.inputs.set(index, (draft.inputs.get(index) ?? '') + textOf(delta['partial_json']));
    return;
  }
  const block = draft.blocks[index];
  const key = delta['type'] === 'thinking_delta' ? 'thinking' : 'text';
  if (block !== undefined && typeof delta[key] === 'string') block[key] = textOf(block[key]) + delta[key];
}

function addEvent(draft: Draft, event: JsonObject): void {
  const index = countOf(event['index']);
  const delta = objectOf(event['delta']);
  if (event['type'] === 'message_start') draft.message = { ...objectOf(event['message']) };
  else if (event['type'] === 'content_block_start')
    draft.blocks[index] = { ...objectOf(event['content_block']) };
  else if (event['type'] === 'content_block_delta') addDelta(draft, index, delta);
  else if (event['type'] === 'message_delta') {
    const usage: JsonObject = { ...objectOf(draft.message?.['usage']), ...objectOf(event['usage']) };
    draft.message = { ...draft.message, ...delta, usage };
  }
}

/** Puts a streamed message together; null when it broke off before its end. */
export function joinAnthropicEvents(events: readonly JsonObject[]): JsonObject | null {
  const draft: Draft = { message: null, blocks: [], inputs: new Map() };
  for (const event of events) addEvent(draft, event);
  if (draft.message === null || !events.some((event) => event['type'] === 'message_stop')) return null;
  for (const [index, text] of draft.inputs) {
    const block = draft.blocks[index];
    if (block !== undefined) block['input'] = argumentsValue(text);
  }
  return { ...draft.message, content: draft.blocks.filter((block) => block !== undefined) };
}

function callOf(block: JsonObject): ReplyCall {
  const id = textOf(block['id']);
  return {
    id,
    itemId: id,
    name: textOf(block['name']),
    arguments: block['input'] ?? {},
    kind: 'function',
    namespace: null,
  };
}

function joined(blocks: readonly JsonObject[], type: string, key: string): string | null {
  const texts = blocks.filter((block) => block['type'] === type).map((block) => textOf(block[key]));
  return texts.length === 0 ? null : texts.join('');
}

/** Reads a message of the Anthropic Messages API. */
export function readAnthropicMessage(message: JsonObject): NeutralReply {
  const blocks = objectsOf(message['content']);
  const usage = objectOf(message['usage']);
  const id = textOf(message['id']);
  const toolCalls = blocks.filter((block) => block['type'] === 'tool_use').map(callOf);
  const finishReason = finishFrom(ANTHROPIC_STOPS, textOf(message['stop_reason']), toolCalls.length);
  const text = joined(blocks, 'text', 'text');
  const refused = finishReason === 'refusal' && text !== null && toolCalls.length === 0;
  const cached = countOf(usage['cache_read_input_tokens']);
  const written = countOf(usage['cache_creation_input_tokens']);
  return {
    id,
    messageId: id,
    reasoningId: id,
    model: textOf(message['model']),
    reasoning: joined(blocks, 'thinking', 'thinking'),
    text: refused ? null : text,
    refusal: refused ? text : null,
    toolCalls,
    finishReason,
    usage: {
      inputTokens: countOf(usage['input_tokens']) + cached + written,
      outputTokens: countOf(usage['output_tokens']),
      cachedInputTokens: cached,
      reasoningTokens: countOf(objectOf(usage['output_tokens_details'])['thinking_tokens']),
    },
    createdAt: 0,
  };
}
