import { errorMessage, type JsonObject, type Message } from '../core/index.js';
import { continued, Conversations, rootOf, stateKeys } from './conversation.js';
import type { ProviderAnswer } from './forward.js';
import { emptyRequest } from './messages.js';
import type { NeutralReply, NeutralRequest, Protocol } from './neutral.js';
import { readRequest } from './protocols.js';
import { redactMessage, redactReply, redactRequest, type Redact } from './redact.js';
import { readReply } from './reply-read.js';
import { responseItems } from './responses-items.js';
import type { RequestHead } from './route.js';

/** What came of a forwarded request. */
export interface Outcome {
  /** Null when the answer was an error, broke off, or could not be read. */
  reply: NeutralReply | null;
  /** HTTP status; 0 when the provider could not be reached. */
  status: number;
  /** Why there is no reply; null when there is one. */
  error: string | null;
  /** Milliseconds since the capture was opened. */
  startedAt: number;
  durationMs: number;
}

/** One request that went through the recording proxy, and what the provider answered. Secrets are hidden. */
export interface CapturedExchange extends Outcome {
  /** 1-based, in order of arrival. */
  number: number;
  request: NeutralRequest;
  /** The messages that are new since the reply that this request follows. */
  fresh: Message[];
  /** Number of the exchange that this request follows; null at the beginning of a conversation. */
  parent: number | null;
  /** What the conversation starts from: the same for all requests of one that keeps its history. */
  root: string;
  /** The same for two tries at the same answer. */
  state: string;
  /** 0-based user turn as the driver said it; null when it did not. */
  turn: number | null;
}

/** Everything that went through one address of the recording proxy. */
export interface Capture {
  id: string;
  /** User texts, as far as the driver said them. */
  users: string[];
  exchanges: CapturedExchange[];
}

/** A request as it arrived and what has come back, before anything is made of it. */
export interface RawExchange {
  protocol: Protocol;
  body: JsonObject;
  head: RequestHead;
  turn: number | null;
  answer: ProviderAnswer;
  startedAt: number;
  /** Null while the answer is under way. */
  endedAt: number | null;
}

const UNANSWERED = 'The answer had not come when the capture ended.';

function errorOf(raw: RawExchange, text: string | null): string {
  const { status, failure } = raw.answer;
  if (status >= 400) return `The provider answered with status ${status}.`;
  if (failure !== null) return failure;
  if (raw.endedAt === null) return UNANSWERED;
  return text === null ? 'The answer could not be kept.' : 'The answer broke off or could not be read.';
}

/** What has come of a request. A reply that is whole counts even if its connection did not end well. */
export function outcomeOf(raw: RawExchange): Outcome {
  const { status, contentType } = raw.answer;
  const text = raw.answer.text();
  const ok = status >= 200 && status < 300;
  const reply = ok && text !== null ? readReply(raw.protocol, contentType, text) : null;
  return {
    reply,
    status,
    error: reply === null ? errorOf(raw, text) : null,
    startedAt: raw.startedAt,
    durationMs: raw.endedAt === null ? 0 : raw.endedAt - raw.startedAt,
  };
}

function remember(items: Map<string, JsonObject>, exchange: CapturedExchange): void {
  const { reply, request } = exchange;
  if (reply === null || request.protocol !== 'openai-responses') return;
  for (const { whole } of responseItems(reply, request)) {
    if (typeof whole['id'] === 'string') items.set(whole['id'], whole);
  }
}

function hidden(exchange: CapturedExchange, redact: Redact): CapturedExchange {
  return {
    ...exchange,
    request: redactRequest(exchange.request, redact),
    fresh: exchange.fresh.map((message) => redactMessage(message, redact)),
    reply: exchange.reply === null ? null : redactReply(exchange.reply, redact),
  };
}

/** Finds what a request follows. A request that cannot be understood stands alone, without a reply. */
function followed(
  raw: RawExchange,
  conversations: Conversations<CapturedExchange>,
  items: Map<string, JsonObject>,
) {
  try {
    const asked = readRequest(raw.protocol, raw.body, raw.head, items);
    const known = asked.ids.previous === null ? null : conversations.replyWithId(asked.ids.previous);
    const request = known === null ? asked : continued(asked, known);
    const { parent, fresh } =
      known === null ? conversations.follow(request) : { parent: known, fresh: asked.messages };
    const state = stateKeys(request, parent, fresh).exact;
    return { request, fresh, parent: parent?.number ?? null, root: rootOf(request), state };
  } catch (error) {
    const failure = { reply: null, error: `The request could not be understood: ${errorMessage(error)}` };
    return { request: emptyRequest(raw.protocol), fresh: [], parent: null, root: '', state: '', ...failure };
  }
}

/**
 * Makes a capture of what passed by, in order of arrival: reads the requests, finds which reply each follows, and hides
 * secrets. Done at the end, because a client may ask on before the answer it acts on has been read here.
 */
export function makeCapture(
  id: string,
  users: readonly string[],
  raw: readonly RawExchange[],
  redact: Redact,
): Capture {
  const items = new Map<string, JsonObject>();
  const conversations = new Conversations<CapturedExchange>();
  const exchanges = raw.map((each, index): CapturedExchange => {
    const exchange: CapturedExchange = {
      ...outcomeOf(each),
      number: index + 1,
      turn: each.turn,
      ...followed(each, conversations, items),
    };
    conversations.add(exchange);
    remember(items, exchange);
    return exchange;
  });
  return { id, users: users.map(redact), exchanges: exchanges.map((exchange) => hidden(exchange, redact)) };
}
