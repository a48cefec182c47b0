import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider';
import { callModel } from './call.js';
import type { ModelCall, ModelRequest, ModelServices } from './model-call.js';
import { note, streamResult } from './reply.js';
import type { ResolvedModel } from './resolved-model.js';
import { providerUsage } from './usage.js';

/** What every call of a wrapped model has in common: everything of a request that the caller does not give. */
export type CallDefaults = Pick<
  ModelRequest,
  'timeoutMs' | 'signal' | 'retry' | 'cache' | 'trialIndex' | 'caseId' | 'purpose' | 'fallback'
>;

function asResult(call: ModelCall): LanguageModelV3GenerateResult {
  const { usage } = call;
  return {
    content: call.content,
    finishReason: call.finishReason,
    usage: providerUsage({
      input: usage.inputTokens ?? undefined,
      output: usage.outputTokens ?? undefined,
      cacheRead: usage.cacheReadTokens ?? undefined,
      cacheWrite: usage.cacheWriteTokens ?? undefined,
      reasoning: usage.reasoningTokens ?? undefined,
    }),
    warnings: call.warnings.map(note),
    providerMetadata: {
      assay: {
        cost: call.cost,
        downgraded: call.downgraded,
        cached: call.cached,
        tries: call.tries.length,
      },
    },
    ...(call.servedModel === null ? {} : { response: { modelId: call.servedModel } }),
  };
}

function joinSignals(signals: (AbortSignal | undefined)[]): { signal?: AbortSignal } {
  const given = signals.filter((signal) => signal !== undefined);
  const [only] = given;
  if (only === undefined) return {};
  return { signal: given.length === 1 ? only : AbortSignal.any(given) };
}

/**
 * A resolved model as a plain language model whose every call goes through `callModel`: time limits, retries, limits
 * of the account and cost for callers that only know the model interface. `onCall` sees each finished call.
 * `providerMetadata.assay` holds `cost` (US dollars or null), `downgraded`, `cached` and the number of `tries`.
 */
export function asLanguageModel(
  resolved: ResolvedModel,
  defaults: CallDefaults,
  services: ModelServices,
  onCall: (call: ModelCall) => void = () => undefined,
): LanguageModelV3 {
  const generate = async (options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> => {
    const { abortSignal, includeRawChunks: _raw, ...rest } = options;
    const signal = joinSignals([defaults.signal, abortSignal]);
    const call = await callModel(resolved, { ...rest, ...defaults, ...signal }, services);
    onCall(call);
    return asResult(call);
  };
  return {
    specificationVersion: 'v3',
    provider: resolved.model.provider,
    modelId: resolved.model.modelId,
    supportedUrls: resolved.model.supportedUrls,
    doGenerate: generate,
    doStream: async (options) => streamResult(await generate(options)),
  };
}
