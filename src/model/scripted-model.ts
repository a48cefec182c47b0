import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { AssayError, canonicalJson, clip, plural, quote, type ScriptedStep } from '../core/index.js';
import { lastMessageText } from './prompt-text.js';

/** The script and the agent disagree: too many requests, too few, or a turn out of order. */
export class ScriptError extends AssayError {
  constructor(message: string) {
    super('SCRIPT', message);
    this.name = 'ScriptError';
  }
}

function describeStep(step: ScriptedStep): string {
  if (step.type !== 'tool_calls') return `${step.type} ${quote(clip(step.content, 40))}`;
  return `calls ${step.toolCalls.map((call) => call.name).join(', ') || '(none)'}`;
}

function usageOf(step: ScriptedStep): LanguageModelV3Usage {
  return {
    inputTokens: { total: step.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: step.outputTokens, text: undefined, reasoning: undefined },
  };
}

function contentOf(step: ScriptedStep): LanguageModelV3Content[] {
  const before: LanguageModelV3Content[] = [];
  if (step.reasoning !== undefined) before.push({ type: 'reasoning', text: step.reasoning });
  if (step.content !== undefined) before.push({ type: 'text', text: step.content });
  if (step.type !== 'tool_calls') return before;
  const calls = step.toolCalls.map((call): LanguageModelV3Content => ({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: canonicalJson(call.arguments),
  }));
  return before.length === 0 ? calls : [...before, ...calls];
}

function finishReasonOf(step: ScriptedStep): LanguageModelV3FinishReason {
  if (step.type === 'tool_calls') return { unified: 'tool-calls', raw: 'tool_calls' };
  return step.type === 'refusal'
    ? { unified: 'content-filter', raw: 'refusal' }
    : { unified: 'stop', raw: step.finishReason ?? 'stop' };
}

/** The parts of a streamed reply, in the order in which the AI SDK wants them. */
function streamParts(reply: LanguageModelV3GenerateResult): LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: [] }];
  if (reply.response !== undefined) parts.push({ type: 'response-metadata', ...reply.response });
  reply.content.forEach((part, index) => {
    const id = String(index);
    if (part.type === 'text') {
      parts.push(
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: part.text },
        { type: 'text-end', id },
      );
    } else if (part.type === 'reasoning') {
      parts.push(
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: part.text },
        { type: 'reasoning-end', id },
      );
    } else if (part.type === 'tool-call') {
      parts.push(
        { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName },
        { type: 'tool-input-delta', id: part.toolCallId, delta: part.input },
        { type: 'tool-input-end', id: part.toolCallId },
        part,
      );
    }
  });
  parts.push({ type: 'finish', usage: reply.usage, finishReason: reply.finishReason });
  return parts;
}

/**
 * A model that answers from a script: one queue per turn, first in, first out. It never looks at what the agent
 * sent, it never borrows from the next turn, and it says so when agent and script disagree. It speaks the AI SDK's
 * language-model interface, so any AI SDK agent can be driven by it; the driver calls `endTurn` after each turn.
 */
export class ScriptedModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'assay.scripted';
  readonly modelId = 'scripted';
  readonly supportedUrls: Record<string, RegExp[]> = {};
  private readonly name: string;
  private readonly turns: readonly (readonly ScriptedStep[])[];
  private turn = 0;
  private step = 0;
  private spent = 0;

  /**
   * @param name identity of the case, for messages
   * @param turns the steps of every turn, in order
   * @throws ScriptError when a turn has no steps
   */
  constructor(name: string, turns: readonly (readonly ScriptedStep[] | null)[]) {
    this.name = name;
    this.turns = turns.map((steps, index) => {
      if (steps === null || steps.length === 0) {
        throw new ScriptError(
          `case ${quote(name)}, turn ${index + 1}: no scripted steps; replay needs at least one model reply per turn`,
        );
      }
      return steps;
    });
  }

  /** 0-based index of the turn that is being answered. */
  get currentTurn(): number {
    return this.turn;
  }

  /** Milliseconds that the replies so far took, as the script says; 0 where it says nothing. */
  elapsed(): number {
    return this.spent;
  }

  private take(options: LanguageModelV3CallOptions): LanguageModelV3GenerateResult {
    const steps = this.turns[this.turn];
    const step = steps?.[this.step];
    if (step === undefined) throw this.exhausted(steps ?? [], options);
    const reply: LanguageModelV3GenerateResult = {
      content: contentOf(step),
      finishReason: finishReasonOf(step),
      usage: usageOf(step),
      warnings: [],
      response: {
        id: `scripted-${this.turn + 1}-${this.step + 1}`,
        timestamp: new Date(0),
        modelId: this.modelId,
      },
    };
    this.step += 1;
    this.spent += step.durationMs ?? 0;
    return reply;
  }

  private exhausted(steps: readonly ScriptedStep[], options: LanguageModelV3CallOptions): ScriptError {
    const held = steps.map(describeStep).join('; ') || 'nothing';
    const asked = lastMessageText(options.prompt);
    const where =
      this.turn < this.turns.length
        ? `turn ${this.turn + 1}: script exhausted: the agent asked for model reply ${this.step + 1}, the script holds ${steps.length} (${held})`
        : `the agent asked for a model reply after the end of the script (${plural(this.turns.length, 'turn')})`;
    return new ScriptError(`case ${quote(this.name)}, ${where}. It was asked: ${asked}`);
  }

  /** Answers with the next step of the current turn. Rejects with ScriptError when the turn has no more. */
  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    return this.take(options);
  }

  /** The same answer as `doGenerate`, as a stream of whole parts. */
  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const parts = streamParts(this.take(options));
    return {
      stream: new ReadableStream<LanguageModelV3StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    };
  }

  /**
   * Ends a turn and moves on to the next. What makes green mean something: a script that claims more round trips than
   * happened is an error, on the last turn too.
   * @param turn 0-based index of the turn that the driver has just finished
   * @throws ScriptError for unrequested steps, a turn that is not the current one, or a turn past the end
   */
  endTurn(turn: number): void {
    if (this.turn >= this.turns.length) {
      throw new ScriptError(
        `case ${quote(this.name)}: turn ${turn + 1} ended, but the script has only ${plural(this.turns.length, 'turn')}`,
      );
    }
    if (turn !== this.turn) {
      throw new ScriptError(
        `case ${quote(this.name)}: turn ${turn + 1} ended while the script was at turn ${this.turn + 1}`,
      );
    }
    const left = (this.turns[this.turn] ?? []).slice(this.step);
    if (left.length > 0) {
      throw new ScriptError(
        `case ${quote(this.name)}, turn ${turn + 1}: ${plural(left.length, 'scripted step')} never requested (${left.map(describeStep).join('; ')}); the agent made ${plural(this.step, 'model request')}`,
      );
    }
    this.turn += 1;
    this.step = 0;
  }
}
