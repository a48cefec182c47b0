import type { LanguageModelV3StreamPart, LanguageModelV3Usage, SharedV3Warning } from '@ai-sdk/provider';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { chatCost, chatError, chatFinish, chatReasoning, chatUsage } from './chat-reply.js';
import { ModelError } from './model-error.js';

interface OpenCall {
  id: string;
  name: string;
  input: string;
}

/** What has been opened so far and must be closed in order. */
interface Progress {
  reasoning: boolean;
  text: boolean;
  calls: Map<number, OpenCall>;
  finish: JsonValue | undefined;
  usage: LanguageModelV3Usage;
  cost: number | null;
  named: boolean;
}

const TEXT = 'text';
const REASONING = 'reasoning';

function* closeReasoning(progress: Progress): Generator<LanguageModelV3StreamPart> {
  if (progress.reasoning) yield { type: 'reasoning-end', id: REASONING };
  progress.reasoning = false;
}

function* readCall(
  delta: JsonValue,
  place: number,
  progress: Progress,
): Generator<LanguageModelV3StreamPart> {
  if (!isJsonObject(delta))
    throw new ModelError('invalid-reply', 'a tool call of the stream is not an object');
  const called = isJsonObject(delta['function']) ? delta['function'] : {};
  const index = typeof delta['index'] === 'number' ? delta['index'] : place;
  let call = progress.calls.get(index);
  if (call === undefined) {
    if (typeof called['name'] !== 'string')
      throw new ModelError('invalid-reply', 'a tool call began without a name');
    const id = typeof delta['id'] === 'string' && delta['id'] !== '' ? delta['id'] : `call_${index + 1}`;
    call = { id, name: called['name'], input: '' };
    progress.calls.set(index, call);
    yield { type: 'tool-input-start', id, toolName: call.name };
  }
  const piece = called['arguments'];
  const text = typeof piece === 'string' ? piece : isJsonObject(piece) ? JSON.stringify(piece) : '';
  if (text === '') return;
  call.input += text;
  yield { type: 'tool-input-delta', id: call.id, delta: text };
}

function* readDelta(delta: JsonObject, progress: Progress): Generator<LanguageModelV3StreamPart> {
  const reasoning = chatReasoning(delta);
  if (reasoning !== '') {
    if (!progress.reasoning) yield { type: 'reasoning-start', id: REASONING };
    progress.reasoning = true;
    yield { type: 'reasoning-delta', id: REASONING, delta: reasoning };
  }
  const text = delta['content'];
  if (typeof text === 'string' && text !== '') {
    yield* closeReasoning(progress);
    if (!progress.text) yield { type: 'text-start', id: TEXT };
    progress.text = true;
    yield { type: 'text-delta', id: TEXT, delta: text };
  }
  const calls = delta['tool_calls'];
  if (Array.isArray(calls)) {
    yield* closeReasoning(progress);
    for (const [place, call] of calls.entries()) yield* readCall(call, place, progress);
  }
}

function* readChunk(chunk: JsonValue, progress: Progress): Generator<LanguageModelV3StreamPart> {
  if (!isJsonObject(chunk)) throw new ModelError('invalid-reply', 'a chunk of the stream is not an object');
  if (chunk['error'] !== undefined && chunk['error'] !== null) throw chatError(chunk, null);
  if (!progress.named && typeof chunk['model'] === 'string') {
    progress.named = true;
    yield {
      type: 'response-metadata',
      modelId: chunk['model'],
      ...(typeof chunk['id'] === 'string' ? { id: chunk['id'] } : {}),
    };
  }
  if (isJsonObject(chunk['usage'])) {
    progress.usage = chatUsage(chunk['usage']);
    progress.cost = chatCost(chunk['usage']);
  }
  const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
  if (!isJsonObject(choice)) return;
  if (isJsonObject(choice['delta'])) yield* readDelta(choice['delta'], progress);
  if (typeof choice['finish_reason'] === 'string') progress.finish = choice['finish_reason'];
}

/**
 * Turns the events of a Chat Completions stream into the parts of the model interface. A stream that ends without a
 * finish reason was cut: it ends with a thrown `ModelError` of kind `cut`, never with a finish.
 */
export async function* chatParts(
  events: AsyncIterable<string>,
  warnings: SharedV3Warning[],
): AsyncGenerator<LanguageModelV3StreamPart> {
  const progress: Progress = {
    reasoning: false,
    text: false,
    calls: new Map(),
    finish: undefined,
    usage: chatUsage(undefined),
    cost: null,
    named: false,
  };
  yield { type: 'stream-start', warnings };
  for await (const event of events) {
    if (event.trim() === '[DONE]') break;
    const parsed = parseJson(event);
    if (!parsed.ok)
      throw new ModelError('invalid-reply', `a chunk of the stream is not JSON: ${event.slice(0, 200)}`);
    yield* readChunk(parsed.value, progress);
  }
  if (progress.finish === undefined)
    throw new ModelError('cut', 'the stream ended before the reply was finished');
  yield* closeReasoning(progress);
  if (progress.text) yield { type: 'text-end', id: TEXT };
  for (const call of progress.calls.values()) {
    yield { type: 'tool-input-end', id: call.id };
    yield {
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.name,
      input: call.input === '' ? '{}' : call.input,
    };
  }
  yield {
    type: 'finish',
    finishReason: chatFinish(progress.finish, progress.calls.size > 0),
    usage: progress.usage,
    providerMetadata: { assay: { cost: progress.cost } },
  };
}
