import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
} from '@ai-sdk/provider';
import type { Source } from '../core/index.js';
import type { ModelLimits } from './limiter.js';
import type { ModelTry } from './model-error.js';
import type { PriceTable } from './price.js';
import type { ResolvedModel } from './resolved-model.js';
import type { RetryPolicy } from './retry.js';
import type { SpendCeiling } from './spend.js';
import type { ModelUsage } from './usage.js';

/**
 * One request to a model: the model interface's own options (`prompt`, `tools`, `toolChoice`, `responseFormat`,
 * `temperature`, `maxOutputTokens`, `seed`, ...) and what Assay needs to make the call.
 */
export interface ModelRequest extends Omit<LanguageModelV3CallOptions, 'abortSignal' | 'includeRawChunks'> {
  /** Put before the prompt as a system message. */
  system?: string;
  /** Time limit of one try, milliseconds. Waiting for a free place does not count. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Replaces parts of the policy of the services. `{maxTries: 1}` switches retries off. */
  retry?: Partial<RetryPolicy>;
  /** Answers from the cache and writes to it. Default false: right for agents, whose trials must be new evidence. */
  cache?: boolean;
  /** 1-based; part of the cache key, so that no two trials share an answer. */
  trialIndex: number;
  /** The case the call is for; '' or absent when there is none. */
  caseId?: string;
  /** What the call is for: `agent`, `judge`, ... */
  purpose: string;
  /** Random texts of this prompt (boundaries), replaced by a constant in the cache key. */
  volatile?: readonly string[];
  /** Asked once, without retries, when the model fails; its answer is flagged as a downgrade. */
  fallback?: ResolvedModel;
}

/** What calls share. */
export interface ModelServices {
  source: Source;
  /** The version of Assay; part of the cache key. */
  version: string;
  /** Directory of the cache; null or absent switches it off for every call. */
  cacheDirectory?: string | null;
  /** Bounds concurrent calls; absent means unbounded. */
  limits?: ModelLimits;
  retry?: RetryPolicy;
  prices?: PriceTable;
  /** What all calls together may cost; absent means no bound. */
  spend?: SpendCeiling;
}

/** An answer and everything known about how it came. */
export interface ModelCall {
  /** The text parts of the answer, joined; '' when it has none. */
  text: string;
  content: LanguageModelV3Content[];
  /** Tokens, summed over all tries that reported them. */
  usage: ModelUsage;
  /** US dollars, summed over all tries that reported it; null when unknown. */
  cost: number | null;
  /** Null when the provider does not say. */
  servedModel: string | null;
  /** Another model answered than the one asked for. */
  downgraded: boolean;
  /** Every try in order, the one that answered last. */
  tries: ModelTry[];
  /** Milliseconds of the try that answered; of a cached answer, those of the original call. */
  latencyMs: number;
  /** The answer is an earlier one: no new evidence, and its cost was paid before. */
  cached: boolean;
  finishReason: LanguageModelV3FinishReason;
  warnings: string[];
}
