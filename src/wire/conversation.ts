import { canonicalJson, sha256, type Message } from '../core/index.js';
import type { Exchange } from './exchange.js';
import { firstUserText, offeredNames, replyMessage, squeeze } from './messages.js';
import type { NeutralRequest } from './neutral.js';

/** What a conversation starts from: system prompt and first user message. */
export function rootOf(request: NeutralRequest): string {
  return sha256(canonicalJson([request.system, firstUserText(request.messages)]));
}

/**
 * What a conversation has come to. `exact` is the same only for the same request; `loose` overlooks the system
 * prompt and the model, which a client may change when it tries again.
 */
export interface StateKeys {
  exact: string;
  loose: string;
}

/** Identifies the state of a conversation by what was last answered and what has been said since. */
export function stateKeys(
  request: NeutralRequest,
  parent: Exchange | null,
  fresh: readonly Message[],
): StateKeys {
  const said = fresh.map(({ reasoning: _reasoning, ...message }) => message);
  const state = [parent?.number ?? 0, said, offeredNames(request), request.hints];
  const loose = sha256(canonicalJson(state));
  return { loose, exact: sha256(canonicalJson([loose, request.system, request.model])) };
}

/** A continuation with the remembered history, prompt and tools put in front of what it brings. */
export function continued(request: NeutralRequest, previous: Exchange): NeutralRequest {
  const answer = previous.reply === null ? [] : [replyMessage(previous.reply)];
  return {
    ...request,
    system: request.system === '' ? previous.request.system : request.system,
    messages: [...previous.request.messages, ...answer, ...request.messages],
    tools: request.tools.length === 0 ? previous.request.tools : request.tools,
  };
}

function callSignature(message: Message): string {
  return canonicalJson((message.toolCalls ?? []).map((call) => [call.name, call.arguments]));
}

function addTo(index: Map<string, Exchange[]>, key: string, exchange: Exchange): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [exchange]);
  else known.push(exchange);
}

/**
 * Remembers what was answered, and finds the answer that a request follows: by the reply id it names, else by the
 * newest assistant message in its history that is one of ours (by call ids, then by calls, then by text).
 */
export class Conversations {
  private readonly byReply = new Map<string, Exchange>();
  private readonly byCall = new Map<string, Exchange>();
  private readonly bySignature = new Map<string, Exchange[]>();
  private readonly byText = new Map<string, Exchange[]>();
  private readonly roots = new Map<Exchange, string>();

  /** Remembers an exchange that has a reply. */
  add(exchange: Exchange): void {
    const { reply } = exchange;
    if (reply === null) return;
    this.byReply.set(reply.id, exchange);
    this.roots.set(exchange, rootOf(exchange.request));
    for (const call of reply.toolCalls) this.byCall.set(call.id, exchange);
    const message = replyMessage(reply);
    if (reply.toolCalls.length > 0) addTo(this.bySignature, callSignature(message), exchange);
    else if (squeeze(message.text) !== '') addTo(this.byText, squeeze(message.text), exchange);
  }

  /** The exchange whose reply has this id. */
  replyWithId(id: string): Exchange | null {
    return this.byReply.get(id) ?? null;
  }

  /** The exchange that a request follows, and the messages that are new since. */
  follow(request: NeutralRequest): { parent: Exchange | null; fresh: Message[] } {
    const root = rootOf(request);
    const { messages } = request;
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const message = messages[index];
      const parent = message?.role === 'assistant' ? this.ownerOf(message, root) : null;
      if (parent !== null) return { parent, fresh: this.since(messages, index, parent, root) };
    }
    return { parent: null, fresh: [...messages] };
  }

  /** Some clients put results between the calls of one reply: everything after its first part is new. */
  private since(messages: readonly Message[], found: number, parent: Exchange, root: string): Message[] {
    let first = found;
    for (let index = found - 1; index >= 0; index -= 1) {
      const message = messages[index];
      if (message?.role === 'user') break;
      if (message?.role !== 'assistant') continue;
      if (this.ownerOf(message, root) !== parent) break;
      first = index;
    }
    return messages
      .slice(first + 1)
      .filter((message, index) => message.role !== 'assistant' || first + 1 + index > found);
  }

  private ownerOf(message: Message, root: string): Exchange | null {
    for (const call of message.toolCalls ?? []) {
      const owner = this.byCall.get(call.id);
      if (owner !== undefined) return owner;
    }
    if (message.toolCalls !== undefined)
      return this.choose(this.bySignature.get(callSignature(message)), root);
    return this.choose(this.byText.get(squeeze(message.text)), root);
  }

  /** The newest candidate of the same conversation; else the newest that a lane gave. */
  private choose(candidates: readonly Exchange[] | undefined, root: string): Exchange | null {
    if (candidates === undefined) return null;
    const same = candidates.findLast((exchange) => this.roots.get(exchange) === root);
    return same ?? candidates.findLast((exchange) => exchange.lane !== null) ?? null;
  }
}
