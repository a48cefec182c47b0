import { AgentError } from './agent-error.js';
import type { AgentSession, Observed } from './agent.js';

/** Something that stands between an agent and its model, and so knows what the agent really did. */
export interface Witness {
  /** Says that the user's turn begins. */
  beginTurn(user: string, turn: number): void;
  /** Says that the agent has ended its turn. */
  endTurn(turn: number): void;
  /** The model's last words of a turn; '' when there were none. */
  text(turn: number): string;
  /** What passed by; null when nothing did. */
  seen(): Observed | null;
}

/** How an agent and its witness are heard. */
export interface WitnessedOptions {
  agent: AgentSession;
  witness: Witness;
  /**
   * Who says what a turn ended with: the `witness`, for programs whose output is anything, or the `agent`, for those
   * that answer in words.
   */
  text: 'witness' | 'agent';
  /** True when calls that the agent reports itself go before those that were seen. */
  reports: boolean;
}

/** A conversation with an agent of which another tells what it did: not its exit code and not its own words. */
export class WitnessedSession implements AgentSession {
  private readonly options: WitnessedOptions;

  constructor(options: WitnessedOptions) {
    this.options = options;
  }

  async turn(user: string, index: number): Promise<string> {
    const { agent, witness, text } = this.options;
    witness.beginTurn(user, index);
    const said = await agent.turn(user, index);
    this.end(index);
    return text === 'agent' ? said : witness.text(index);
  }

  /** Where agent and script disagree, what the program said of itself is most of the explanation. */
  private end(index: number): void {
    try {
      this.options.witness.endTurn(index);
    } catch (error) {
      const { notes } = this.options.agent.observed();
      if (!(error instanceof AgentError) || notes.length === 0) throw error;
      throw new AgentError(error.kind, [error.message, ...notes].join('\n'), error);
    }
  }

  observed(): Observed {
    const own = this.options.agent.observed();
    const seen = this.options.witness.seen();
    if (seen === null) return own;
    const reported = this.options.reports && own.toolCalls.length > 0;
    return {
      ...seen,
      toolCalls: reported ? own.toolCalls : seen.toolCalls,
      notes: [...own.notes, ...seen.notes],
      extra: { ...own.extra, ...seen.extra },
    };
  }

  close(): Promise<void> {
    return this.options.agent.close();
  }
}

/** The error of a trial in which agent and script disagree. */
export function scriptDisagreement(messages: readonly string[]): AgentError {
  return new AgentError('script', messages.join('\n'));
}
