import {
  AssayError,
  isJsonObject,
  parseJson,
  quote,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';
import { addMessage } from './chat-messages.js';
import { countMember, member, objectsOf, textMember } from './json-fields.js';
import { resultText } from './message-parts.js';
import { spansIn, type Span } from './otlp-spans.js';
import type { TranscriptBuilder } from './transcript-builder.js';

const INFERENCE = new Set(['chat', 'generate_content', 'text_completion']);

function operation(span: Span): string {
  return textMember(span.attributes, 'gen_ai.operation.name');
}

/** Attributes hold messages as structured values or as a text of JSON. */
function structured(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : undefined;
}

/** Messages of earlier conventions, one attribute each: `gen_ai.prompt.0.content`. */
function numbered(attributes: JsonObject, prefix: string): JsonObject[] {
  const messages: JsonObject[] = [];
  for (
    let index = 0;
    `${prefix}.${index}.role` in attributes || `${prefix}.${index}.content` in attributes;
    index += 1
  ) {
    const at = (name: string): JsonValue | undefined => member(attributes, `${prefix}.${index}.${name}`);
    const calls: JsonObject[] = [];
    for (let call = 0; at(`tool_calls.${call}.name`) !== undefined; call += 1) {
      calls.push({
        type: 'tool_call',
        id: at(`tool_calls.${call}.id`) ?? '',
        name: at(`tool_calls.${call}.name`) ?? '',
        arguments: at(`tool_calls.${call}.arguments`) ?? {},
      });
    }
    messages.push({
      role: at('role') ?? 'assistant',
      content: at('content') ?? '',
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(at('tool_call_id') === undefined ? {} : { tool_call_id: at('tool_call_id') ?? '' }),
    });
  }
  return messages;
}

const EVENT_ROLES: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);

/** Messages of conventions that write them as events of the span. */
function fromEvents(span: Span): { input: JsonObject[]; output: JsonObject[] } {
  const input: JsonObject[] = [];
  const output: JsonObject[] = [];
  for (const { name, attributes } of span.events) {
    const role = EVENT_ROLES.get(name);
    const calls = structured(member(attributes, 'tool_calls'));
    if (role !== undefined) {
      input.push({ role, ...attributes, ...(calls === undefined ? {} : { tool_calls: calls }) });
    } else if (name === 'gen_ai.choice') {
      const message = structured(member(attributes, 'message')) ?? attributes;
      if (isJsonObject(message)) output.push({ role: 'assistant', ...message });
    } else if (name === 'gen_ai.client.inference.operation.details') {
      input.push(...objectsOf(structured(member(attributes, 'gen_ai.input.messages'))));
      output.push(...objectsOf(structured(member(attributes, 'gen_ai.output.messages'))));
    }
  }
  return { input, output };
}

function messagesOf(span: Span): { input: JsonObject[]; output: JsonObject[] } {
  const { attributes } = span;
  const input = objectsOf(structured(member(attributes, 'gen_ai.input.messages')));
  const output = objectsOf(structured(member(attributes, 'gen_ai.output.messages')));
  if (input.length + output.length > 0) return { input, output };
  const events = fromEvents(span);
  if (events.input.length + events.output.length > 0) return events;
  return { input: numbered(attributes, 'gen_ai.prompt'), output: numbered(attributes, 'gen_ai.completion') };
}

/** The span id of the nearest agent that a span belongs to; '' for none. */
function agentOf(span: Span, spans: ReadonlyMap<string, Span>): string {
  const seen = new Set<string>();
  let parent = spans.get(span.parentSpanId);
  while (parent !== undefined && !seen.has(parent.spanId)) {
    if (operation(parent) === 'invoke_agent') return parent.spanId;
    seen.add(parent.spanId);
    parent = spans.get(parent.parentSpanId);
  }
  return '';
}

/** The requests of the agent that began first; those of agents it called are its tools' own business. */
function mainRequests(builder: TranscriptBuilder, spans: readonly Span[]): Span[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const requests = spans.filter((span) => INFERENCE.has(operation(span)));
  const outermost = (span: Span): boolean => {
    const agent = byId.get(agentOf(span, byId));
    return agent === undefined || agentOf(agent, byId) === '';
  };
  const main = requests.filter(outermost);
  for (let count = main.length; count < requests.length; count += 1) builder.leave('request of a sub-agent');
  return main;
}

