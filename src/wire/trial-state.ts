import type { JsonObject } from '../core/index.js';
import { Attempts, beginsSameTurnAgain, isSticky } from './attempts.js';
import { continued, Conversations, rootOf, stateKeys, type StateKeys } from './conversation.js';
import type { WireError } from './error-reply.js';
import type { Exchange } from './exchange.js';
import { chooseLane, type Asking } from './lane-choice.js';
import { LaneState, type Taken } from './lane-state.js';
import { emptyRequest, firstUserText, offeredNames } from './messages.js';
import type { NeutralRequest, Protocol } from './neutral.js';
import { sideStep } from './reply-build.js';
import { ReplyMaker } from './reply-maker.js';
import { responseItems } from './responses-items.js';
import type { WireScript } from './script.js';
import { exhaustedMessage, unknownReply, unmatchedMessage } from './trial-words.js';

/** What the server does with a request. */
export interface Decision {
  exchange: Exchange;
  /** Milliseconds before the first byte. */
  delayMs: number;
}

/** Time of a trial. */
export interface TrialClock {
  /** Milliseconds since the trial was opened. */
  elapsed(): number;
  /** Unix seconds. */
  seconds(): number;
}

interface Asked extends Asking {
  keys: StateKeys;
  /** The exchange whose state came again; null for a new one. */
  first: Exchange | null;
}

/** Everything that decides what a trial's requests are answered. It knows nothing of HTTP. */
export class TrialState {
  readonly script: WireScript;
  readonly lanes: readonly LaneState[];
  readonly exchanges: Exchange[] = [];
  /** Output items sent, by id, for clients that refer to them. */
  readonly items = new Map<string, JsonObject>();
  private readonly clock: TrialClock;
  private readonly replies: ReplyMaker;
  private readonly conversations = new Conversations<Exchange>();
  private readonly attempts = new Attempts();
  private sides = 0;
  private endedTurns = 0;

  /** @param mark digits that keep this trial's ids apart from those of all others */
  constructor(script: WireScript, mark: string, clock: TrialClock) {
    this.script = script;
    this.clock = clock;
    this.replies = new ReplyMaker(mark, () => clock.seconds());
    this.lanes = script.lanes.map((lane, place) => new LaneState(lane, place));
  }

  /** 0-based user turn that is being answered. */
  get turn(): number {
    return Math.max(0, ...this.lanes.map((lane) => lane.turn));
  }

  /** Ends the user turn: steps it has left are left over, and what comes next belongs to the next turn. */
  endTurn(): void {
    for (const lane of this.lanes) lane.endTurn(this.endedTurns);
    this.endedTurns += 1;
    this.attempts.clear();
  }

  /** Notes that an answer has ended, and whether the client got all of it. */
  settle(exchange: Exchange, delivered: boolean): void {
    if (exchange.delivered !== null) return;
    exchange.delivered = delivered;
    exchange.endedAt = this.clock.elapsed();
  }

  /** Notes a request that could not be read. */
  refuse(protocol: Protocol, error: WireError): Exchange {
    const asking = { request: emptyRequest(protocol), parent: null, fresh: [], twin: false };
    return this.record(asking, { outcome: 'refused', error });
  }

  /** Decides what a request is answered, and uses up what that takes. */
  decide(request: NeutralRequest): Decision {
    const { previous } = request.ids;
    if (previous === null) return this.place({ request, ...this.conversations.follow(request), twin: false });
    const parent = this.conversations.replyWithId(previous);
    if (parent !== null)
      return this.place({
        request: continued(request, parent),
        parent,
        fresh: request.messages,
        twin: false,
      });
    const asking = { request, parent: null, fresh: request.messages, twin: false };
    const error = unknownReply(request.protocol, previous);
    return { exchange: this.record(asking, { outcome: 'refused', error }), delayMs: 0 };
  }

  private place(asking: Asking): Decision {
    const { request, parent, fresh } = asking;
    const keys = stateKeys(request, parent, fresh);
    const { first, twin } = this.attempts.find(keys, request.ids);
    const lane = first === null ? undefined : this.laneNamed(first.lane);
    if (first !== null && !beginsSameTurnAgain(first, lane, request, fresh)) {
      const asked = { ...asking, keys, first };
      if (first.fault === null || isSticky(first.fault)) return this.repeat(asked, first);
      if (lane !== undefined) return this.fromLane(asked, lane);
    }
    if (parent?.outcome === 'fault') this.actedOnBroken(parent);
    return this.choose({ ...asking, twin, keys, first: null });
  }

