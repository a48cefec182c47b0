import { join } from 'node:path';
import type { LoadedConfig } from '../config/index.js';
import { assayVersion, type Source } from '../core/index.js';
import {
  createLimits,
  parseModelRef,
  resolveLevel,
  resolveModel,
  retryPolicy,
  type ModelContext,
  type ModelServices,
  type ResolvedModel,
} from '../model/index.js';
import type { RunFlags } from './commands/run.js';
import { refuseBilling } from './no-spend.js';
import { storeRoot } from './run-store.js';

/** What models, agents and judges are prepared in. */
export interface AgentsContext {
  flags: RunFlags;
  loaded: LoadedConfig;
  cwd: string;
  source: Source;
  /** Fires when running calls are to be given up. */
  cancel: AbortSignal;
  /** Clock, cache, limits, retries and prices of every model call of the run: made once, so that limits hold. */
  services: ModelServices;
}

/** What the model calls of one run share. */
export function modelServices(loaded: LoadedConfig, source: Source, cache: boolean): ModelServices {
  const { config } = loaded;
  return {
    source,
    version: assayVersion(),
    cacheDirectory: cache ? join(storeRoot(loaded), 'cache') : null,
    limits: createLimits(source, config.concurrency),
    retry: retryPolicy(config.retry),
    ...(config.prices === undefined ? {} : { prices: config.prices }),
  };
}

/** Where references to models are resolved. */
export function modelPlace(context: Pick<AgentsContext, 'loaded' | 'cwd' | 'source'>): ModelContext {
  const { loaded, cwd, source } = context;
  return {
    directory: loaded.file === null ? cwd : loaded.root,
    environment: process.env,
    source,
    config: loaded.config,
  };
}

/** A model with the time it may take. */
export interface ChosenModel {
  resolved: ResolvedModel;
  timeoutMs: number;
  fallback: ResolvedModel | null;
}

/**
 * The model named, else the one its level stands for.
 * @param least milliseconds that one call gets at least
 * @throws AssayError or ModelError before anything is asked
 */
export async function chooseModel(
  named: string | null,
  level: string,
  least: number,
  context: AgentsContext,
): Promise<ChosenModel> {
  const { loaded, flags } = context;
  const chosen = resolveLevel(level, loaded.config);
  const within = modelPlace(context);
  if (named !== null && named !== '') {
    const ref = parseModelRef(named);
    refuseBilling(ref, flags);
    const resolved = await resolveModel(ref, within);
    return { resolved, timeoutMs: Math.max(chosen.timeoutMs, least), fallback: null };
  }
  refuseBilling(chosen.ref, flags);
  refuseBilling(chosen.fallback, flags);
  const settings = { ...within, effort: chosen.effort, thinking: chosen.thinking };
  return {
    resolved: await resolveModel(chosen.ref, settings),
    timeoutMs: Math.max(chosen.timeoutMs, least),
    fallback: chosen.fallback === null ? null : await resolveModel(chosen.fallback, settings),
  };
}