function chosenTrace(spans: readonly Span[], wanted: string | null): Span[] {
  const requests = spans.filter((span) => INFERENCE.has(operation(span)));
  const conversationOf = (span: Span): string =>
    textMember(span.attributes, 'gen_ai.conversation.id') || `trace ${span.traceId}`;
  const names = [...new Set(requests.map(conversationOf))];
  if (wanted !== null) {
    const traces = new Set(
      requests
        .filter((span) => span.traceId === wanted || conversationOf(span) === wanted)
        .map((span) => span.traceId),
    );
    if (traces.size > 0) return spans.filter((span) => traces.has(span.traceId));
    throw new AssayError('INPUT', `no model was asked in a trace or conversation ${quote(wanted)}`);
  }
  if (names.length > 1) {
    throw new AssayError('INPUT', `the spans are of ${names.length} conversations`, {
      fix: `choose one with --trace: ${requests
        .map((span) => textMember(span.attributes, 'gen_ai.conversation.id') || span.traceId)
        .filter((name, index, all) => all.indexOf(name) === index)
        .slice(0, 10)
        .join(', ')}`,
    });
  }
  return [...spans];
}

function addToolSpans(builder: TranscriptBuilder, spans: readonly Span[], known: ReadonlySet<string>): void {
  for (const span of spans) {
    if (operation(span) !== 'execute_tool') continue;
    const id = textMember(span.attributes, 'gen_ai.tool.call.id');
    if (id === '' || known.has(id)) continue;
    const result = structured(member(span.attributes, 'gen_ai.tool.call.result'));
    const text = resultText(result ?? member(span.attributes, 'gen_ai.tool.call.result'));
    builder.result(id, span.failed && text === '' ? span.statusMessage : text, !span.failed);
  }
}

/** Ids of the calls whose results are among messages. */
function resultIds(messages: readonly JsonObject[]): string[] {
  return messages.flatMap((message) => [
    textMember(message, 'tool_call_id'),
    ...objectsOf(member(message, 'parts') ?? member(message, 'content'))
      .filter((part) => /re(?:sult|sponse)$/.test(textMember(part, 'type')))
      .map((part) => textMember(part, 'id', 'tool_use_id', 'toolCallId')),
  ]);
}

/**
 * Adds the conversation in OpenTelemetry GenAI spans. Requests usually repeat the whole history: of each, what is new
 * since the reply before it counts.
 * @param wanted a trace id or conversation id; null when the spans are of one conversation
 * @throws AssayError `INPUT` when they are not
 */
export function addOtlp(
  builder: TranscriptBuilder,
  exports: readonly JsonObject[],
  wanted: string | null,
): void {
  const spans = chosenTrace(spansIn(exports), wanted);
  const requests = mainRequests(builder, spans);
  for (const [index, span] of requests.entries()) {
    const { input, output } = messagesOf(span);
    const instructions = structured(member(span.attributes, 'gen_ai.system_instructions'));
    for (const part of objectsOf(instructions)) builder.instructions(textMember(part, 'content', 'text'));
    const last = input.findLastIndex(
      (message) => message['role'] === 'assistant' || message['role'] === 'model',
    );
    const fresh = index === 0 ? input : input.slice(last + 1);
    for (const message of fresh) addMessage(builder, message);
    for (const message of output) addMessage(builder, { role: 'assistant', ...message });
    builder.served(textMember(span.attributes, 'gen_ai.response.model', 'gen_ai.request.model'));
    builder.tokens({
      of: span.spanId,
      inputTokens: countMember(span.attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
      outputTokens: countMember(
        span.attributes,
        'gen_ai.usage.output_tokens',
        'gen_ai.usage.completion_tokens',
      ),
    });
    if (span.failed) builder.leave('request that failed');
    addToolSpans(builder, toolSpansAfter(spans, requests, index), answeredLater(requests, index));
  }
}

/** Spans of tools that ran between a request and the one after it. */
function toolSpansAfter(spans: readonly Span[], requests: readonly Span[], index: number): Span[] {
  const from = requests[index]?.start ?? 0n;
  const to = requests[index + 1]?.start;
  return spans.filter((span) => span.start >= from && (to === undefined || span.start < to));
}

/** Ids of calls whose results the next request brings itself. */
function answeredLater(requests: readonly Span[], index: number): Set<string> {
  const next = requests[index + 1];
  return new Set(next === undefined ? [] : resultIds(messagesOf(next).input));
}
