import type { JsonObject } from '../core/index.js';
import { writeAnthropicReply } from './anthropic-reply.js';
import { readAnthropicRequest } from './anthropic-request.js';
import { writeChatReply } from './chat-reply.js';
import { readChatRequest } from './chat-request.js';
import { writeGeminiReply } from './gemini-reply.js';
import { readGeminiRequest } from './gemini-request.js';
import type { NeutralReply, NeutralRequest, Protocol, ReplyBody } from './neutral.js';
import { writeResponsesReply } from './responses-reply.js';
import { readResponsesRequest } from './responses-request.js';
import type { RequestHead } from './route.js';

type Stored = ReadonlyMap<string, JsonObject>;

const READERS: {
  [Name in Protocol]: (body: JsonObject, head: RequestHead, stored: Stored) => NeutralRequest;
} = {
  anthropic: readAnthropicRequest,
  'openai-chat': readChatRequest,
  'openai-responses': readResponsesRequest,
  gemini: readGeminiRequest,
};

const WRITERS: { [Name in Protocol]: (reply: NeutralReply, request: NeutralRequest) => ReplyBody } = {
  anthropic: writeAnthropicReply,
  'openai-chat': writeChatReply,
  'openai-responses': writeResponsesReply,
  gemini: writeGeminiReply,
};

/**
 * Reads a request body of any protocol.
 * @param stored output items sent before, by id (Responses only)
 */
export function readRequest(
  protocol: Protocol,
  body: JsonObject,
  head: RequestHead,
  stored: Stored,
): NeutralRequest {
  return READERS[protocol](body, head, stored);
}

/** Writes a reply in the protocol and framing that a request asked for. */
export function writeReply(reply: NeutralReply, request: NeutralRequest): ReplyBody {
  return WRITERS[request.protocol](reply, request);
}
