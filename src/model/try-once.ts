import type { LanguageModelV3CallOptions, LanguageModelV3GenerateResult } from '@ai-sdk/provider';
import { AssayError } from '../core/index.js';
import type { ModelRequest, ModelServices } from './model-call.js';
import { classifyFailure } from './classify.js';
import type { Permit } from './limiter.js';
import { isModelError, ModelError } from './model-error.js';
import { redactKeys } from './redact.js';
import type { ResolvedModel } from './resolved-model.js';
import { recordedUsage } from './usage.js';
import { abortReason, startDeadline } from './wait.js';

/** How one try ended. */
export type TryOutcome =
  | { ok: true; result: LanguageModelV3GenerateResult; latencyMs: number }
  | { ok: false; error: ModelError; latencyMs: number };

/**
 * Waits for work that was told to stop by a signal, but no longer than `settleMs` after that: a model that ignores the
 * signal must not hold the run, and one that ends its processes must be let.
 */
async function settleBy<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  settleMs: number,
): Promise<Result> {
  const impatient = new AbortController();
  const giveUp = new Promise<never>((_resolve, reject) => {
    const stop = (): void => {
      const timer = setTimeout(() => {
        reject(abortReason(signal));
      }, settleMs);
      impatient.signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    };
    signal.addEventListener('abort', stop, { once: true, signal: impatient.signal });
  });
  try {
    return await Promise.race([work, giveUp]);
  } finally {
    impatient.abort();
  }
}

function checkResult(result: LanguageModelV3GenerateResult): void {
  // A model of the user's may be plain JavaScript, so what the types promise is checked.
  const reason: unknown = result?.finishReason?.unified;
  if (!Array.isArray(result?.content) || !Array.isArray(result.warnings) || typeof reason !== 'string') {
    throw new ModelError(
      'invalid-reply',
      'the model returned something else than a result of specification v3',
    );
  }
  const used = { usage: recordedUsage(result.usage) };
  if (reason === 'error')
    throw new ModelError('invalid-reply', 'the model ended its reply with an error', used);
  if (reason === 'content-filter' && result.content.every((part) => part.type === 'reasoning')) {
    throw new ModelError('refusal', 'the provider gave no answer: content filter', used);
  }
}

async function enter(
  resolved: ResolvedModel,
  services: ModelServices,
  signal?: AbortSignal,
): Promise<Permit> {
  if (services.limits === undefined) return { release: () => undefined };
  try {
    return await services.limits.of(resolved.limitKey).acquire(signal);
  } catch (error) {
    throw new ModelError('cancelled', 'interrupted while waiting for a free place', { cause: error });
  }
}

function withoutSecrets(error: ModelError, secrets: readonly string[]): ModelError {
  const message = redactKeys(error.message, secrets);
  if (message === error.message) return error;
  const { kind, status, retryAfterMs, output, fix, usage, cost } = error;
  return new ModelError(kind, message, { status, retryAfterMs, output, fix, usage, cost });
}

/** Makes one try, under the limits of the account and the time limit of the request. */
export async function tryOnce(
  resolved: ResolvedModel,
  options: LanguageModelV3CallOptions,
  request: ModelRequest,
  services: ModelServices,
): Promise<TryOutcome> {
  const { source } = services;
  const permit = await enter(resolved, services, request.signal).catch((error: unknown) => {
    if (isModelError(error)) return error;
    throw error;
  });
  if (permit instanceof Error) return { ok: false, error: permit, latencyMs: 0 };
  const deadline = startDeadline(request.timeoutMs, request.signal);
  const started = source.monotonic();
  const ask = async (): Promise<LanguageModelV3GenerateResult> =>
    resolved.model.doGenerate({ ...options, abortSignal: deadline.signal });
  try {
    if (deadline.signal.aborted) throw abortReason(deadline.signal);
    const result = await settleBy(ask(), deadline.signal, resolved.settleMs);
    checkResult(result);
    permit.release('answered');
    return { ok: true, result, latencyMs: source.monotonic() - started };
  } catch (thrown) {
    const latencyMs = source.monotonic() - started;
    // A script that ran out and the like is not a failure of the model.
    if (AssayError.isInstance(thrown) && !isModelError(thrown)) {
      permit.release('failed');
      throw thrown;
    }
    const otherwise = resolved.kind === 'module' ? 'module' : 'invalid-reply';
    const error = withoutSecrets(
      classifyFailure(thrown, deadline.signal, source.now(), otherwise),
      resolved.secrets,
    );
    permit.release(error.kind === 'rate-limit' ? 'rate-limited' : 'failed', error.retryAfterMs);
    return { ok: false, error, latencyMs };
  } finally {
    deadline.close();
  }
}