  private choose(asked: Asked): Decision {
    const choice = chooseLane(this.script, this.lanes, asked, this.givenByDefault());
    if (choice.type === 'lane') {
      if (choice.takenBack) this.takeBack(choice.lane);
      return this.fromLane(asked, choice.lane);
    }
    if (choice.type === 'unmatched') {
      const message = unmatchedMessage(asked.request, this.lanes);
      const error = { status: 400, code: 'script_unmatched', message };
      return this.answer(asked, { outcome: 'unmatched', error });
    }
    this.sides += 1;
    const step = sideStep(asked.request, choice.text);
    return this.answer(asked, {
      outcome: 'side',
      reply: this.replies.make(step, asked.request, `s_${this.sides}`),
    });
  }

  private fromLane(asked: Asked, lane: LaneState): Decision {
    const taken = lane.take(asked.fresh);
    if (asked.parent === null) bind(lane, asked.request);
    const facts = { lane: lane.script.name, turn: lane.hasTurns ? lane.turn : this.turn };
    if (taken.type === 'step') {
      const reply = this.replies.make(taken.step, asked.request, `${lane.place}_${lane.issue()}`);
      return this.answer(asked, { ...facts, outcome: 'step', item: taken.item, reply }, taken.delayMs);
    }
    if (taken.type === 'fault') {
      return this.answer(asked, { ...facts, ...this.faultFacts(asked, lane, taken) }, taken.delayMs);
    }
    const error = { status: 400, code: 'script_exhausted', message: exhaustedMessage(lane) };
    return this.answer(asked, { ...facts, outcome: 'exhausted', error });
  }

  private faultFacts(
    asked: Asked,
    lane: LaneState,
    taken: Extract<Taken, { type: 'fault' }>,
  ): Partial<Exchange> {
    const { fault, spoiled } = taken;
    if (fault.fault === 'status') {
      const message = fault.message ?? `The script says: status ${fault.status}.`;
      return { outcome: 'fault', fault, error: { status: fault.status, code: null, message } };
    }
    if (fault.fault === 'drop' || spoiled === null) return { outcome: 'fault', fault };
    const reply = this.replies.make(spoiled.step, asked.request, `${lane.place}_${lane.issue()}`);
    return { outcome: 'fault', fault, item: spoiled.item, reply };
  }

  private repeat(asked: Asked, first: Exchange): Decision {
    const { outcome, lane, turn, item, reply, fault, error } = first;
    return this.answer(asked, { outcome, lane, turn, item, reply, fault, error, retryOf: first.number });
  }

  private answer(asked: Asked, facts: Partial<Exchange>, delayMs = 0): Decision {
    const exchange = this.record(asked, facts);
    this.attempts.add(asked.keys, exchange, asked.first);
    if (exchange.retryOf === null) this.remember(exchange);
    return { exchange, delayMs };
  }

  private record(asking: Asking, facts: Partial<Exchange>): Exchange {
    const exchange: Exchange = {
      number: this.exchanges.length + 1,
      outcome: 'refused',
      lane: null,
      turn: this.turn,
      item: null,
      retryOf: null,
      parent: asking.parent?.number ?? null,
      request: asking.request,
      fresh: asking.fresh,
      reply: null,
      fault: null,
      error: null,
      delivered: null,
      startedAt: this.clock.elapsed(),
      endedAt: null,
      ...facts,
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  private remember(exchange: Exchange): void {
    this.conversations.add(exchange);
    if (exchange.reply === null || exchange.request.protocol !== 'openai-responses') return;
    for (const { whole } of responseItems(exchange.reply, exchange.request)) {
      if (typeof whole['id'] === 'string') this.items.set(whole['id'], whole);
    }
  }

  private laneNamed(name: string | null): LaneState | undefined {
    return this.lanes.find((lane) => lane.script.name === name);
  }

  private givenByDefault(): Exchange[] {
    const name = this.lanes.find((lane) => lane.script.match === undefined)?.script.name;
    return this.exchanges.filter(
      (exchange) => exchange.outcome === 'step' && exchange.lane === name && exchange.retryOf === null,
    );
  }

  /** The step that the default lane gave to what was a side request goes back into its queue. */
  private takeBack(lane: LaneState): void {
    for (const exchange of this.exchanges) {
      if (exchange.lane !== lane.script.name || exchange.outcome !== 'step') continue;
      if (exchange.retryOf === null && exchange.item !== null) lane.giveBack(exchange.item);
      exchange.outcome = 'side';
      exchange.lane = null;
      exchange.item = null;
    }
  }

  /** A client that returns results for calls of a broken answer has had the step after all. */
  private actedOnBroken(parent: Exchange): void {
    const lane = this.laneNamed(parent.lane);
    if (lane === undefined || parent.item === null) return;
    lane.markUsed(parent.item);
    parent.outcome = 'step';
  }
}

function bind(lane: LaneState, request: NeutralRequest): void {
  lane.roots.add(rootOf(request));
  lane.openings.push(firstUserText(request.messages));
  lane.hasTools ??= offeredNames(request).length > 0;
}
