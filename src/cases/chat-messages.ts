import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { countMember, member, objectMember, objectsOf, textMember } from './json-fields.js';
import { readPart, resultText, type MessagePart } from './message-parts.js';
import type { TranscriptBuilder } from './transcript-builder.js';

/** The parts of a message: its text, its blocks, its calls. */
function partsOf(message: JsonObject): MessagePart[] {
  const blocks = member(message, 'parts') ?? member(message, 'content');
  const parts = Array.isArray(blocks)
    ? blocks.flatMap(readPart)
    : typeof blocks === 'string'
      ? readPart(blocks)
      : isJsonObject(blocks)
        ? readPart(blocks)
        : [];
  const refusal = textMember(message, 'refusal');
  if (refusal !== '') parts.push({ kind: 'text', text: refusal });
  for (const call of objectsOf(member(message, 'tool_calls'))) {
    parts.push(
      ...readPart(
        'type' in call
          ? call
          : 'function' in call
            ? { ...call, type: 'function' }
            : { ...call, type: 'tool_call' },
      ),
    );
  }
  const old = member(message, 'function_call');
  if (isJsonObject(old)) parts.push(...readPart({ ...old, type: 'function_call', call_id: '' }));
  return parts;
}

function addUser(builder: TranscriptBuilder, parts: readonly MessagePart[]): void {
  const said: string[] = [];
  for (const part of parts) {
    if (part.kind === 'text') said.push(part.text);
    else if (part.kind === 'result') builder.result(part.id, part.text, part.ok);
    else if (part.kind === 'other') builder.leave(part.what);
  }
  if (said.some((text) => text.trim() !== '')) builder.user(said.join('\n'));
  else if (parts.some((part) => part.kind === 'other')) builder.user('(something that is not text)');
}

function addReply(builder: TranscriptBuilder, parts: readonly MessagePart[], message: JsonObject): void {
  for (const part of parts) {
    if (part.kind === 'text') builder.reply({ text: part.text });
    else if (part.kind === 'call') builder.reply({ call: part });
    else if (part.kind === 'result') builder.result(part.id, part.text, part.ok);
    else if (part.kind === 'other') builder.leave(part.what);
  }
  const usage = objectMember(message, 'usage');
  if (Object.keys(usage).length === 0) return;
  builder.tokens({
    of: textMember(message, 'id'),
    inputTokens:
      countMember(usage, 'input_tokens', 'prompt_tokens', 'inputTokens') +
      countMember(usage, 'cache_read_input_tokens') +
      countMember(usage, 'cache_creation_input_tokens'),
    outputTokens: countMember(usage, 'output_tokens', 'completion_tokens', 'outputTokens'),
  });
}

function addToolMessage(
  builder: TranscriptBuilder,
  message: JsonObject,
  parts: readonly MessagePart[],
): void {
  const results = parts.filter((part) => part.kind === 'result');
  for (const part of results) builder.result(part.id, part.text, part.ok);
  if (results.length > 0) return;
  const id = textMember(message, 'tool_call_id', 'toolCallId', 'id');
  builder.result(id, resultText(member(message, 'content') ?? null), message['error'] === undefined);
}

/** Adds one message of any of the message-array forms, or one item of OpenAI's Responses API. */
export function addMessage(builder: TranscriptBuilder, message: JsonObject): void {
  const type = textMember(message, 'type');
  const role = textMember(message, 'role');
  if (role === '' && type !== '' && type !== 'message') {
    addReply(builder, readPart(message), {});
    return;
  }
  const parts = partsOf(message);
  builder.served(role === 'assistant' ? textMember(message, 'model') : '');
  switch (role) {
    case 'system':
    case 'developer':
      builder.instructions(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'));
      return;
    case 'user':
    case 'human':
      addUser(builder, parts);
      return;
    case 'assistant':
    case 'ai':
    case 'model':
      addReply(builder, parts, message);
      return;
    case 'tool':
    case 'function':
      addToolMessage(builder, message, parts);
      return;
    default:
      builder.leave(role === '' ? 'entry that is no message' : `message of role ${role}`);
  }
}

/** The messages in a document: a list, or an object that holds one the way requests to the APIs do. */
export function messagesIn(value: JsonValue): JsonObject[] | null {
  if (Array.isArray(value)) {
    const objects = objectsOf(value);
    return objects.length === value.length && objects.some((item) => 'role' in item) ? objects : null;
  }
  if (!isJsonObject(value)) return null;
  const system = anyText(member(value, 'system') ?? member(value, 'instructions'));
  for (const key of ['messages', 'input', 'conversation']) {
    const list = messagesIn(member(value, key) ?? null);
    if (list === null) continue;
    const output = objectsOf(member(value, 'output'));
    return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...list, ...output];
  }
  return null;
}

function anyText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return objectsOf(value)
    .map((block) => textMember(block, 'text'))
    .join('\n');
}

const AI_SDK = new Set(['tool-call', 'tool-result', 'tool-error', 'step-start', 'dynamic-tool']);
const ANTHROPIC = new Set(['tool_use', 'tool_result', 'thinking']);

/** Which API a list of messages was written for, by the parts only it has; a plain one could be any and is `openai`. */
export function messagesFormat(messages: readonly JsonObject[]): 'openai' | 'anthropic' | 'ai-sdk' {
  for (const message of messages) {
    if ('parts' in message) return 'ai-sdk';
    for (const part of objectsOf(member(message, 'content'))) {
      const type = textMember(part, 'type');
      if (AI_SDK.has(type)) return 'ai-sdk';
      if (ANTHROPIC.has(type)) return 'anthropic';
    }
  }
  return 'openai';
}
