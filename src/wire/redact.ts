import { parseJson, type JsonValue, type Message } from '../core/index.js';
import { hideCredentials } from './json-read.js';
import type { NeutralReply, NeutralRequest } from './neutral.js';

const HIDDEN = '[REDACTED]';

/**
 * Shapes of keys that well-known services give out, and of signed tokens and private keys. Each begins where no word
 * is under way, so that no text makes a search start over and over.
 */
const KEY_SHAPES = [
  /(?<![\w-])sk-[A-Za-z0-9_-]{16,}/g,
  /(?<![\w-])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![\w-])(?:ghp|gho|ghu|ghs|ghr|glpat|hf|npm)[_-][A-Za-z0-9_-]{20,}/g,
  /(?<![\w-])github_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![\w-])xox[abprs]-[A-Za-z0-9-]{10,}/g,
  /(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g,
  /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
  /(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{16,}=*/g,
];

/** Hides what looks like a key, a signed token or a private key. Text without any is returned as it is. */
export function redactSecrets(text: string): string {
  let shown = text;
  for (const shape of KEY_SHAPES) shown = shown.replace(shape, HIDDEN);
  return shown;
}

/** Hides text; must give the same answer for the same text. */
export type Redact = (text: string) => string;

function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((member) => redactJson(member, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactJson(member, redact)]));
}

/** Tool arguments stay JSON when they were. */
function redactArguments(text: string, redact: Redact): string {
  const shown = redact(text);
  return parseJson(text).ok && !parseJson(shown).ok ? text : shown;
}

/** A message with secrets hidden. */
export function redactMessage(message: Message, redact: Redact): Message {
  const shown: Message = { ...message, text: redact(message.text) };
  if (message.reasoning !== undefined) shown.reasoning = redact(message.reasoning);
  if (message.toolCalls !== undefined) {
    shown.toolCalls = message.toolCalls.map((call) => ({
      ...call,
      arguments: redactArguments(call.arguments, redact),
    }));
  }
  return shown;
}

/** A request with secrets hidden. */
export function redactRequest(request: NeutralRequest, redact: Redact): NeutralRequest {
  const parameters = Object.entries(request.parameters).map(([key, value]): [string, JsonValue] => [
    key,
    redactJson(hideCredentials(value), redact),
  ]);
  return {
    ...request,
    system: redact(request.system),
    messages: request.messages.map((message) => redactMessage(message, redact)),
    parameters: Object.fromEntries(parameters),
  };
}

/** A reply with secrets hidden. */
export function redactReply(reply: NeutralReply, redact: Redact): NeutralReply {
  return {
    ...reply,
    text: reply.text === null ? null : redact(reply.text),
    refusal: reply.refusal === null ? null : redact(reply.refusal),
    reasoning: reply.reasoning === null ? null : redact(reply.reasoning),
    toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: redactJson(call.arguments, redact) })),
  };
}
