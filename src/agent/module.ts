import type { LanguageModelV3 } from '@ai-sdk/provider';
import { canonicalJson, isJsonObject, type JsonValue, type Message } from '../core/index.js';
import { scrubCredentials } from '../tool/index.js';
import { AgentError } from './agent-error.js';
import { nothingObserved, type AgentSession, type Observed, type TrialClock } from './agent.js';

/** What an agent function is given for one turn. */
export interface AgentRequest {
  /** The user's message. */
  prompt: string;
  /** 0-based. */
  turn: number;
  /** The conversation so far, the new message included. */
  messages: readonly Message[];
  /** The model to ask; null when the suite names none. Any AI SDK agent takes it. */
  model: LanguageModelV3 | null;
  /** The trial's private directory. */
  workspace: string;
  signal: AbortSignal;
  caseId: string;
  /** 1-based. */
  trial: number;
}

/** What an agent function may give back: the answer, or the answer with what it did. */
export type AgentAnswer =
  | string
  | {
      text: string;
      toolCalls?: readonly {
        name: string;
        arguments?: JsonValue;
        result?: string;
        ok?: boolean;
        id?: string;
      }[];
      usage?: { inputTokens?: number; outputTokens?: number; cost?: number };
      llmCalls?: number;
    };

/** An agent written as a function: called once a turn. */
export type AgentFunction = (request: AgentRequest) => AgentAnswer | Promise<AgentAnswer>;

/** How a module agent is set up. */
export interface ModuleOptions {
  agent: AgentFunction;
  model: LanguageModelV3 | null;
  workspace: () => string;
  clock: TrialClock;
  signal: AbortSignal;
  caseId: string;
  trial: number;
  /** Ends what the function runs in. */
  release?: () => Promise<void>;
}

/** A conversation with an agent function. */
export class ModuleSession implements AgentSession {
  private readonly options: ModuleOptions;
  private readonly seen: Observed = nothingObserved();

  constructor(options: ModuleOptions) {
    this.options = options;
  }

  observed(): Observed {
    return this.seen;
  }

  async close(): Promise<void> {
    await this.options.release?.();
  }

  async turn(user: string, index: number): Promise<string> {
    const { options, seen } = this;
    seen.messages.push({ role: 'user', text: user });
    const startedAt = options.clock.elapsed();
    const answer: unknown = await options.agent({
      prompt: user,
      turn: index,
      messages: [...seen.messages],
      model: options.model,
      workspace: options.workspace(),
      signal: options.signal,
      caseId: options.caseId,
      trial: options.trial,
    });
    const text = this.take(answer, index, startedAt);
    seen.messages.push({ role: 'assistant', text });
    return text;
  }

  /** Reads what the function gave back; it is the user's code, so nothing is taken on trust. */
  private take(answer: unknown, turn: number, startedAt: number): string {
    const { seen } = this;
    if (typeof answer === 'string') {
      seen.cost = null;
      return answer;
    }
    if (!isJsonObject(answer) || typeof answer['text'] !== 'string') {
      throw new AgentError(
        'agent',
        `turn ${turn + 1}: the agent function must return text or {text}, not ${typeof answer}`,
      );
    }
    const usage = isJsonObject(answer['usage']) ? answer['usage'] : {};
    const amount = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
    seen.inputTokens += amount('inputTokens');
    seen.outputTokens += amount('outputTokens');
    const cost = usage['cost'];
    seen.cost = typeof cost === 'number' && seen.cost !== null ? seen.cost + cost : null;
    seen.llmCalls += typeof answer['llmCalls'] === 'number' ? answer['llmCalls'] : 0;
    const calls = Array.isArray(answer['toolCalls']) ? answer['toolCalls'] : [];
    for (const call of calls) {
      if (!isJsonObject(call) || typeof call['name'] !== 'string') {
        throw new AgentError('agent', `turn ${turn + 1}: every tool call needs a name`);
      }
      seen.toolCalls.push({
        id: typeof call['id'] === 'string' ? call['id'] : `call_${seen.toolCalls.length + 1}`,
        name: call['name'],
        arguments: canonicalJson(call['arguments'] ?? {}),
        result: scrubCredentials(
          typeof call['result'] === 'string' ? call['result'] : canonicalJson(call['result'] ?? ''),
        ),
        ok: call['ok'] !== false,
        turn,
        startedAt,
        durationMs: this.options.clock.elapsed() - startedAt,
      });
    }
    return answer['text'];
  }
}
