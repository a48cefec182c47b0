import { isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { joinAnthropicEvents, readAnthropicMessage } from './anthropic-read.js';
import { joinChatChunks, readChatCompletion } from './chat-read.js';
import { joinGeminiChunks, readGeminiAnswer } from './gemini-read.js';
import { objectsOf } from './json-read.js';
import type { NeutralReply, Protocol } from './neutral.js';
import { joinResponseEvents, readResponse } from './responses-read.js';
import { eventValues } from './sse-read.js';

type Join = (events: readonly JsonObject[]) => JsonObject | null;

const JOIN: { [Name in Protocol]: Join } = {
  anthropic: joinAnthropicEvents,
  'openai-chat': joinChatChunks,
  'openai-responses': joinResponseEvents,
  gemini: joinGeminiChunks,
};

const READ: { [Name in Protocol]: (whole: JsonObject) => NeutralReply } = {
  anthropic: readAnthropicMessage,
  'openai-chat': readChatCompletion,
  'openai-responses': readResponse,
  gemini: readGeminiAnswer,
};

/**
 * Reads a provider's answer, streamed or not.
 * @returns null when it broke off or is not what the protocol says
 */
export function readReply(protocol: Protocol, contentType: string, text: string): NeutralReply | null {
  if (contentType.includes('text/event-stream')) {
    const whole = JOIN[protocol](eventValues(text).filter(isJsonObject));
    return whole === null ? null : READ[protocol](whole);
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const whole = Array.isArray(parsed.value) ? JOIN[protocol](objectsOf(parsed.value)) : parsed.value;
  // A failed response still is one; any other body with an error is not.
  if (!isJsonObject(whole) || (isJsonObject(whole['error']) && whole['object'] !== 'response')) return null;
  return READ[protocol](whole);
}
