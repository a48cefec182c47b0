import { sha256, type JsonObject } from '../core/index.js';
import { arrayBody, eventBody, jsonBody } from './frames.js';
import type { FinishReason, NeutralReply, NeutralRequest, ReplyBody } from './neutral.js';
import { pieces } from './pieces.js';

/** The word for each finish reason. */
export const GEMINI_FINISHES: { [Reason in FinishReason]: string } = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  stop_sequence: 'STOP',
  pause: 'STOP',
  context_window: 'MAX_TOKENS',
  recitation: 'RECITATION',
  malformed_call: 'MALFORMED_FUNCTION_CALL',
  error: 'OTHER',
};

function usageOf(reply: NeutralReply): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = reply.usage;
  const usage: JsonObject = {
    promptTokenCount: inputTokens,
    candidatesTokenCount: Math.max(0, outputTokens - reasoningTokens),
    totalTokenCount: inputTokens + outputTokens,
  };
  if (cachedInputTokens > 0) usage['cachedContentTokenCount'] = cachedInputTokens;
  if (reasoningTokens > 0) usage['thoughtsTokenCount'] = reasoningTokens;
  return usage;
}

/** The parts of a reply; with `cut`, texts come in several. */
function partsOf(reply: NeutralReply, cut: (text: string) => string[]): JsonObject[] {
  const text = reply.refusal ?? reply.text;
  // The provider ties a signature to the calls that followed its reasoning and wants it back.
  const signed: JsonObject =
    reply.reasoning === null
      ? {}
      : { thoughtSignature: Buffer.from(sha256(reply.reasoning), 'hex').toString('base64') };
  return [
    ...cut(reply.reasoning ?? '').map((piece) => ({ text: piece, thought: true })),
    ...cut(text ?? '').map((piece) => ({ text: piece })),
    ...reply.toolCalls.map((call, index) => ({
      functionCall: { id: call.id, name: call.name, args: call.arguments },
      ...(index === 0 ? signed : {}),
    })),
  ];
}

function answerOf(reply: NeutralReply, parts: JsonObject[], finished: boolean): JsonObject {
  const candidate: JsonObject = {
    content: { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts },
    index: 0,
  };
  if (finished) candidate['finishReason'] = GEMINI_FINISHES[reply.finishReason];
  return {
    candidates: [candidate],
    usageMetadata: usageOf(reply),
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

/** Writes a reply as Gemini does: one JSON document, unnamed events, or a streamed JSON array. */
export function writeGeminiReply(reply: NeutralReply, request: NeutralRequest): ReplyBody {
  if (request.stream === 'none') {
    const parts = partsOf(reply, (text) => (text === '' ? [] : [text]));
    return jsonBody(answerOf(reply, parts, true));
  }
  const parts = partsOf(reply, pieces);
  const last = parts.length - 1;
  const chunks =
    parts.length === 0
      ? [answerOf(reply, [], true)]
      : parts.map((part, index) => answerOf(reply, [part], index === last));
  return request.stream === 'sse' ? eventBody(chunks, null, null) : arrayBody(chunks);
}
