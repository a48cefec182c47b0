import { isJsonObject, type JsonObject } from '../core/index.js';
import { finishFrom } from './finish.js';
import { GEMINI_FINISHES } from './gemini-reply.js';
import { countOf, objectOf, objectsOf, textOf } from './json-read.js';
import type { NeutralReply, ReplyCall } from './neutral.js';

/** Puts a streamed answer together; null when it broke off before a finish reason. */
export function joinGeminiChunks(chunks: readonly JsonObject[]): JsonObject | null {
  let joined: JsonObject = {};
  const parts: JsonObject[] = [];
  let finish: string | null = null;
  for (const chunk of chunks) {
    joined = { ...joined, ...chunk };
    const candidate = objectsOf(chunk['candidates'])[0] ?? {};
    parts.push(...objectsOf(objectOf(candidate['content'])['parts']));
    if (typeof candidate['finishReason'] === 'string') finish = candidate['finishReason'];
  }
  if (finish === null) return null;
  return { ...joined, candidates: [{ content: { role: 'model', parts }, finishReason: finish }] };
}

function callOf(part: JsonObject): ReplyCall {
  const call = objectOf(part['functionCall']);
  const id = textOf(call['id']);
  return {
    id,
    itemId: id,
    name: textOf(call['name']),
    arguments: call['args'] ?? {},
    kind: 'function',
    namespace: null,
  };
}

function joinText(parts: readonly JsonObject[]): string | null {
  return parts.length === 0 ? null : parts.map((part) => textOf(part['text'])).join('');
}

/** Reads an answer of Gemini's generateContent. */
export function readGeminiAnswer(answer: JsonObject): NeutralReply {
  const candidate = objectsOf(answer['candidates'])[0] ?? {};
  const parts = objectsOf(objectOf(candidate['content'])['parts']);
  const toolCalls = parts.filter((part) => isJsonObject(part['functionCall'])).map(callOf);
  const texts = parts.filter((part) => typeof part['text'] === 'string');
  const text = joinText(texts.filter((part) => part['thought'] !== true));
  const finishReason = finishFrom(GEMINI_FINISHES, textOf(candidate['finishReason']), toolCalls.length);
  const refused = finishReason === 'refusal' && toolCalls.length === 0 && text !== null;
  const usage = objectOf(answer['usageMetadata']);
  const thoughts = countOf(usage['thoughtsTokenCount']);
  const id = textOf(answer['responseId']);
  return {
    id,
    messageId: id,
    reasoningId: id,
    model: textOf(answer['modelVersion']),
    reasoning: joinText(texts.filter((part) => part['thought'] === true)),
    text: refused || (text === '' && toolCalls.length > 0) ? null : text,
    refusal: refused ? text : null,
    toolCalls,
    finishReason,
    usage: {
      inputTokens: countOf(usage['promptTokenCount']),
      outputTokens: countOf(usage['candidatesTokenCount']) + thoughts,
      cachedInputTokens: countOf(usage['cachedContentTokenCount']),
      reasoningTokens: thoughts,
    },
    createdAt: 0,
  };
}
