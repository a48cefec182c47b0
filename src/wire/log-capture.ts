import {
  AssayError,
  canonicalJson,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import { makeCapture, type Capture, type RawExchange } from './capture.js';
import { ProviderAnswer } from './forward.js';
import { objectOf, objectsOf, textOf } from './json-read.js';
import { redactSecrets, type Redact } from './redact.js';
import { attemptOf, hintsOf, routeRequest } from './route.js';

const LARGEST = 256 * 1024 * 1024;

function answered(status: number, contentType: string, body: Buffer): ProviderAnswer {
  const answer = new ProviderAnswer(LARGEST);
  answer.status = status;
  answer.contentType = contentType;
  answer.add(body);
  return answer;
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function headersOf(request: JsonObject): { [name: string]: string } {
  return Object.fromEntries(
    objectsOf(request['headers']).map((header) => [
      textOf(header['name']).toLowerCase(),
      textOf(header['value']),
    ]),
  );
}

/** One entry of an HTTP archive; null when it is no model request. */
function fromEntry(entry: JsonObject): RawExchange | null {
  const request = objectOf(entry['request']);
  const response = objectOf(entry['response']);
  const address = textOf(request['url']);
  if (!URL.canParse(address)) return null;
  const { pathname, searchParams } = new URL(address);
  const headers = headersOf(request);
  const route = routeRequest(textOf(request['method']), pathname, searchParams, headers);
  const body = parseJson(textOf(objectOf(request['postData'])['text']));
  if (route.kind !== 'generate' || !body.ok || !isJsonObject(body.value)) return null;
  const content = objectOf(response['content']);
  const encoding = textOf(content['encoding']) === 'base64' ? 'base64' : 'utf8';
  const startedAt = Date.parse(textOf(entry['startedDateTime'])) || 0;
  return {
    protocol: route.protocol,
    body: body.value,
    head: { ...route, attempt: attemptOf(headers), hints: hintsOf(headers, []) },
    turn: null,
    // Archives hold bodies after decompression.
    answer: answered(
      numberOf(response['status']),
      textOf(content['mimeType']),
      Buffer.from(textOf(content['text']), encoding),
    ),
    startedAt,
    endedAt: startedAt + Math.max(0, numberOf(entry['time'])),
  };
}

function attributeValue(value: JsonObject): JsonValue {
  for (const key of ['stringValue', 'doubleValue', 'boolValue'] as const) {
    if (value[key] !== undefined) return value[key];
  }
  if (value['intValue'] !== undefined) return Number(value['intValue']);
  const list = objectOf(value['arrayValue'])['values'];
  if (Array.isArray(list)) return list.map((each) => attributeValue(objectOf(each)));
  const members = objectOf(value['kvlistValue'])['values'];
  return Object.fromEntries(
    objectsOf(members).map((each) => [textOf(each['key']), attributeValue(objectOf(each['value']))]),
  );
}

/** A value that a span may hold as JSON or as JSON text. */
function structured(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

function joinedText(parts: readonly JsonObject[]): string {
  return parts
    .filter((part) => part['type'] === 'text')
    .map((part) => textOf(part['content']))
    .join('');
}

function resultText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : canonicalJson(value ?? '');
}

/** A message of a span as the messages of the Chat Completions API: results stand by themselves there. */
function chatMessages(message: JsonObject): JsonObject[] {
  const parts = objectsOf(message['parts']);
  const results = parts
    .filter((part) => part['type'] === 'tool_call_response')
    .map((part): JsonObject => ({
      role: 'tool',
      tool_call_id: textOf(part['id']),
      content: resultText(part['response'] ?? part['result']),
    }));
  if (results.length > 0) return results;
  const calls = parts
    .filter((part) => part['type'] === 'tool_call')
    .map((part) => ({
      id: textOf(part['id']),
      type: 'function',
      function: { name: textOf(part['name']), arguments: resultText(part['arguments'] ?? {}) },
    }));
  const text = joinedText(parts);
  return [
    {
      role: textOf(message['role']),
      content: calls.length > 0 && text === '' ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** One span of a model call, by the conventions of OpenTelemetry for generative AI; null when it is none. */
function fromSpan(span: JsonObject): RawExchange | null {
  const attributes: JsonObject = {};
  for (const { key, value } of objectsOf(span['attributes'])) {
    attributes[textOf(key)] = attributeValue(objectOf(value));
  }
  const output = objectsOf(structured(attributes['gen_ai.output.messages']))[0];
  const input = structured(attributes['gen_ai.input.messages']);
  if (output === undefined || !Array.isArray(input)) return null;
  const system = joinedText(objectsOf(structured(attributes['gen_ai.system_instructions'])));
  const [message] = chatMessages(output);
  const calls = message?.['tool_calls'] === undefined ? 'stop' : 'tool_calls';
  const model = textOf(attributes['gen_ai.response.model'] ?? attributes['gen_ai.request.model']);
  const reply: JsonObject = {
    id: textOf(attributes['gen_ai.response.id']),
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: message ?? {}, finish_reason: calls }],
    usage: {
      prompt_tokens: numberOf(attributes['gen_ai.usage.input_tokens']),
      completion_tokens: numberOf(attributes['gen_ai.usage.output_tokens']),
    },
  };
  const tools = objectsOf(structured(attributes['gen_ai.tool.definitions'])).map((tool) => ({
    type: 'function',
    function: {
      name: textOf(tool['name']),
      description: textOf(tool['description']),
      parameters: tool['parameters'] ?? {},
    },
  }));
  const startedAt = Number(textOf(span['startTimeUnixNano'])) / 1e6 || 0;
  return {
    protocol: 'openai-chat',
    body: {
      model: textOf(attributes['gen_ai.request.model'] ?? model),
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system }]),
        ...objectsOf(input).flatMap(chatMessages),
      ],
      ...(tools.length > 0 ? { tools } : {}),
    },
    head: { model: '', stream: 'none', attempt: 0, hints: {} },
    turn: null,
    answer: answered(200, 'application/json', Buffer.from(JSON.stringify(reply))),
    startedAt,
    endedAt: Number(textOf(span['endTimeUnixNano'])) / 1e6 || startedAt,
  };
}

