import type { LanguageModelV3, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { AgentError } from './agent-error.js';
import { nothingObserved, type AgentSession, type Observed } from './agent.js';
import { stripMarkers } from './answer-text.js';
import { readReply, reportedCost } from './reply.js';

/** How a prompt agent is set up. */
export interface PromptOptions {
  model: LanguageModelV3;
  /** The whole system text, evaluation context included. */
  system: string;
  signal: AbortSignal | null;
}

/** One inference a turn, no tools; history is kept across turns. */
export class PromptSession implements AgentSession {
  private readonly options: PromptOptions;
  private readonly prompt: LanguageModelV3Prompt;
  private readonly seen: Observed = nothingObserved();

  constructor(options: PromptOptions) {
    this.options = options;
    this.prompt = [{ role: 'system', content: options.system }];
    this.seen.messages.push({ role: 'system', text: options.system });
  }

  observed(): Observed {
    return this.seen;
  }

  async close(): Promise<void> {
    // Nothing outlives a turn.
  }

  async turn(user: string, index: number): Promise<string> {
    if (user.trim() === '') throw new AgentError('agent', `turn ${index + 1}: the user message is blank`);
    this.prompt.push({ role: 'user', content: [{ type: 'text', text: user }] });
    this.seen.messages.push({ role: 'user', text: user });
    this.seen.llmCalls += 1;
    const { model, signal } = this.options;
    const reply = await model.doGenerate({
      prompt: [...this.prompt],
      ...(signal === null ? {} : { abortSignal: signal }),
    });
    this.seen.inputTokens += reply.usage.inputTokens.total ?? 0;
    this.seen.outputTokens += reply.usage.outputTokens.total ?? 0;
    const cost = reportedCost(reply);
    this.seen.cost = this.seen.cost === null || cost === null ? null : this.seen.cost + cost;
    if (reply.response?.modelId !== undefined) this.seen.servedModel = reply.response.modelId;
    if (reply.providerMetadata?.['assay']?.['downgraded'] === true) {
      this.seen.notes.push(`turn ${index + 1} was answered by another model than the one asked for`);
    }
    const { text: raw, reasoning } = readReply(reply);
    const text = stripMarkers(raw).trim();
    this.prompt.push({ role: 'assistant', content: [{ type: 'text', text }] });
    this.seen.messages.push({ role: 'assistant', text, ...(reasoning === '' ? {} : { reasoning }) });
    return text;
  }
}
