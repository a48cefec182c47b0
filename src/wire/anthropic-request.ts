import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, type Message } from '../core/index.js';
import { objectOf, objectsOf, otherFields, placeholder, textOf } from './json-read.js';
import { appendMessage, nameResults } from './messages.js';
import type { NeutralRequest, NeutralTool } from './neutral.js';
import type { RequestHead } from './route.js';

const TAKEN = ['model', 'system', 'messages', 'tools', 'stream', 'thread'];

/** The text of a string or of a list of content blocks. */
function blockText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((block) => (block['type'] === 'text' ? textOf(block['text']) : placeholder(block)))
    .join('\n');
}

function toolResult(block: JsonObject): Message {
  return {
    role: 'tool',
    text: blockText(block['content']),
    toolCallId: textOf(block['tool_use_id']),
    isError: block['is_error'] === true,
  };
}

function assistantMessage(content: JsonValue | undefined): Message {
  if (!Array.isArray(content)) return { role: 'assistant', text: textOf(content) };
  const message: Message = { role: 'assistant', text: '' };
  for (const block of objectsOf(content)) {
    if (block['type'] === 'text') message.text += textOf(block['text']);
    else if (block['type'] === 'thinking') {
      message.reasoning = (message.reasoning ?? '') + textOf(block['thinking']);
    } else if (block['type'] === 'tool_use') {
      const call = {
        id: textOf(block['id']),
        name: textOf(block['name']),
        arguments: canonicalJson(block['input'] ?? {}),
      };
      message.toolCalls = [...(message.toolCalls ?? []), call];
    }
  }
  return message;
}

function addUserMessage(messages: Message[], content: JsonValue | undefined): void {
  if (!Array.isArray(content)) {
    messages.push({ role: 'user', text: textOf(content) });
    return;
  }
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) messages.push({ role: 'user', text: texts.join('\n') });
    texts = [];
  };
  for (const block of objectsOf(content)) {
    if (block['type'] === 'tool_result') {
      flush();
      messages.push(toolResult(block));
    } else texts.push(block['type'] === 'text' ? textOf(block['text']) : placeholder(block));
  }
  flush();
}

function tool(entry: JsonObject): NeutralTool {
  const hosted = typeof entry['type'] === 'string' && entry['type'] !== 'custom';
  return {
    name: textOf(entry['name']),
    kind: hosted && entry['input_schema'] === undefined ? 'hosted' : 'function',
    namespace: null,
    description: textOf(entry['description']),
    schema: entry['input_schema'] ?? null,
  };
}

function outputOf(body: JsonObject): NeutralRequest['output'] {
  const format = objectOf(body['output_format'] ?? objectOf(body['output_config'])['format']);
  return format['type'] === 'json_schema'
    ? { type: 'json', schema: format['schema'] ?? null }
    : { type: 'text' };
}

/** Reads a body of the Anthropic Messages API. Unknown fields are kept as parameters, never refused. */
export function readAnthropicRequest(body: JsonObject, head: RequestHead): NeutralRequest {
  const messages: Message[] = [];
  for (const entry of objectsOf(body['messages'])) {
    if (entry['role'] === 'assistant') appendMessage(messages, assistantMessage(entry['content']));
    else if (entry['role'] === 'system') messages.push({ role: 'system', text: blockText(entry['content']) });
    else addUserMessage(messages, entry['content']);
  }
  nameResults(messages);
  const thread = body['thread'];
  return {
    protocol: 'anthropic',
    model: textOf(body['model']),
    system: blockText(body['system']),
    messages,
    tools: objectsOf(body['tools']).map(tool),
    stream: body['stream'] === true ? 'sse' : 'none',
    output: outputOf(body),
    parameters: otherFields(body, TAKEN),
    ids: {
      previous:
        isJsonObject(thread) && thread['type'] === 'continue' ? textOf(thread['previous_message_id']) : null,
      attempt: head.attempt,
    },
    hints: head.hints,
  };
}
