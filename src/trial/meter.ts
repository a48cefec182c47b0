import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { LimitedMetric, TrialLimits } from '../core/index.js';
import { AgentError, reportedCost, type Observed } from '../agent/index.js';

const WORDS: { readonly [Metric in LimitedMetric]: string } = {
  llm_calls: 'model calls',
  tool_calls: 'tool calls',
  total_tokens: 'tokens',
  cost: 'US dollars',
  duration_ms: 'milliseconds',
};

/** The error of a trial that went beyond a limit. */
export function limitError(metric: LimitedMetric, limit: number): AgentError {
  return new AgentError('limit', `the trial's limit of ${limit} ${WORDS[metric]} (${metric}) is reached`);
}

/** What one model call used. `cost` null: nobody knows. */
interface CallUse {
  tokens: number;
  cost: number | null;
}

/**
 * Counts what one trial uses and ends it at its limits. Once a limit is passed every further call fails, so that an
 * agent that catches errors does not go on.
 */
export class TrialMeter {
  /** True when nothing is limited, so that nothing need be counted. */
  readonly idle: boolean;
  private readonly limits: TrialLimits;
  private modelCalls = 0;
  private toolCalls = 0;
  private tokens = 0;
  private cost = 0;
  private passed: AgentError | null = null;

  constructor(limits: TrialLimits) {
    this.limits = limits;
    this.idle = Object.keys(limits).length === 0;
  }

  /** Throws the error of the limit that was passed, if one was. */
  check(): void {
    if (this.passed !== null) throw this.passed;
  }

  /** Before a model call. Throws AgentError `limit` when it would be one too many. */
  beforeModelCall(): void {
    this.check();
    this.refuse('llm_calls', this.modelCalls + 1);
    // Every call uses some: with nothing left it cannot stay within the limit.
    if (this.tokens === this.limits.total_tokens) this.fail('total_tokens');
    if (this.cost > 0 && this.cost === this.limits.cost) this.fail('cost');
    this.modelCalls += 1;
  }

  /** After a model call. Throws AgentError `limit` when it used too much, or when its cost is limited and not known. */
  afterModelCall(use: CallUse): void {
    this.tokens += use.tokens;
    this.refuse('total_tokens', this.tokens);
    this.addCost(use.cost);
  }

  /** Before a tool call. Throws AgentError `limit` when it would be one too many. */
  beforeToolCall(): void {
    this.check();
    this.toolCalls += 1;
    this.refuse('tool_calls', this.toolCalls);
  }

  /** After a turn: agents that call models and tools themselves are held to what they say they used. */
  checkObserved(seen: Observed): void {
    this.check();
    if (this.idle) return;
    this.refuse('llm_calls', seen.llmCalls);
    this.refuse('tool_calls', seen.toolCalls.length);
    this.refuse('total_tokens', seen.inputTokens + seen.outputTokens);
    if (seen.cost !== null) this.refuse('cost', seen.cost);
    // What went through the meter is known, whatever the agent says.
    else if (this.modelCalls === 0) this.addCost(null);
  }

  private addCost(cost: number | null): void {
    const limit = this.limits.cost;
    if (limit === undefined) return;
    if (cost === null) {
      throw (this.passed = new AgentError(
        'limit',
        `the trial's cost is limited to ${limit} US dollars and the cost of a model call is not known; give its price under prices in the configuration, or remove the limit`,
      ));
    }
    this.cost += cost;
    this.refuse('cost', this.cost);
  }

  private refuse(metric: LimitedMetric, used: number): void {
    const limit = this.limits[metric];
    if (limit !== undefined && used > limit) this.fail(metric);
  }

  private fail(metric: LimitedMetric): never {
    throw (this.passed = limitError(metric, this.limits[metric] ?? 0));
  }
}

function tokensOf(usage: LanguageModelV3Usage): number {
  return (usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? 0);
}

/** A model whose calls are counted by a trial's meter. */
export function meteredModel(model: LanguageModelV3, meter: TrialMeter): LanguageModelV3 {
  if (meter.idle) return model;
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      meter.beforeModelCall();
      const reply = await model.doGenerate(options);
      meter.afterModelCall({ tokens: tokensOf(reply.usage), cost: reportedCost(reply) });
      return reply;
    },
    async doStream(options) {
      meter.beforeModelCall();
      const { stream, ...rest } = await model.doStream(options);
      let servedModel: string | undefined;
      const counted = new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform(part, controller) {
          if (part.type === 'response-metadata') servedModel = part.modelId;
          if (part.type === 'finish') {
            const cost = reportedCost({
              ...(part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata }),
              ...(servedModel === undefined ? {} : { response: { modelId: servedModel } }),
            });
            meter.afterModelCall({ tokens: tokensOf(part.usage), cost });
          }
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(counted) };
    },
  };
}
