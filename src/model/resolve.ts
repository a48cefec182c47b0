import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { AssayError, errorMessage, moduleContent, quote, type Source } from '../core/index.js';
import { claudeAdapter } from './claude-cli.js';
import { codexAdapter } from './codex-cli.js';
import type { ModelsConfig } from './config.js';
import { findProgram, isRunnable, type Environment } from './find-program.js';
import { geminiAdapter } from './gemini-cli.js';
import { modelIdentity } from './identity.js';
import type { Effort, Thinking } from './level-names.js';
import { ModelError } from './model-error.js';
import { loadModuleModel } from './module-model.js';
import { createChatModel } from './openai-compatible.js';
import { readOutputs } from './outputs.js';
import { createOutputsModel } from './outputs-model.js';
import { createProgramModel, type ProgramAdapter } from './program-model.js';
import { createProviderModel } from './provider.js';
import { parseModelRef, type ModelRef } from './ref.js';
import type { ResolvedModel } from './resolved-model.js';
import { readHeaders, readSecret } from './secret.js';

/** What a reference is resolved in. */
export interface ModelContext {
  /** Directory against which paths are resolved and from which provider packages are loaded; absolute. */
  directory: string;
  /** Files must stay inside it, symbolic links followed. Absent for references typed on the command line. */
  within?: string;
  environment: Environment;
  source: Source;
  config?: ModelsConfig;
  /** Reasoning effort; null or absent leaves it to the model. */
  effort?: Effort | null;
  thinking?: Thinking;
  /** Opens a scripted model; `path` is absolute, or null for the script of the case. */
  openScript?: (path: string | null) => Promise<LanguageModelV3>;
}

const ADAPTERS = {
  'claude-cli': claudeAdapter,
  'codex-cli': codexAdapter,
  'gemini-cli': geminiAdapter,
} as const;

/** A program needs its grace time, the kill and the reading of its last output. */
const PROGRAM_SETTLE_MS = 5000;
const SETTLE_MS = 250;

async function filePath(ref: ModelRef & { path: string }, context: ModelContext): Promise<string> {
  const path = resolve(context.directory, ref.path);
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    throw new AssayError('MODEL', `${quote(ref.text)}: ${errorMessage(error)}`, { cause: error });
  }
  if (context.within === undefined) return real;
  const inside = relative(await realpath(context.within), real);
  if (
    inside === '..' ||
    inside.startsWith(`..${process.platform === 'win32' ? '\\' : '/'}`) ||
    isAbsolute(inside)
  ) {
    throw new AssayError('MODEL', `${quote(ref.text)} leads out of ${quote(context.within)}`, {
      fix: 'keep the file inside the project',
    });
  }
  return real;
}

/** The program of a command line: the configured path, else where it is usually found. Null when it is not there. */
export async function locateProgram(adapter: ProgramAdapter, context: ModelContext): Promise<string | null> {
  const configured = context.config?.programs?.[adapter.program];
  if (configured === undefined) return findProgram(adapter.program, context.environment);
  const path = resolve(context.directory, configured);
  return (await isRunnable(path)) ? path : null;
}

type Parts = Pick<ResolvedModel, 'model'> & Partial<ResolvedModel>;

async function programModel(
  ref: ModelRef & { kind: keyof typeof ADAPTERS },
  context: ModelContext,
): Promise<Parts> {
  const adapter = ADAPTERS[ref.kind];
  const path = await locateProgram(adapter, context);
  if (path === null) {
    const configured = context.config?.programs?.[adapter.program];
    const where = configured === undefined ? 'on PATH or in the usual places' : `at ${configured}`;
    throw new ModelError('not-installed', `${adapter.program} was not found ${where}`, {
      fix: adapter.install,
    });
  }
  const settings = {
    model: ref.model,
    effort: context.effort ?? null,
    thinking: context.thinking ?? 'default',
  };
  return {
    model: createProgramModel(adapter, settings, { path, environment: context.environment }),
    settleMs: PROGRAM_SETTLE_MS,
    cacheScope: { effort: settings.effort, thinking: settings.thinking },
  };
}

