import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { setMaxListeners } from 'node:events';
import { AssayError } from '../core/index.js';
import { cacheKey, readCached, writeCached } from './cache.js';
import { contextOptions } from './call-context.js';
import type { ModelCall, ModelRequest, ModelServices } from './model-call.js';
import { isModelError, ModelError, type ModelTry } from './model-error.js';
import { costFromPrices } from './price.js';
import type { ResolvedModel } from './resolved-model.js';
import { DEFAULT_RETRY, nextWait, type RetryPolicy } from './retry.js';
import { tryOnce, type TryOutcome } from './try-once.js';
import { addCost, addUsage, recordedUsage, type ModelUsage } from './usage.js';
import { wait } from './wait.js';

function callOptions(resolved: ResolvedModel, request: ModelRequest): LanguageModelV3CallOptions {
  const {
    system,
    timeoutMs: _timeoutMs,
    signal: _signal,
    retry: _retry,
    cache: _cache,
    trialIndex,
    caseId,
    purpose,
    volatile: _volatile,
    fallback: _fallback,
    ...options
  } = request;
  return {
    ...options,
    prompt: system === undefined ? request.prompt : [{ role: 'system', content: system }, ...request.prompt],
    providerOptions: {
      ...resolved.options,
      ...request.providerOptions,
      ...contextOptions({ caseId: caseId ?? '', trial: trialIndex, purpose }),
    },
  };
}

function warningText(warning: SharedV3Warning): string {
  if (warning.type === 'other') return warning.message;
  const details = warning.details === undefined ? '' : `: ${warning.details}`;
  return `${warning.type}: ${warning.feature}${details}`;
}

function assayFact(result: LanguageModelV3GenerateResult, name: string): unknown {
  return result.providerMetadata?.['assay']?.[name];
}

/** US dollars of one answer: what its provider reports, else by the price table, else unknown. */
function costOf(
  resolved: ResolvedModel,
  result: LanguageModelV3GenerateResult,
  services: ModelServices,
): number | null {
  const reported = assayFact(result, 'cost');
  if (typeof reported === 'number') return reported;
  const servedModel = result.response?.modelId ?? null;
  return costFromPrices(services.prices, { ref: resolved.ref, servedModel }, recordedUsage(result.usage));
}

/** US dollars of a failed try, as far as it says what it used. */
function costOfFailure(resolved: ResolvedModel, error: ModelError, services: ModelServices): number | null {
  if (error.cost !== null) return error.cost;
  if (error.usage === null) return null;
  return costFromPrices(services.prices, { ref: resolved.ref, servedModel: null }, error.usage);
}

/** One try, within what the run may spend. */
async function paidTry(
  resolved: ResolvedModel,
  options: LanguageModelV3CallOptions,
  request: ModelRequest,
  services: ModelServices,
): Promise<TryOutcome> {
  const { spend } = services;
  if (spend === undefined) return tryOnce(resolved, options, request, services);
  const pass = await spend.enter(resolved.ref, request.signal).catch((error: unknown) => {
    if (AssayError.isInstance(error)) throw error;
    throw new ModelError('cancelled', 'interrupted while waiting for room under the spend ceiling', {
      cause: error,
    });
  });
  try {
    const outcome = await tryOnce(resolved, options, request, services);
    if (outcome.ok) pass.answered(costOf(resolved, outcome.result, services));
    else pass.failed(costOfFailure(resolved, outcome.error, services));
    return outcome;
  } catch (error) {
    pass.failed(null);
    throw error;
  }
}

function recordCall(
  resolved: ResolvedModel,
  result: LanguageModelV3GenerateResult,
  progress: Progress,
  services: ModelServices,
): ModelCall {
  const usage = recordedUsage(result.usage);
  const servedModel = result.response?.modelId ?? null;
  const cost = costOf(resolved, result, services);
  return {
    text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    content: result.content,
    usage: addUsage(progress.usage, usage),
    cost: cost === null ? null : addCost(progress.cost, cost),
    servedModel,
    downgraded: assayFact(result, 'downgraded') === true,
    tries: progress.tries,
    latencyMs: progress.tries.at(-1)?.latencyMs ?? 0,
    cached: false,
    finishReason: result.finishReason,
    warnings: result.warnings.map(warningText),
  };
}

/** What has happened so far: tries are kept and their tokens are never lost. */
interface Progress {
  tries: ModelTry[];
  usage: ModelUsage;
  cost: number | null;
  waitedMs: number;
}

