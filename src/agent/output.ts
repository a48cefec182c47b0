import { AgentError } from './agent-error.js';
import { nothingObserved, type AgentSession, type Observed } from './agent.js';

/** An answer that was produced elsewhere, taken as the answer of a case with one turn. */
export class OutputSession implements AgentSession {
  private readonly output: string;
  private readonly seen: Observed = { ...nothingObserved(), cost: null };

  constructor(output: string) {
    this.output = output;
  }

  observed(): Observed {
    return this.seen;
  }

  async close(): Promise<void> {
    // Nothing was started.
  }

  async turn(user: string, index: number): Promise<string> {
    if (index > 0) {
      throw new AgentError('setup', 'a stored output answers one turn; this case has several');
    }
    this.seen.messages.push({ role: 'user', text: user }, { role: 'assistant', text: this.output });
    return this.output;
  }
}
