import type { JsonObject } from '../core/index.js';
import { CHAT_FINISHES } from './chat-reply.js';
import { finishFrom } from './finish.js';
import { argumentsValue, countOf, objectOf, objectsOf, textOf } from './json-read.js';
import type { NeutralReply, ReplyCall } from './neutral.js';

function addText(target: JsonObject, key: string, piece: JsonObject): void {
  if (typeof piece[key] === 'string') target[key] = textOf(target[key]) + piece[key];
}

function addCall(calls: JsonObject[], piece: JsonObject): void {
  const index = typeof piece['index'] === 'number' ? piece['index'] : Math.max(0, calls.length - 1);
  const call = (calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } });
  if (typeof piece['id'] === 'string' && piece['id'] !== '') call['id'] = piece['id'];
  if (typeof piece['type'] === 'string') call['type'] = piece['type'];
  const key = call['type'] === 'custom' ? 'custom' : 'function';
  const made = { ...objectOf(call[key]) };
  for (const field of ['name', 'arguments', 'input']) addText(made, field, objectOf(piece[key]));
  call[key] = made;
}

/** Puts a streamed completion together; null when it broke off before a finish reason. */
export function joinChatChunks(chunks: readonly JsonObject[]): JsonObject | null {
  const message: JsonObject = { role: 'assistant', content: null, refusal: null };
  const calls: JsonObject[] = [];
  let finish: string | null = null;
  let head: JsonObject = {};
  let usage: JsonObject = {};
  for (const chunk of chunks) {
    head = { ...chunk, ...head };
    usage = { ...usage, ...objectOf(chunk['usage']) };
    const choice = objectsOf(chunk['choices'])[0];
    if (choice === undefined) continue;
    const delta = objectOf(choice['delta']);
    for (const key of ['content', 'refusal', 'reasoning_content', 'reasoning']) addText(message, key, delta);
    for (const piece of objectsOf(delta['tool_calls'])) addCall(calls, piece);
    if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
  }
  if (finish === null) return null;
  const tool_calls = calls.filter((call) => call !== undefined);
  return { ...head, usage, choices: [{ message: { ...message, tool_calls }, finish_reason: finish }] };
}

function callOf(call: JsonObject): ReplyCall {
  const custom = call['type'] === 'custom';
  const called = objectOf(call[custom ? 'custom' : 'function']);
  const id = textOf(call['id']);
  return {
    id,
    itemId: id,
    name: textOf(called['name']),
    arguments: custom ? textOf(called['input']) : argumentsValue(textOf(called['arguments'])),
    kind: custom ? 'custom' : 'function',
    namespace: null,
  };
}

function textOrNull(value: JsonObject[string] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Reads a completion of the OpenAI Chat Completions API. */
export function readChatCompletion(completion: JsonObject): NeutralReply {
  const choice = objectsOf(completion['choices'])[0] ?? {};
  const message = objectOf(choice['message']);
  const usage = objectOf(completion['usage']);
  const id = textOf(completion['id']);
  const toolCalls = objectsOf(message['tool_calls']).map(callOf);
  const refusal = textOrNull(message['refusal']);
  const finish = finishFrom(CHAT_FINISHES, textOf(choice['finish_reason']), toolCalls.length);
  const text = textOrNull(message['content']);
  return {
    id,
    messageId: id,
    reasoningId: id,
    model: textOf(completion['model']),
    reasoning: textOrNull(message['reasoning_content']) ?? textOrNull(message['reasoning']),
    text: text === '' && (refusal !== null || toolCalls.length > 0) ? null : text,
    refusal,
    toolCalls,
    finishReason: refusal !== null && finish === 'stop' ? 'refusal' : finish,
    usage: {
      inputTokens: countOf(usage['prompt_tokens']),
      outputTokens: countOf(usage['completion_tokens']),
      cachedInputTokens: countOf(objectOf(usage['prompt_tokens_details'])['cached_tokens']),
      reasoningTokens: countOf(objectOf(usage['completion_tokens_details'])['reasoning_tokens']),
    },
    createdAt: countOf(completion['created']),
  };
}
