import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, type Message } from '../core/index.js';
import { objectOf, objectsOf, otherFields, placeholder, textOf } from './json-read.js';
import { appendMessage } from './messages.js';
import type { NeutralRequest, NeutralTool } from './neutral.js';
import type { RequestHead } from './route.js';

const TAKEN = ['contents', 'systemInstruction', 'system_instruction', 'tools'];

function partsText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : objectOf(content)['parts'];
  return objectsOf(parts)
    .map((part) => textOf(part['text']))
    .join('\n');
}

/** What a tool gave back: the text under `output`, `result`, `content` or `error` where it stands alone, else the JSON. */
function responseText(response: JsonValue | undefined, tool: string): string {
  if (!isJsonObject(response)) return typeof response === 'string' ? response : canonicalJson(response ?? {});
  const members = Object.entries(response).filter(([key, value]) => key !== 'name' || value !== tool);
  const [only, ...more] = members;
  if (only !== undefined && more.length === 0 && ['output', 'result', 'error', 'content'].includes(only[0])) {
    return typeof only[1] === 'string' ? only[1] : canonicalJson(only[1]);
  }
  return canonicalJson(response);
}

function toolResult(part: JsonObject): Message {
  const result = objectOf(part['functionResponse'] ?? part['function_response']);
  const response = result['response'];
  const name = textOf(result['name']);
  const message: Message = {
    role: 'tool',
    text: responseText(response, name),
    toolName: name,
    isError: isJsonObject(response) && 'error' in response && !('output' in response),
  };
  if (typeof result['id'] === 'string' && result['id'] !== '') message.toolCallId = result['id'];
  return message;
}

function modelMessage(parts: readonly JsonObject[]): Message {
  const message: Message = { role: 'assistant', text: '' };
  for (const part of parts) {
    const call = part['functionCall'] ?? part['function_call'];
    if (isJsonObject(call)) {
      const called = {
        id: textOf(call['id']),
        name: textOf(call['name']),
        arguments: canonicalJson(call['args'] ?? {}),
      };
      message.toolCalls = [...(message.toolCalls ?? []), called];
    } else if (part['thought'] === true) message.reasoning = (message.reasoning ?? '') + textOf(part['text']);
    else message.text += textOf(part['text']);
  }
  return message;
}

function addUserParts(messages: Message[], parts: readonly JsonObject[]): void {
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) messages.push({ role: 'user', text: texts.join('\n') });
    texts = [];
  };
  for (const part of parts) {
    if ('functionResponse' in part || 'function_response' in part) {
      flush();
      messages.push(toolResult(part));
    } else texts.push(typeof part['text'] === 'string' ? part['text'] : placeholder(part));
  }
  flush();
}

function toolsOf(entry: JsonObject): NeutralTool[] {
  const declared = entry['functionDeclarations'] ?? entry['function_declarations'];
  const base = { namespace: null, description: '', schema: null };
  if (!Array.isArray(declared)) {
    return Object.keys(entry).map((name) => ({ ...base, name, kind: 'hosted' as const }));
  }
  return objectsOf(declared).map((definition) => ({
    ...base,
    name: textOf(definition['name']),
    kind: 'function' as const,
    description: textOf(definition['description']),
    schema:
      definition['parametersJsonSchema'] ??
      definition['parameters_json_schema'] ??
      definition['parameters'] ??
      null,
  }));
}

function outputOf(body: JsonObject): NeutralRequest['output'] {
  const config = objectOf(body['generationConfig'] ?? body['generation_config']);
  const type = config['responseMimeType'] ?? config['response_mime_type'];
  if (type !== 'application/json') return { type: 'text' };
  const schema =
    config['responseJsonSchema'] ??
    config['responseSchema'] ??
    config['response_json_schema'] ??
    config['response_schema'];
  return { type: 'json', schema: schema ?? null };
}

/** Reads a body of Gemini's generateContent. Unknown fields are kept as parameters, never refused. */
export function readGeminiRequest(body: JsonObject, head: RequestHead): NeutralRequest {
  const messages: Message[] = [];
  const contents =
    typeof body['contents'] === 'string' ? [{ parts: [{ text: body['contents'] }] }] : body['contents'];
  for (const content of isJsonObject(contents) ? [contents] : objectsOf(contents)) {
    const parts = objectsOf(content['parts']);
    if (content['role'] === 'model') appendMessage(messages, modelMessage(parts));
    else addUserParts(messages, parts);
  }
  return {
    protocol: 'gemini',
    model: head.model,
    system: partsText(body['systemInstruction'] ?? body['system_instruction']),
    messages,
    tools: objectsOf(body['tools']).flatMap(toolsOf),
    stream: head.stream,
    output: outputOf(body),
    parameters: otherFields(body, TAKEN),
    ids: { previous: null, attempt: head.attempt },
    hints: head.hints,
  };
}
