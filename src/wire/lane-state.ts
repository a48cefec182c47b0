import type { Message } from '../core/index.js';
import { squeeze, userText } from './messages.js';
import { stepsOf, type LaneScript, type WireFault, type WireItem, type WireStep } from './script.js';

/** Items of a lane that no request came for. */
export interface Leftover {
  lane: string;
  /** 0-based user turn; 0 in a lane without turns. */
  turn: number;
  items: WireItem[];
}

/** What a lane gives a request. `step` of a fault is the step it spoils, which stays in the queue. */
export type Taken =
  | { type: 'step'; item: number; step: WireStep; delayMs: number }
  | {
      type: 'fault';
      item: number;
      fault: WireFault;
      spoiled: { item: number; step: WireStep } | null;
      delayMs: number;
    }
  | { type: 'exhausted' };

/** The queue of one lane: what has been used, which turn it is in, which conversations it has taken. */
export class LaneState {
  readonly script: LaneScript;
  /** 0-based place among the lanes. */
  readonly place: number;
  /** Roots of the conversations that this lane has taken. */
  readonly roots = new Set<string>();
  /** What the user said first in each of them. */
  readonly openings: string[] = [];
  /** Whether the conversations of this lane offer tools; null until it has taken one. */
  hasTools: boolean | null = null;
  readonly skipped: Leftover[] = [];
  private cursor = 0;
  private current = -1;
  private lastEnded = false;
  private untouched = false;
  private issued = 0;

  constructor(script: LaneScript, place: number) {
    this.script = script;
    this.place = place;
  }

  /** 0-based user turn that is being answered. */
  get turn(): number {
    return Math.max(0, this.current);
  }

  /** False for a lane whose items answer whatever the user's turn is. */
  get hasTurns(): boolean {
    return this.script.items.some((item) => item.type === 'turn');
  }

  get isBound(): boolean {
    return this.roots.size > 0;
  }

  get hasItems(): boolean {
    return this.cursor < this.script.items.length;
  }

  /** User text of the turn that the next request must begin; null when the queue is not between turns. */
  get expectedUser(): string | null {
    const item = this.script.items[this.cursor];
    return item?.type === 'turn' ? item.user : null;
  }

  /** User text of the turn that is being answered; null in a lane without turns. */
  get currentUser(): string | null {
    return this.script.items.filter((item) => item.type === 'turn')[this.current]?.user ?? null;
  }

  get nextStep(): WireStep | null {
    return stepsOf(this.script.items.slice(this.cursor))[0] ?? null;
  }

  /** A number that this lane has not given out before. */
  issue(): number {
    this.issued += 1;
    return this.issued;
  }

  /** Puts the queue back before an item, for a conversation that has a better claim. */
  giveBack(item: number): void {
    this.cursor = item;
    this.lastEnded = false;
    this.roots.clear();
    this.openings.length = 0;
    this.hasTools = null;
  }

  /** Counts a step as used, because the client acted on it although its answer was broken off. */
  markUsed(item: number): void {
    if (this.cursor === item) this.cursor = item + 1;
  }

  /** Ends the user turn `turn`: what it has left is left over, and the next request begins the next turn. */
  endTurn(turn: number): void {
    if (!this.hasTurns || this.current > turn) return;
    if (this.current < turn && this.expectedUser !== null) this.enterTurn();
    this.skipTurn();
    if (this.expectedUser === null) return;
    this.enterTurn();
    this.untouched = true;
  }

  /** User text of the turn that the next request begins, also where the driver has said that it begins; else null. */
  get openingUser(): string | null {
    return this.expectedUser ?? (this.untouched ? this.currentUser : null);
  }

  /** What was never asked for, turn by turn. */
  leftovers(): Leftover[] {
    const left = [...this.skipped];
    let turn = this.current;
    for (const item of this.script.items.slice(this.cursor)) {
      if (item.type === 'turn') turn += 1;
      else {
        const last = left.at(-1);
        if (last?.turn === Math.max(0, turn) && left.length > this.skipped.length) last.items.push(item);
        else left.push({ lane: this.script.name, turn: Math.max(0, turn), items: [item] });
      }
    }
    return left;
  }

  /**
   * Takes what comes next for a request that brings these messages. The queue never crosses into a turn whose user
   * text has not come; when the text of the next turn comes early, the rest of this turn is left over.
   */
  take(fresh: readonly Message[]): Taken {
    this.untouched = false;
    this.skipAhead(fresh);
    if (this.expectedUser !== null) {
      if (this.current >= 0 && !brings(fresh, this.expectedUser)) return { type: 'exhausted' };
      this.enterTurn();
    }
    let delayMs = 0;
    for (;;) {
      const item = this.script.items[this.cursor];
      if (item === undefined || item.type === 'turn') return { type: 'exhausted' };
      const place = this.cursor;
      this.cursor += 1;
      if (item.type !== 'fault') {
        this.lastEnded = item.type !== 'tool_calls';
        return { type: 'step', item: place, step: item, delayMs };
      }
      if (item.fault !== 'slow') {
        return { type: 'fault', item: place, fault: item, spoiled: this.upcoming(), delayMs };
      }
      delayMs += item.firstByteMs;
    }
  }

  private upcoming(): { item: number; step: WireStep } | null {
    for (let index = this.cursor; index < this.script.items.length; index += 1) {
      const item = this.script.items[index];
      if (item === undefined || item.type === 'turn') return null;
      if (item.type !== 'fault') return { item: index, step: item };
    }
    return null;
  }

  private enterTurn(): void {
    this.lastEnded = false;
    this.cursor += 1;
    this.current += 1;
  }

  private skipTurn(): void {
    const rest = this.script.items.slice(this.cursor);
    const end = rest.findIndex((item) => item.type === 'turn');
    const items = end === -1 ? rest : rest.slice(0, end);
    if (items.length > 0) this.skipped.push({ lane: this.script.name, turn: this.turn, items });
    this.cursor += items.length;
  }

  private skipAhead(fresh: readonly Message[]): void {
    if (!this.lastEnded || this.expectedUser !== null) return;
    const next = this.script.items.slice(this.cursor).find((item) => item.type === 'turn');
    if (next === undefined || ['', squeeze(this.currentUser ?? '')].includes(squeeze(next.user))) return;
    if (fresh.some((message) => message.role === 'tool') || !brings(fresh, next.user)) return;
    this.skipTurn();
  }
}

/** True when the user messages of a list hold a text, white space compared loosely. */
export function brings(fresh: readonly Message[], user: string): boolean {
  return squeeze(userText(fresh)).includes(squeeze(user));
}
