import type {
  LanguageModelV3,
  LanguageModelV3FunctionTool,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider';
import {
  canonicalJson,
  errorAdvice,
  errorMessage,
  parseJson,
  type JsonValue,
  type Message,
  type ToolCall,
} from '../core/index.js';
import {
  scrubCredentials,
  ToolSourceError,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from '../tool/index.js';
import { AgentError } from './agent-error.js';
import { nothingObserved, type AgentSession, type Observed, type TrialClock } from './agent.js';
import { readAnswer, type AnswerText } from './answer-text.js';
import { readReply, reportedCost, type RequestedCall } from './reply.js';

const BROKEN_CALL_RETRIES = 2;
const BROKEN_CALL_FEEDBACK =
  'Your reply looked like a tool call but could not be read as one. Call the tool properly, or answer in plain text.';
const BROKEN_CALL_ANSWER = 'I could not complete this request: the tool call could not be read.';
const NO_OUTPUT = '(no output)';

/** How the built-in loop is set up. */
export interface LoopOptions {
  model: LanguageModelV3;
  tools: readonly Tool[];
  /** Model requests in one turn, 1 or more. */
  maxSteps: number;
  system: string | null;
  clock: TrialClock;
  toolContext: ToolContext;
  signal: AbortSignal | null;
  /** Decides before dispatch whether a call may run; returns the reason when it may not. */
  approve?: (tool: string) => string | null;
  /** Called before each dispatch; what it throws ends the turn. */
  beforeCall?: () => void;
  /** Ends what was started for the tools. */
  release?: () => Promise<void>;
}

/**
 * The built-in tool loop, directly over the AI SDK's model interface. One session is one conversation: history is
 * kept across turns. Tool calls of one reply run one after the other, in listed order; a call that cannot be carried
 * out is recorded as failed and the loop goes on.
 */
export class LoopSession implements AgentSession {
  private readonly options: LoopOptions;
  private readonly tools: ReadonlyMap<string, Tool>;
  private readonly registered: ReadonlySet<string>;
  private readonly functionTools: LanguageModelV3FunctionTool[];
  private readonly prompt: LanguageModelV3Prompt = [];
  private readonly seen: Observed = nothingObserved();
  private textCalls = 0;

  constructor(options: LoopOptions) {
    this.options = options;
    this.tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    this.registered = new Set(this.tools.keys());
    this.functionTools = options.tools.map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.parameters,
    }));
    if (options.system !== null) {
      this.push({ role: 'system', content: options.system }, { role: 'system', text: options.system });
    }
  }

  observed(): Observed {
    return this.seen;
  }

  async close(): Promise<void> {
    await this.options.release?.();
  }

  async turn(user: string, index: number): Promise<string> {
    if (user.trim() === '') throw new AgentError('agent', `turn ${index + 1}: the user message is blank`);
    this.push({ role: 'user', content: [{ type: 'text', text: user }] }, { role: 'user', text: user });
    let broken = 0;
    for (let step = 0; step < this.options.maxSteps;) {
      const reply = await this.ask();
      const { text, reasoning, calls } = readReply(reply);
      const answer: AnswerText =
        calls.length > 0 ? { kind: 'answer', text } : readAnswer(text, this.registered);
      if (answer.kind === 'broken-call') {
        // A rejected reply is asked again and leaves no trace in the counters.
        this.seen.llmCalls -= 1;
        this.count(reply, -1);
        broken += 1;
        if (broken > BROKEN_CALL_RETRIES) return this.end(BROKEN_CALL_ANSWER, reasoning);
        this.push(
          { role: 'user', content: [{ type: 'text', text: BROKEN_CALL_FEEDBACK }] },
          { role: 'user', text: BROKEN_CALL_FEEDBACK },
        );
        continue;
      }
      step += 1;
      const requested = answer.kind === 'calls' ? this.fromText(answer.calls) : calls;
      if (requested.length === 0) {
        if (reply.finishReason.unified === 'tool-calls') {
          throw new AgentError('agent', `turn ${index + 1}: the model asked for tools but named none`);
        }
        if (answer.text.trim() === '') {
          throw new AgentError('agent', `turn ${index + 1}: the model gave an empty answer`);
        }
        return this.end(answer.text, reasoning);
      }
      if (step >= this.options.maxSteps) break;
      this.pushCalls(answer.text, reasoning, requested);
      for (const call of requested) await this.dispatch(call, index);
    }
    throw new AgentError(
      'limit',
      `turn ${index + 1}: exceeded maximum tool iterations (${this.options.maxSteps})`,
    );
  }

  private async ask(): Promise<LanguageModelV3GenerateResult> {
    const { model, signal } = this.options;
    signal?.throwIfAborted();
    // Counted before the answer, so that a failed request counts too.
    this.seen.llmCalls += 1;
    const reply = await model.doGenerate({
      prompt: [...this.prompt],
      ...(this.functionTools.length > 0 ? { tools: this.functionTools } : {}),
      ...(signal === null ? {} : { abortSignal: signal }),
    });
    this.count(reply, 1);
    if (reply.response?.modelId !== undefined) this.seen.servedModel = reply.response.modelId;
    return reply;
  }

  private count(reply: LanguageModelV3GenerateResult, sign: 1 | -1): void {
    this.seen.inputTokens += sign * (reply.usage.inputTokens.total ?? 0);
    this.seen.outputTokens += sign * (reply.usage.outputTokens.total ?? 0);
    const cost = reportedCost(reply);
    this.seen.cost = this.seen.cost === null || cost === null ? null : this.seen.cost + sign * cost;
  }

  private push(entry: LanguageModelV3Message, message: Message): void {
    this.prompt.push(entry);
    this.seen.messages.push(message);
  }

  private end(text: string, reasoning: string): string {
    this.push(
      { role: 'assistant', content: [{ type: 'text', text }] },
      { role: 'assistant', text, ...(reasoning === '' ? {} : { reasoning }) },
    );
    return text;
  }

  private fromText(calls: readonly { name: string; arguments: JsonValue }[]): RequestedCall[] {
    return calls.map((call) => {
      this.textCalls += 1;
      return { id: `text_call_${this.textCalls}`, name: call.name, input: canonicalJson(call.arguments) };
    });
  }

  private pushCalls(text: string, reasoning: string, calls: readonly RequestedCall[]): void {
    this.push(
      {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...calls.map((call) => {
            const parsed = parseJson(call.input);
            return {
              type: 'tool-call' as const,
              toolCallId: call.id,
              toolName: call.name,
              input: parsed.ok ? parsed.value : call.input,
            };
          }),
        ],
      },
      {
        role: 'assistant',
        text,
        toolCalls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.input })),
        ...(reasoning === '' ? {} : { reasoning }),
      },
    );
  }

  private async dispatch(call: RequestedCall, turn: number): Promise<void> {
    const denied = this.options.approve?.(call.name) ?? null;
    if (denied !== null) {
      // A denied call never crossed the boundary: the denial stands in the history only.
      this.answer(call, denied, true);
      return;
    }
    this.options.signal?.throwIfAborted();
    this.options.beforeCall?.();
    const startedAt = this.options.clock.elapsed();
    const parsed = parseJson(call.input);
    const outcome = parsed.ok
      ? await this.execute(call.name, parsed.value)
      : { ok: false, text: `Invalid arguments for ${call.name}: not JSON (${parsed.message})` };
    const recorded: ToolCall = {
      id: call.id,
      name: call.name,
      arguments: parsed.ok ? canonicalJson(parsed.value) : call.input,
      result: scrubCredentials(outcome.text),
      ok: outcome.ok,
      turn,
      startedAt,
      durationMs: this.options.clock.elapsed() - startedAt,
    };
    this.seen.toolCalls.push(recorded);
    this.answer(call, outcome.ok ? outcome.text : `Error: ${outcome.text}`, !outcome.ok);
  }

  private async execute(name: string, input: JsonValue): Promise<ToolOutcome> {
    const tool = this.tools.get(name);
    if (tool === undefined) return { ok: false, text: `Unknown tool: ${name}` };
    try {
      const outcome = await tool.execute(input, this.options.toolContext);
      return outcome.ok && outcome.text === '' ? { ok: true, text: NO_OUTPUT } : outcome;
    } catch (error) {
      // A server that died is no answer to the agent: the trial says nothing about it.
      if (error instanceof ToolSourceError) throw new AgentError('setup', errorAdvice(error), error);
      return { ok: false, text: `Tool ${name} failed: ${errorMessage(error)}` };
    }
  }

  private answer(call: RequestedCall, text: string, isError: boolean): void {
    this.push(
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: call.id,
            toolName: call.name,
            output: isError ? { type: 'error-text', value: text } : { type: 'text', value: text },
          },
        ],
      },
      { role: 'tool', text, toolCallId: call.id, toolName: call.name, ...(isError ? { isError } : {}) },
    );
  }
}
