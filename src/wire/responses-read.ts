import type { JsonObject } from '../core/index.js';
import { argumentsValue, countOf, objectOf, objectsOf, textOf } from './json-read.js';
import type { FinishReason, NeutralReply, ReplyCall } from './neutral.js';

const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

/** Puts a streamed response together; null when it broke off before its end. */
export function joinResponseEvents(events: readonly JsonObject[]): JsonObject | null {
  const end = events.find((event) => ENDS.includes(textOf(event['type'])));
  if (end === undefined) return null;
  const response = objectOf(end['response']);
  if (objectsOf(response['output']).length > 0) return response;
  // Some servers leave the output out at the end; the finished items say the same.
  const items = events.filter((event) => event['type'] === 'response.output_item.done');
  return { ...response, output: items.map((event) => objectOf(event['item'])) };
}

function callOf(item: JsonObject): ReplyCall {
  const custom = item['type'] === 'custom_tool_call';
  const namespace = textOf(item['namespace']);
  return {
    id: textOf(item['call_id']),
    itemId: textOf(item['id']),
    name: textOf(item['name']),
    arguments: custom ? textOf(item['input']) : argumentsValue(textOf(item['arguments'])),
    kind: custom ? 'custom' : 'function',
    namespace: namespace === '' ? null : namespace,
  };
}

function joined(parts: readonly JsonObject[], type: string, key: string): string | null {
  const texts = parts.filter((part) => part['type'] === type).map((part) => textOf(part[key]));
  return texts.length === 0 ? null : texts.join('');
}

function reasoningOf(items: readonly JsonObject[]): string | null {
  const parts = items.flatMap((item) => [...objectsOf(item['summary']), ...objectsOf(item['content'])]);
  const text = parts.map((part) => textOf(part['text'])).join('\n');
  return text === '' ? null : text;
}

function finishOf(response: JsonObject, refused: boolean, calls: number): FinishReason {
  if (response['status'] === 'failed') return 'error';
  if (response['status'] === 'incomplete') {
    const reason = objectOf(response['incomplete_details'])['reason'];
    return reason === 'content_filter' ? 'content_filter' : 'length';
  }
  if (calls > 0) return 'tool_calls';
  return refused ? 'refusal' : 'stop';
}

/** Reads a response of the OpenAI Responses API. */
export function readResponse(response: JsonObject): NeutralReply {
  const items = objectsOf(response['output']);
  const messages = items.filter((item) => item['type'] === 'message');
  const thoughts = items.filter((item) => item['type'] === 'reasoning');
  const parts = messages.flatMap((item) => objectsOf(item['content']));
  const toolCalls = items
    .filter((item) => item['type'] === 'function_call' || item['type'] === 'custom_tool_call')
    .map(callOf);
  const refusal = joined(parts, 'refusal', 'refusal');
  const usage = objectOf(response['usage']);
  return {
    id: textOf(response['id']),
    messageId: textOf(messages[0]?.['id']),
    reasoningId: textOf(thoughts[0]?.['id']),
    model: textOf(response['model']),
    reasoning: reasoningOf(thoughts),
    text: joined(parts, 'output_text', 'text'),
    refusal,
    toolCalls,
    finishReason: finishOf(response, refusal !== null, toolCalls.length),
    usage: {
      inputTokens: countOf(usage['input_tokens']),
      outputTokens: countOf(usage['output_tokens']),
      cachedInputTokens: countOf(objectOf(usage['input_tokens_details'])['cached_tokens']),
      reasoningTokens: countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']),
    },
    createdAt: countOf(response['created_at']),
  };
}
