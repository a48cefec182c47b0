import type { JsonObject } from '../core/index.js';
import { customInput } from './custom-input.js';
import { eventBody, jsonBody } from './frames.js';
import { objectOf } from './json-read.js';
import type { FinishReason, NeutralReply, NeutralRequest, ReplyBody, ReplyCall } from './neutral.js';
import { pieces } from './pieces.js';

/** The word for each finish reason. */
export const CHAT_FINISHES: { [Reason in FinishReason]: string } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'stop',
  stop_sequence: 'stop',
  pause: 'stop',
  context_window: 'length',
  recitation: 'content_filter',
  malformed_call: 'tool_calls',
  error: 'stop',
};

function usageOf(reply: NeutralReply): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = reply.usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

function wholeCall(call: ReplyCall): JsonObject {
  if (call.kind === 'custom') {
    return { id: call.id, type: 'custom', custom: { name: call.name, input: customInput(call.arguments) } };
  }
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
}

/** The first delta names the call and has no arguments, the later ones have nothing else. */
function callDeltas(call: ReplyCall, index: number): JsonObject[] {
  const custom = call.kind === 'custom';
  const key = custom ? 'custom' : 'function';
  const field = custom ? 'input' : 'arguments';
  const text = custom ? customInput(call.arguments) : JSON.stringify(call.arguments);
  return [
    { index, id: call.id, type: key, [key]: { name: call.name, [field]: '' } },
    ...pieces(text).map((piece) => ({ index, [key]: { [field]: piece } })),
  ];
}

function deltasOf(reply: NeutralReply): JsonObject[] {
  const content = reply.text === null ? null : '';
  return [
    { role: 'assistant', content, refusal: null },
    ...pieces(reply.reasoning ?? '').map((piece) => ({ reasoning_content: piece })),
    ...pieces(reply.text ?? '').map((piece) => ({ content: piece })),
    ...pieces(reply.refusal ?? '').map((piece) => ({ refusal: piece })),
    ...reply.toolCalls.flatMap((call, index) =>
      callDeltas(call, index).map((delta) => ({ tool_calls: [delta] })),
    ),
  ];
}

function streamChunks(reply: NeutralReply, includeUsage: boolean): JsonObject[] {
  const head = {
    id: reply.id,
    object: 'chat.completion.chunk',
    created: reply.createdAt,
    model: reply.model,
    system_fingerprint: null,
  };
  const tail: JsonObject = includeUsage ? { usage: null } : {};
  const chunk = (delta: JsonObject, finish: string | null): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...tail,
  });
  const chunks = [
    ...deltasOf(reply).map((delta) => chunk(delta, null)),
    chunk({}, CHAT_FINISHES[reply.finishReason]),
  ];
  if (includeUsage) chunks.push({ ...head, choices: [], usage: usageOf(reply) });
  return chunks;
}

function wholeMessage(reply: NeutralReply): JsonObject {
  const message: JsonObject = {
    role: 'assistant',
    content: reply.text,
    refusal: reply.refusal,
    annotations: [],
  };
  if (reply.reasoning !== null) message['reasoning_content'] = reply.reasoning;
  if (reply.toolCalls.length > 0) message['tool_calls'] = reply.toolCalls.map(wholeCall);
  return message;
}

/** Writes a reply as the OpenAI Chat Completions API does, as JSON or as chunks that end with `[DONE]`. */
export function writeChatReply(reply: NeutralReply, request: NeutralRequest): ReplyBody {
  if (request.stream !== 'none') {
    const includeUsage = objectOf(request.parameters['stream_options'])['include_usage'] === true;
    return eventBody(streamChunks(reply, includeUsage), null, '[DONE]');
  }
  const choice = {
    index: 0,
    message: wholeMessage(reply),
    logprobs: null,
    finish_reason: CHAT_FINISHES[reply.finishReason],
  };
  return jsonBody({
    id: reply.id,
    object: 'chat.completion',
    created: reply.createdAt,
    model: reply.model,
    choices: [choice],
    usage: usageOf(reply),
    system_fingerprint: null,
  });
}
