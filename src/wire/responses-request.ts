import { canonicalJson, type JsonObject, type JsonValue, type Message } from '../core/index.js';
import { splitSystem } from './chat-request.js';
import { argumentsText, objectOf, objectsOf, otherFields, placeholder, textOf } from './json-read.js';
import { appendMessage, nameResults } from './messages.js';
import type { NeutralRequest, NeutralTool } from './neutral.js';
import type { RequestHead } from './route.js';

const TAKEN = ['model', 'instructions', 'input', 'tools', 'stream', 'previous_response_id'];

function contentText(content: JsonValue | undefined, joiner: string): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => {
      if (typeof part['text'] === 'string') return part['text'];
      return part['type'] === 'refusal' ? textOf(part['refusal']) : placeholder(part);
    })
    .join(joiner);
}

function roleMessage(item: JsonObject): Message {
  if (item['role'] === 'assistant') return { role: 'assistant', text: contentText(item['content'], '') };
  const text = contentText(item['content'], '\n');
  return { role: item['role'] === 'system' || item['role'] === 'developer' ? 'system' : 'user', text };
}

function callMessage(item: JsonObject, callArguments: string): Message {
  const call = { id: textOf(item['call_id']), name: textOf(item['name']), arguments: callArguments };
  return { role: 'assistant', text: '', toolCalls: [call] };
}

function reasoningMessage(item: JsonObject): Message {
  const parts = objectsOf(item['summary']).length > 0 ? item['summary'] : item['content'];
  const reasoning = contentText(parts, '\n');
  return reasoning === '' ? { role: 'assistant', text: '' } : { role: 'assistant', text: '', reasoning };
}

function outputMessage(item: JsonObject): Message {
  return { role: 'tool', text: contentText(item['output'], '\n'), toolCallId: textOf(item['call_id']) };
}

/** One input item as a message; null for one that the conversation does not need. */
function itemMessage(item: JsonObject, stored: ReadonlyMap<string, JsonObject>): Message | null {
  switch (textOf(item['type'])) {
    case '':
    case 'message':
      return roleMessage(item);
    case 'function_call':
      return callMessage(item, argumentsText(textOf(item['arguments'])));
    case 'custom_tool_call':
      return callMessage(item, canonicalJson(textOf(item['input'])));
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return outputMessage(item);
    case 'reasoning':
      return reasoningMessage(item);
    case 'item_reference': {
      const referred = stored.get(textOf(item['id']));
      return referred === undefined ? null : itemMessage(referred, new Map());
    }
    default:
      return null;
  }
}

/** The tools of a list, those of namespaces among them. */
function toolsOf(entries: JsonValue | undefined, namespace: string | null): NeutralTool[] {
  return objectsOf(entries).flatMap((entry): NeutralTool[] => {
    const type = textOf(entry['type']);
    if (type === 'namespace') return toolsOf(entry['tools'], textOf(entry['name']));
    return [
      {
        name: textOf(entry['name']) || type,
        kind: type === 'function' || type === 'custom' ? type : 'hosted',
        namespace,
        description: textOf(entry['description']),
        schema: entry['parameters'] ?? null,
      },
    ];
  });
}

function outputOf(body: JsonObject): NeutralRequest['output'] {
  const format = objectOf(objectOf(body['text'])['format']);
  if (format['type'] === 'json_schema') return { type: 'json', schema: format['schema'] ?? null };
  return format['type'] === 'json_object' ? { type: 'json', schema: null } : { type: 'text' };
}

/**
 * Reads a body of the OpenAI Responses API. Unknown fields are kept as parameters, never refused.
 * @param stored output items sent before, by id, for clients that refer to them instead of repeating them
 */
export function readResponsesRequest(
  body: JsonObject,
  head: RequestHead,
  stored: ReadonlyMap<string, JsonObject>,
): NeutralRequest {
  const all: Message[] = [];
  if (typeof body['input'] === 'string') all.push({ role: 'user', text: body['input'] });
  for (const item of objectsOf(body['input'])) {
    const message = itemMessage(item, stored);
    if (message !== null) appendMessage(all, message);
  }
  nameResults(all);
  const { system, messages } = splitSystem(all);
  const previous = textOf(body['previous_response_id']);
  return {
    protocol: 'openai-responses',
    model: textOf(body['model']),
    system: [textOf(body['instructions']), system].filter((text) => text !== '').join('\n'),
    messages,
    tools: toolsOf(body['tools'], null),
    stream: body['stream'] === true ? 'sse' : 'none',
    output: outputOf(body),
    parameters: otherFields(body, TAKEN),
    ids: { previous: previous === '' ? null : previous, attempt: head.attempt },
    hints: head.hints,
  };
}