function spansOf(log: JsonObject): JsonObject[] {
  return objectsOf(log['resourceSpans'])
    .flatMap((resource) => objectsOf(resource['scopeSpans']))
    .flatMap((scope) => objectsOf(scope['spans']));
}

/**
 * A capture from stored traffic: an HTTP archive (HAR), or spans of model calls (OTLP as JSON, with the messages of
 * the conventions for generative AI). What is no model request is left out.
 * @throws AssayError `INPUT` when it is neither, or holds no model request
 */
export function captureFromLog(log: JsonValue, redact: Redact = (text) => text): Capture {
  const root = objectOf(log);
  const entries = objectsOf(objectOf(root['log'])['entries']);
  const spans = spansOf(root);
  if (entries.length === 0 && spans.length === 0) {
    throw new AssayError('INPUT', 'The log is neither an HTTP archive nor a list of spans.', {
      fix: 'Give a HAR file (log.entries) or OTLP as JSON (resourceSpans).',
    });
  }
  const raw = [...entries.map(fromEntry), ...spans.map(fromSpan)]
    .filter((exchange) => exchange !== null)
    .toSorted((left, right) => left.startedAt - right.startedAt);
  if (raw.length === 0) {
    throw new AssayError('INPUT', 'The log holds no model request with its body and answer.', {
      fix: 'Record bodies too: in a HAR file postData.text and content.text, in spans gen_ai.input.messages and gen_ai.output.messages.',
    });
  }
  return makeCapture('log', [], raw, (text) => redact(redactSecrets(text)));
}
