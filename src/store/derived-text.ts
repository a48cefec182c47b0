import type { Message, ToolCall, TurnRecord } from '../core/index.js';

/**
 * What a conversation repeats. A user message is usually its turn's input, an assistant message its turn's answer, a
 * tool message the result of the call it names. Stored trials leave such text out; writer and reader ask here what
 * stands in its place, in the order of the messages, so that what was left out comes back exactly.
 */
export class DerivedText {
  readonly #turns: readonly TurnRecord[];
  /** Null when there are none, as for most prompts. */
  readonly #calls: Map<string, ToolCall> | null;
  #turn = -1;

  constructor(turns: readonly TurnRecord[], toolCalls: readonly ToolCall[]) {
    this.#turns = turns;
    this.#calls = toolCalls.length === 0 ? null : new Map();
    for (const call of toolCalls) if (this.#calls?.has(call.id) === false) this.#calls.set(call.id, call);
  }

  /** The text that the next message is expected to have; undefined when nothing tells. */
  next(message: Pick<Message, 'role' | 'toolCallId'>): string | undefined {
    switch (message.role) {
      case 'user':
        this.#turn += 1;
        return this.#turns[this.#turn]?.user;
      case 'assistant':
        return this.#turns[this.#turn]?.text;
      case 'tool':
        return message.toolCallId === undefined ? undefined : this.#calls?.get(message.toolCallId)?.result;
      case 'system':
        return undefined;
    }
  }

  /** The arguments that the call with this id was dispatched with. */
  argumentsOf(id: string): string | undefined {
    return this.#calls?.get(id)?.arguments;
  }
}
