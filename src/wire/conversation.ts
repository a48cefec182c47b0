import { canonicalJson, sha256, type Message } from '../core/index.js';
import { senderOf } from './lane-match.js';
import { firstUserText, offeredNames, replyMessage, squeeze } from './messages.js';
import type { NeutralReply, NeutralRequest } from './neutral.js';

/** What conversations are told apart by: a request and the reply it got. */
export interface Answered {
  number: number;
  /** Null for an answer beside the script. */
  lane?: string | null;
  request: NeutralRequest;
  reply: NeutralReply | null;
}

const ROOTS = new WeakMap<NeutralRequest, string>();

/** What a conversation starts from: system prompt and first user message. */
export function rootOf(request: NeutralRequest): string {
  const known = ROOTS.get(request);
  if (known !== undefined) return known;
  const root = sha256(canonicalJson([request.system, firstUserText(request.messages)]));
  ROOTS.set(request, root);
  return root;
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
  parent: Answered | null,
  fresh: readonly Message[],
): StateKeys {
  const said = fresh.map(({ reasoning: _reasoning, ...message }) => message);
  const state = [parent?.number ?? 0, said, offeredNames(request), senderOf(request)];
  const loose = sha256(canonicalJson(state));
  return { loose, exact: sha256(canonicalJson([loose, rootOf(request), request.model])) };
}

/** A continuation with the remembered history, prompt and tools put in front of what it brings. */
export function continued(request: NeutralRequest, previous: Answered): NeutralRequest {
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

function addTo<Item>(index: Map<string, Item[]>, key: string, item: Item): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [item]);
  else known.push(item);
}

function answersIn(messages: readonly Message[]): number {
  return messages.filter((message) => message.role === 'assistant').length;
}

/**
 * Remembers what was answered, and finds the answer that a request follows: by the reply id it names, else by the
 * newest assistant message in its history that is one of ours (by call ids, then by calls, then by text).
 */
export class Conversations<Item extends Answered> {
  private readonly byReply = new Map<string, Item>();
  private readonly byCall = new Map<string, Item>();
  private readonly bySignature = new Map<string, Item[]>();
  private readonly byText = new Map<string, Item[]>();
  private readonly roots = new Map<Item, string>();
  private readonly depths = new Map<Item, number>();

  /** Remembers an exchange that has a reply. */
  add(exchange: Item): void {
    const { reply } = exchange;
    if (reply === null) return;
    if (reply.id !== '') this.byReply.set(reply.id, exchange);
    this.roots.set(exchange, rootOf(exchange.request));
    this.depths.set(exchange, answersIn(exchange.request.messages));
    for (const call of reply.toolCalls) if (call.id !== '') this.byCall.set(call.id, exchange);
    const message = replyMessage(reply);
    if (reply.toolCalls.length > 0) addTo(this.bySignature, callSignature(message), exchange);
    else if (squeeze(message.text) !== '') addTo(this.byText, squeeze(message.text), exchange);
  }

  /** The exchange whose reply has this id. */
  replyWithId(id: string): Item | null {
    return this.byReply.get(id) ?? null;
  }

  /** The exchange that a request follows, and the messages that are new since. */
  follow(request: NeutralRequest): { parent: Item | null; fresh: Message[] } {
    const root = rootOf(request);
    const { messages } = request;
    let depth = answersIn(messages);
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const message = messages[index];
      if (message?.role !== 'assistant') continue;
      depth -= 1;
      const parent = this.ownerOf(message, root, depth);
      if (parent !== null) return { parent, fresh: this.since(messages, index, parent) };
    }
    return { parent: null, fresh: [...messages] };
  }

  /** Some clients put results between the calls of one reply: everything after its first part is new. */
  private since(messages: readonly Message[], found: number, parent: Item): Message[] {
    const ids = (parent.reply?.toolCalls ?? []).map((call) => call.id).filter((id) => id !== '');
    let first = found;
    for (let index = found - 1; index >= 0; index -= 1) {
      const message = messages[index];
      if (message?.role === 'user') break;
      if (message?.role !== 'assistant') continue;
      if (message.toolCalls?.some((call) => ids.includes(call.id)) !== true) break;
      first = index;
    }
    return messages
      .slice(first + 1)
      .filter((message, index) => message.role !== 'assistant' || first + 1 + index > found);
  }

  private ownerOf(message: Message, root: string, depth: number): Item | null {
    for (const call of message.toolCalls ?? []) {
      const owner = this.byCall.get(call.id);
      if (owner !== undefined) return owner;
    }
    const alike =
      message.toolCalls === undefined
        ? this.byText.get(squeeze(message.text))
        : this.bySignature.get(callSignature(message));
    return this.choose(alike ?? [], root, depth);
  }

  /**
   * Of several answers that look the same: the one of the same conversation and as far into it, else the newest of
   * the same conversation, else the newest that is part of the script.
   */
  private choose(candidates: readonly Item[], root: string, depth: number): Item | null {
    const same = candidates.filter((exchange) => this.roots.get(exchange) === root);
    return (
      same.find((exchange) => this.depths.get(exchange) === depth) ??
      same.at(-1) ??
      candidates.findLast((exchange) => exchange.lane !== null) ??
      null
    );
  }
}
