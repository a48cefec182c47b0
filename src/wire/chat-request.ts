import type { JsonObject, JsonValue, Message } from '../core/index.js';
import { argumentsText, objectOf, objectsOf, otherFields, placeholder, textOf } from './json-read.js';
import { appendMessage, nameResults } from './messages.js';
import type { NeutralRequest, NeutralTool } from './neutral.js';
import type { RequestHead } from './route.js';

const TAKEN = ['model', 'messages', 'tools', 'functions', 'stream', 'response_format'];

function contentText(content: JsonValue | undefined, joiner: string): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => {
      if (part['type'] === 'text') return textOf(part['text']);
      return part['type'] === 'refusal' ? textOf(part['refusal']) : placeholder(part);
    })
    .join(joiner);
}

function assistantMessage(entry: JsonObject): Message {
  const message: Message = {
    role: 'assistant',
    text: contentText(entry['content'], '') || textOf(entry['refusal']),
  };
  const calls = objectsOf(entry['tool_calls']).map((call) => {
    const id = textOf(call['id']);
    if (call['type'] === 'custom') {
      const custom = objectOf(call['custom']);
      return {
        id,
        name: textOf(custom['name']),
        arguments: argumentsText(JSON.stringify(textOf(custom['input']))),
      };
    }
    const called = objectOf(call['function']);
    return { id, name: textOf(called['name']), arguments: argumentsText(textOf(called['arguments'])) };
  });
  if (calls.length > 0) message.toolCalls = calls;
  const reasoning = textOf(entry['reasoning_content']) || textOf(entry['reasoning']);
  if (reasoning !== '') message.reasoning = reasoning;
  return message;
}

/** A message that is not an assistant's; null for one with an unknown role. */
function otherMessage(entry: JsonObject): Message | null {
  const text = contentText(entry['content'], '\n');
  switch (textOf(entry['role'])) {
    case 'system':
    case 'developer':
      return { role: 'system', text };
    case 'user':
      return { role: 'user', text };
    case 'tool':
      return { role: 'tool', text, toolCallId: textOf(entry['tool_call_id']) };
    case 'function':
      return { role: 'tool', text, toolName: textOf(entry['name']) };
    default:
      return null;
  }
}

function tool(entry: JsonObject): NeutralTool {
  const custom = entry['type'] === 'custom';
  const definition = objectOf(entry[custom ? 'custom' : 'function']);
  return {
    name: textOf(definition['name']) || textOf(entry['type']),
    kind: custom ? 'custom' : entry['type'] === 'function' ? 'function' : 'hosted',
    namespace: null,
    description: textOf(definition['description']),
    schema: definition['parameters'] ?? null,
  };
}

function outputOf(body: JsonObject): NeutralRequest['output'] {
  const format = objectOf(body['response_format']);
  if (format['type'] === 'json_schema') {
    return { type: 'json', schema: objectOf(format['json_schema'])['schema'] ?? null };
  }
  return format['type'] === 'json_object' ? { type: 'json', schema: null } : { type: 'text' };
}

/** Splits leading system messages off; later ones stay where they are in the conversation. */
export function splitSystem(all: readonly Message[]): { system: string; messages: Message[] } {
  const first = all.findIndex((message) => message.role !== 'system');
  const end = first === -1 ? all.length : first;
  const system = all.slice(0, end).map((message) => message.text);
  return { system: system.join('\n'), messages: all.slice(end) };
}

/** Reads a body of the OpenAI Chat Completions API. Unknown fields are kept as parameters, never refused. */
export function readChatRequest(body: JsonObject, head: RequestHead): NeutralRequest {
  const all: Message[] = [];
  for (const entry of objectsOf(body['messages'])) {
    const message = entry['role'] === 'assistant' ? assistantMessage(entry) : otherMessage(entry);
    if (message !== null) appendMessage(all, message);
  }
  nameResults(all);
  const legacy = objectsOf(body['functions']).map((entry) => ({ type: 'function', function: entry }));
  return {
    protocol: 'openai-chat',
    model: textOf(body['model']),
    ...splitSystem(all),
    tools: [...objectsOf(body['tools']), ...legacy].map(tool),
    stream: body['stream'] === true ? 'sse' : 'none',
    output: outputOf(body),
    parameters: otherFields(body, TAKEN),
    ids: { previous: null, attempt: head.attempt },
    hints: head.hints,
  };
}