async function providerModel(
  ref: ModelRef & { kind: 'anthropic' | 'openai' | 'google' },
  context: ModelContext,
): Promise<Parts> {
  const config = context.config?.providers?.[ref.kind];
  const effort = context.effort ?? null;
  const { directory, environment } = context;
  const created = await createProviderModel(ref.kind, ref.model, { directory, environment, config, effort });
  return {
    model: created.model,
    toolCapable: true,
    structuredOutput: true,
    options: readOptions(created.options),
    secrets: created.secrets,
    cacheScope: { baseUrl: config?.base_url ?? null, settings: config?.settings ?? null },
  };
}

function readOptions(options: Parameters<typeof Object.entries>[0]): ResolvedModel['options'] {
  const read: ResolvedModel['options'] = {};
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) read[name] = { ...value };
  }
  return read;
}

async function endpointModel(
  ref: ModelRef & { kind: 'openai-compatible' },
  context: ModelContext,
): Promise<Parts> {
  const endpoints = Object.entries(context.config?.endpoints ?? {});
  const config = endpoints.find(([url]) => url.replace(/\/+$/, '') === ref.url)?.[1];
  const { headers, secrets } = await readHeaders(config?.headers, context.environment);
  if (config?.api_key !== undefined) {
    const key = await readSecret(config.api_key, context.environment);
    headers['authorization'] = `Bearer ${key}`;
    secrets.push(key);
  }
  const effort = context.effort ?? null;
  const extra = { ...config?.options, ...(effort === null ? {} : { reasoning_effort: effort }) };
  return {
    model: createChatModel({
      model: ref.model,
      url: ref.url,
      headers,
      secrets,
      extra,
      now: () => context.source.now(),
    }),
    toolCapable: true,
    structuredOutput: true,
    limitKey: ref.url,
    secrets,
    cacheScope: extra,
  };
}

async function open(ref: ModelRef, context: ModelContext): Promise<Parts> {
  switch (ref.kind) {
    case 'claude-cli':
    case 'codex-cli':
    case 'gemini-cli':
      return programModel({ ...ref, kind: ref.kind }, context);
    case 'anthropic':
    case 'openai':
    case 'google':
      return providerModel({ ...ref, kind: ref.kind }, context);
    case 'openai-compatible':
      return endpointModel(ref, context);
    case 'module': {
      const path = await filePath(ref, context);
      const parts = await loadModuleModel(path, ref.exportName, ref.text);
      // An edited module is another model: what it answered before is no answer of this one.
      return { ...parts, cacheScope: { content: moduleContent(path) } };
    }
    case 'outputs':
      return { model: createOutputsModel(await readOutputs(await filePath(ref, context))) };
    case 'scripted': {
      if (context.openScript === undefined) {
        throw new AssayError('MODEL', `${quote(ref.text)} cannot be used here`, {
          fix: 'a scripted model belongs to replay; name another model',
        });
      }
      const path = ref.path === null ? null : await filePath({ ...ref, path: ref.path }, context);
      return { model: await context.openScript(path), toolCapable: true };
    }
  }
}

/**
 * Makes a reference callable. Nothing is asked of a model yet, but a program or package that is missing, a key that is
 * not there and a file that cannot be read are refused here, before anything is spent.
 * Throws `ModelError` (`not-installed`, `login-needed`, `module`) or an `AssayError` with code `MODEL` or `INPUT`.
 */
export async function resolveModel(
  reference: ModelRef | string,
  context: ModelContext,
): Promise<ResolvedModel> {
  const ref = typeof reference === 'string' ? parseModelRef(reference) : reference;
  const parts = await open(ref, context);
  return {
    ref: ref.text,
    kind: ref.kind,
    identity: modelIdentity(ref),
    toolCapable: false,
    structuredOutput: false,
    limitKey: ref.kind,
    settleMs: SETTLE_MS,
    options: {},
    cacheScope: {},
    secrets: [],
    ...parts,
  };
}