async function attempt(
  resolved: ResolvedModel,
  request: ModelRequest,
  services: ModelServices,
  policy: RetryPolicy,
  progress: Progress,
): Promise<ModelCall> {
  const { source } = services;
  const options = callOptions(resolved, request);
  for (let tried = 1; ; tried += 1) {
    const outcome = await paidTry(resolved, options, request, services);
    if (outcome.ok) {
      progress.tries.push({ status: null, kind: null, waitMs: 0, latencyMs: outcome.latencyMs, error: null });
      return recordCall(resolved, outcome.result, progress, services);
    }
    const { error, latencyMs } = outcome;
    const waitMs = nextWait(policy, error, { tried, waitedMs: progress.waitedMs }, source);
    progress.tries.push({
      status: error.status,
      kind: error.kind,
      waitMs: waitMs ?? 0,
      latencyMs,
      error: error.message,
    });
    if (error.usage !== null) progress.usage = addUsage(progress.usage, error.usage);
    progress.cost = addCost(progress.cost, error.cost);
    if (waitMs === null) throw error;
    progress.waitedMs += waitMs;
    try {
      await wait(waitMs, request.signal);
    } catch {
      throw new ModelError('cancelled', 'interrupted while waiting to try again', {
        cause: request.signal?.reason,
      });
    }
  }
}

/** Failures that another model would share, or that are not the model's. */
const NO_FALLBACK: ReadonlySet<string> = new Set(['cancelled', 'login-needed', 'not-installed', 'request']);

async function attemptOrFallback(
  resolved: ResolvedModel,
  request: ModelRequest,
  services: ModelServices,
): Promise<ModelCall> {
  const policy = { ...(services.retry ?? DEFAULT_RETRY), ...request.retry };
  const nothing: ModelUsage = recordedUsage(undefined);
  const progress: Progress = { tries: [], usage: nothing, cost: null, waitedMs: 0 };
  try {
    try {
      return await attempt(resolved, request, services, policy, progress);
    } catch (error) {
      const { fallback } = request;
      if (fallback === undefined || !isModelError(error) || NO_FALLBACK.has(error.kind)) throw error;
      const call = await attempt(fallback, request, services, { ...policy, maxTries: 1 }, progress);
      const why = `${resolved.ref} failed (${error.kind}), answered by ${fallback.ref}`;
      return { ...call, downgraded: true, warnings: [...call.warnings, why] };
    }
  } catch (error) {
    throw isModelError(error) ? error.withTries(progress.tries) : error;
  }
}

function checkRequest(resolved: ResolvedModel, request: ModelRequest): void {
  if ((request.tools ?? []).length > 0 && !resolved.toolCapable) {
    throw new ModelError('request', `${resolved.ref} cannot be given tools`, {
      fix: 'name a provider (anthropic:, openai:, google:, openai-compatible:) or a module: that exports a language model',
    });
  }
  if (!Number.isFinite(request.timeoutMs) || request.timeoutMs <= 0) {
    throw new RangeError(`timeoutMs must be above 0, not ${request.timeoutMs}`);
  }
}

/**
 * Calls a model: from the cache where that is asked for, within the limits of the account, with a time limit on every
 * try, and again after transient failures. Rejects with a `ModelError` that holds every try when there is no answer;
 * an infrastructure failure is never an answer. Other Assay errors (a script that ran out) pass through unchanged.
 */
export async function callModel(
  resolved: ResolvedModel,
  request: ModelRequest,
  services: ModelServices,
): Promise<ModelCall> {
  checkRequest(resolved, request);
  // One signal ends all calls of a run; Node takes its many listeners for a leak and would print a warning.
  if (request.signal !== undefined) setMaxListeners(0, request.signal);
  const directory = request.cache === true ? (services.cacheDirectory ?? null) : null;
  if (directory === null) return attemptOrFallback(resolved, request, services);
  const key = cacheKey({
    ref: resolved.ref,
    scope: resolved.cacheScope,
    version: services.version,
    trialIndex: request.trialIndex,
    request: callOptions(resolved, request),
    volatile: request.volatile ?? [],
  });
  const known = await readCached(directory, key);
  if (known !== null) return { ...known, cached: true };
  const call = await attemptOrFallback(resolved, request, services);
  const failure = call.downgraded ? null : await writeCached(directory, key, call);
  return failure === null ? call : { ...call, warnings: [...call.warnings, failure] };
}
