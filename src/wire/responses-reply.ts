import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { eventBody, jsonBody } from './frames.js';
import { textOf } from './json-read.js';
import type { FinishReason, NeutralReply, NeutralRequest, ReplyBody } from './neutral.js';
import { responseItems, type ResponseItem } from './responses-items.js';

function usageOf(reply: NeutralReply): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = reply.usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

const INCOMPLETE: ReadonlyMap<FinishReason, string> = new Map([
  ['length', 'max_output_tokens'],
  ['context_window', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
  ['recitation', 'content_filter'],
]);

/** How a response ended: its status and the members that say why. */
function ending(reply: NeutralReply): JsonObject {
  const reason = INCOMPLETE.get(reply.finishReason);
  if (reason !== undefined) return { status: 'incomplete', error: null, incomplete_details: { reason } };
  if (reply.finishReason !== 'error') return { status: 'completed', error: null, incomplete_details: null };
  const error = { code: 'server_error', message: 'The model stopped with an error.' };
  return { status: 'failed', error, incomplete_details: null };
}

/** The members of a response object that echo the request, or say the default where it says nothing. */
function responseOf(reply: NeutralReply, request: NeutralRequest): JsonObject {
  const { parameters } = request;
  return {
    id: reply.id,
    object: 'response',
    created_at: reply.createdAt,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: parameters['max_output_tokens'] ?? null,
    metadata: parameters['metadata'] ?? {},
    model: reply.model,
    output: [],
    parallel_tool_calls: parameters['parallel_tool_calls'] ?? true,
    previous_response_id: request.ids.previous,
    reasoning: parameters['reasoning'] ?? { effort: null, summary: null },
    service_tier: 'default',
    store: parameters['store'] ?? true,
    temperature: parameters['temperature'] ?? 1,
    text: parameters['text'] ?? { format: { type: 'text' } },
    tool_choice: parameters['tool_choice'] ?? 'auto',
    tools: [],
    top_p: parameters['top_p'] ?? 1,
    truncation: parameters['truncation'] ?? 'disabled',
    usage: null,
    user: parameters['user'] ?? null,
  };
}

function itemEvents(item: ResponseItem, outputIndex: number): JsonObject[] {
  return [
    { type: 'response.output_item.added', output_index: outputIndex, item: item.begun },
    ...item.events.map((event) => ({ ...event, output_index: outputIndex })),
    { type: 'response.output_item.done', output_index: outputIndex, item: item.whole },
  ];
}

/** Writes a reply as the OpenAI Responses API does, as JSON or as numbered events. */
export function writeResponsesReply(reply: NeutralReply, request: NeutralRequest): ReplyBody {
  const items = responseItems(reply, request);
  const begun = responseOf(reply, request);
  const end = ending(reply);
  const whole: JsonObject = {
    ...begun,
    ...end,
    output: items.map((item) => item.whole),
    usage: usageOf(reply),
  };
  if (request.stream === 'none') return jsonBody(whole);
  const events: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(itemEvents),
    { type: `response.${textOf(end['status'])}`, response: whole },
  ];
  const numbered = events.map((event, index) => ({ ...event, sequence_number: index }));
  const name = (event: JsonValue): string => (isJsonObject(event) ? textOf(event['type']) : '');
  return eventBody(numbered, name, null);
}
