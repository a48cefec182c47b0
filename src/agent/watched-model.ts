import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { canonicalJson, parseJson, type JsonValue, type Message, type ToolCall } from '../core/index.js';
import { scrubCredentials } from '../tool/index.js';
import { nothingObserved, type Observed, type TrialClock } from './agent.js';
import { readReply, reportedCost, type RequestedCall } from './reply.js';
import type { Witness } from './witness.js';

function argumentsText(input: string): string {
  const parsed = parseJson(input);
  return parsed.ok ? canonicalJson(parsed.value) : input;
}

function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}

function outputText(output: LanguageModelV3ToolResultPart['output']): { text: string; ok: boolean } {
  switch (output.type) {
    case 'text':
      return { text: output.value, ok: true };
    case 'json':
      return { text: canonicalJson(asJson(output.value)), ok: true };
    case 'error-text':
      return { text: output.value, ok: false };
    case 'error-json':
      return { text: canonicalJson(asJson(output.value)), ok: false };
    case 'execution-denied':
      return { text: output.reason ?? 'denied', ok: false };
    case 'content':
      return {
        text: output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n'),
        ok: true,
      };
  }
}

/**
 * A model with a witness in it: it passes everything on to the model behind it and keeps what was asked, called and
 * given back. Any agent that is handed a model can be observed this way, without its doing.
 */
export class WatchedModel implements LanguageModelV3, Witness {
  readonly specificationVersion = 'v3';
  private readonly model: LanguageModelV3;
  private readonly clock: TrialClock;
  private readonly observed: Observed = nothingObserved();
  private readonly calls = new Map<string, ToolCall>();
  private readonly texts: string[] = [];
  private known = 0;
  private turn = 0;

  constructor(model: LanguageModelV3, clock: TrialClock) {
    this.model = model;
    this.clock = clock;
  }

  get provider(): string {
    return this.model.provider;
  }

  get modelId(): string {
    return this.model.modelId;
  }

  get supportedUrls(): LanguageModelV3['supportedUrls'] {
    return this.model.supportedUrls;
  }

  beginTurn(_user: string, turn: number): void {
    this.turn = turn;
  }

  endTurn(): void {
    // The script itself knows whether the turn has something left.
  }

  text(turn: number): string {
    return this.texts[turn] ?? '';
  }

  seen(): Observed | null {
    return this.observed.llmCalls === 0 ? null : this.observed;
  }

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    this.asked(options);
    const reply = await this.model.doGenerate(options);
    this.answered(reply);
    return reply;
  }

  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    this.asked(options);
    const { stream, ...rest } = await this.model.doStream(options);
    const parts: LanguageModelV3StreamPart[] = [];
    const watched = stream.pipeThrough(
      new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform: (part, controller) => {
          parts.push(part);
          if (part.type === 'finish') this.streamed(parts);
          controller.enqueue(part);
        },
      }),
    );
    return { ...rest, stream: watched };
  }

  private asked({ prompt }: LanguageModelV3CallOptions): void {
    this.observed.llmCalls += 1;
    // An agent that begins anew is heard from the beginning; one that keeps its history only says what is new.
    if (prompt.length < this.known) this.known = 0;
    for (const message of prompt.slice(this.known)) this.heard(message);
    this.known = prompt.length;
  }

  private heard(message: LanguageModelV3Prompt[number]): void {
    const { messages } = this.observed;
    if (message.role === 'system') messages.push({ role: 'system', text: message.content });
    else if (message.role === 'user') {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      messages.push({ role: 'user', text });
    } else if (message.role === 'tool') {
      for (const part of message.content) if (part.type === 'tool-result') this.result(part);
    }
    // Assistant messages were heard when the model said them.
  }

  private result(part: LanguageModelV3ToolResultPart): void {
    const { text, ok } = outputText(part.output);
    const call = this.calls.get(part.toolCallId);
    if (call !== undefined) {
      call.result = scrubCredentials(text);
      call.ok = ok;
      call.durationMs = this.clock.elapsed() - call.startedAt;
    }
    this.observed.messages.push({
      role: 'tool',
      text,
      toolCallId: part.toolCallId,
      toolName: part.toolName,
      ...(ok ? {} : { isError: true }),
    });
  }

  private streamed(parts: readonly LanguageModelV3StreamPart[]): void {
    const finish = parts.find((part) => part.type === 'finish');
    if (finish === undefined) return;
    const joined = (type: 'text-delta' | 'reasoning-delta'): string =>
      parts.map((part) => (part.type === type ? part.delta : '')).join('');
    const metadata = parts.find((part) => part.type === 'response-metadata');
    this.answered({
      content: [
        { type: 'reasoning', text: joined('reasoning-delta') },
        { type: 'text', text: joined('text-delta') },
        ...parts.filter((part) => part.type === 'tool-call'),
      ],
      usage: finish.usage,
      finishReason: finish.finishReason,
      warnings: [],
      ...(finish.providerMetadata === undefined ? {} : { providerMetadata: finish.providerMetadata }),
      ...(metadata === undefined ? {} : { response: metadata }),
    });
  }

  private answered(reply: LanguageModelV3GenerateResult): void {
    const { observed } = this;
    observed.inputTokens += reply.usage.inputTokens.total ?? 0;
    observed.outputTokens += reply.usage.outputTokens.total ?? 0;
    const cost = reportedCost(reply);
    observed.cost = observed.cost === null || cost === null ? null : observed.cost + cost;
    if (reply.response?.modelId !== undefined) observed.servedModel = reply.response.modelId;
    const { text, reasoning, calls } = readReply(reply);
    this.texts[this.turn] = calls.length > 0 ? '' : text;
    const message: Message = { role: 'assistant', text };
    if (calls.length > 0) message.toolCalls = calls.map((call) => this.called(call));
    if (reasoning !== '') message.reasoning = reasoning;
    observed.messages.push(message);
    this.known += 1;
  }

  private called({ id, name, input }: RequestedCall): { id: string; name: string; arguments: string } {
    const call: ToolCall = {
      id,
      name,
      arguments: argumentsText(input),
      result: '',
      ok: false,
      turn: this.turn,
      startedAt: this.clock.elapsed(),
      durationMs: 0,
    };
    this.calls.set(id, call);
    this.observed.toolCalls.push(call);
    return { id, name, arguments: call.arguments };
  }
}
