import type { JsonValue } from '../core/index.js';
import type {
  Transcript,
  TranscriptCall,
  TranscriptFormat,
  TranscriptStep,
  TranscriptTurn,
} from './transcript.js';

/** A reply, or a part of one: forms that write a reply in pieces add it piece by piece. */
export interface ReplyPart {
  text?: string;
  call?: { id: string; name: string; arguments: JsonValue };
}

/** Tokens of the reply that is called `of`; said once or several times. */
export interface ReplyUsage {
  of: string;
  inputTokens: number;
  outputTokens: number;
}

interface OpenStep extends TranscriptStep {
  /** Usage by the reply that said it. */
  usage: Map<string, ReplyUsage>;
}

function joined(left: string, right: string): string {
  if (left === '' || right === '') return left + right;
  return `${left}\n\n${right}`;
}

/**
 * Puts a conversation together from what a transcript says, piece by piece. Pieces of the assistant with nothing in
 * between are one reply: no agent asks its model twice without telling it something new.
 */
export class TranscriptBuilder {
  private readonly turns: { user: string; steps: OpenStep[] }[] = [];
  private readonly counted = new Map<string, number>();
  private readonly calls = new Map<string, TranscriptCall>();
  private system: string | null = null;
  private model: string | null = null;
  private step: OpenStep | null = null;

  /** Something the user said. What is said again before a reply belongs to the same turn. */
  user(text: string): void {
    this.step = null;
    const last = this.turns.at(-1);
    if (last !== undefined && last.steps.length === 0) last.user = joined(last.user, text);
    else this.turns.push({ user: text, steps: [] });
  }

  /** A system prompt; the first one counts. */
  instructions(text: string): void {
    if (text.trim() === '') return;
    if (this.system === null) this.system = text;
    else if (this.system !== text) this.leave('later system message');
  }

  /** The model that replied; the first one counts. */
  served(model: string): void {
    if (model !== '') this.model ??= model;
  }

  /** A piece of a reply. */
  reply(part: ReplyPart): void {
    const turn = this.turns.at(-1);
    if (turn === undefined) {
      this.leave('reply before the user said anything');
      return;
    }
    if (this.step === null) {
      this.step = { text: '', calls: [], inputTokens: 0, outputTokens: 0, usage: new Map() };
      turn.steps.push(this.step);
    }
    const { step } = this;
    if (part.text !== undefined) step.text = joined(step.text, part.text);
    if (part.call !== undefined) {
      const { call } = part;
      const id = call.id === '' || this.calls.has(call.id) ? this.freshId() : call.id;
      const made: TranscriptCall = { ...call, id, result: null, ok: true };
      step.calls.push(made);
      // Results come back under the name that the transcript uses.
      this.calls.set(call.id === '' ? id : call.id, made);
      if (id !== call.id && call.id !== '') this.calls.set(id, made);
    }
  }

  /** What the last reply used. */
  tokens(usage: ReplyUsage): void {
    const step = this.step ?? this.turns.at(-1)?.steps.at(-1);
    step?.usage.set(usage.of, usage);
  }

  /** What a tool gave back. */
  result(id: string, text: string, ok: boolean): void {
    const call = this.calls.get(id) ?? this.unanswered(id);
    if (call === null) {
      this.leave('tool result without its call');
      return;
    }
    this.step = null;
    call.result = call.result === null ? text : joined(call.result, text);
    call.ok &&= ok;
  }

  /** Counts something that has no place in a case; said once, with how often. */
  leave(what: string): void {
    this.counted.set(what, (this.counted.get(what) ?? 0) + 1);
  }

  /** The whole conversation. */
  build(format: TranscriptFormat): Transcript {
    return {
      format,
      system: this.system,
      model: this.model,
      turns: this.turns.map(({ user, steps }): TranscriptTurn => ({ user, steps: steps.map(closed) })),
      notes: [...this.counted].map(
        ([what, count]) => `left out: ${what}${count === 1 ? '' : ` (${count} times)`}`,
      ),
    };
  }

  private freshId(): string {
    let number = this.calls.size + 1;
    while (this.calls.has(`call_${number}`)) number += 1;
    return `call_${number}`;
  }

  /** A result without an id answers the first call of the last reply that has none yet. */
  private unanswered(id: string): TranscriptCall | null {
    if (id !== '') return null;
    return (
      this.turns
        .at(-1)
        ?.steps.at(-1)
        ?.calls.find((call) => call.result === null) ?? null
    );
  }
}

function closed({ usage, ...step }: OpenStep): TranscriptStep {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const each of usage.values()) {
    inputTokens += each.inputTokens;
    outputTokens += each.outputTokens;
  }
  return { ...step, inputTokens, outputTokens };
}
