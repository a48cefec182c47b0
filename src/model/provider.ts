import type { LanguageModelV3 } from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, type JsonObject } from '../core/index.js';
import type { ProviderConfig, SecretSource } from './config.js';
import type { Environment } from './find-program.js';
import { isLanguageModelV3, specificationVersion } from './is-language-model.js';
import type { Effort } from './level-names.js';
import { ModelError } from './model-error.js';
import { readHeaders, readSecret } from './secret.js';

/** A provider that Assay reaches through a package of the AI SDK. */
export type ProviderName = 'anthropic' | 'openai' | 'google';

interface ProviderFacts {
  package: string;
  factory: string;
  /** Environment variables that may hold the key, in order. */
  keys: string[];
  /** Provider options that ask for an effort. */
  effort(effort: Effort): JsonObject;
}

const PROVIDERS: Readonly<Record<ProviderName, ProviderFacts>> = {
  anthropic: {
    package: '@ai-sdk/anthropic',
    factory: 'createAnthropic',
    keys: ['ANTHROPIC_API_KEY'],
    effort: (effort) => ({ effort }),
  },
  openai: {
    package: '@ai-sdk/openai',
    factory: 'createOpenAI',
    keys: ['OPENAI_API_KEY'],
    effort: (effort) => ({ reasoningEffort: effort }),
  },
  google: {
    package: '@ai-sdk/google',
    factory: 'createGoogleGenerativeAI',
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    effort: (effort) => ({ thinkingConfig: { thinkingLevel: effort } }),
  },
};

function installLine(facts: ProviderFacts): string {
  return `install it with: npm install ${facts.package}@3`;
}

/** The user's own copy first: it is the one their agent uses. */
async function loadPackage(facts: ProviderFacts, directory: string): Promise<object> {
  const places = [createRequire(join(directory, 'package.json')), createRequire(import.meta.url)];
  for (const require of places) {
    let path: string;
    try {
      path = require.resolve(facts.package);
    } catch {
      continue;
    }
    try {
      const loaded: unknown = await import(pathToFileURL(path).href);
      if (typeof loaded === 'object' && loaded !== null) return loaded;
    } catch (error) {
      throw new ModelError(
        'not-installed',
        `${facts.package} is installed but fails to load: ${errorMessage(error)}`,
        {
          fix: installLine(facts),
          cause: error,
        },
      );
    }
  }
  throw new ModelError('not-installed', `${facts.package} is not installed`, { fix: installLine(facts) });
}

/** The key of a provider: from where the configuration says, else from its usual environment variables. */
export async function findKey(
  provider: ProviderName,
  source: SecretSource | undefined,
  environment: Environment,
): Promise<string> {
  const facts = PROVIDERS[provider];
  if (source !== undefined) return readSecret(source, environment);
  const name = facts.keys.find((key) => (environment[key] ?? '').trim() !== '') ?? facts.keys[0] ?? '';
  return readSecret({ environment: name }, environment);
}

/** A function of a loaded module, called with checked results only. */
function functionOf(module: object, name: string): ((argument: unknown) => unknown) | null {
  const member: unknown = Object.entries(module).find(([key]) => key === name)?.[1];
  if (typeof member !== 'function') return null;
  return (argument) => Reflect.apply(member, undefined, [argument]);
}

/** A model of a provider package with what must stay out of messages and what must go with every request. */
export interface ProviderModel {
  model: LanguageModelV3;
  secrets: string[];
  options: JsonObject;
}

/**
 * Loads the package of a provider and creates one of its models.
 * Throws `ModelError`: `not-installed` with the install line, `login-needed` naming the missing variable.
 */
export async function createProviderModel(
  provider: ProviderName,
  name: string,
  place: {
    directory: string;
    environment: Environment;
    config: ProviderConfig | undefined;
    effort: Effort | null;
  },
): Promise<ProviderModel> {
  const facts = PROVIDERS[provider];
  const { config } = place;
  const module = await loadPackage(facts, place.directory);
  const create = functionOf(module, facts.factory);
  if (create === null) {
    throw new ModelError('not-installed', `${facts.package} has no ${facts.factory}`, {
      fix: installLine(facts),
    });
  }
  const apiKey = await findKey(provider, config?.api_key, place.environment);
  const { headers, secrets } = await readHeaders(config?.headers, place.environment);
  const instance = create({
    ...config?.settings,
    apiKey,
    headers,
    ...(config?.base_url === undefined ? {} : { baseURL: config.base_url }),
  });
  const model: unknown = typeof instance === 'function' ? Reflect.apply(instance, undefined, [name]) : null;
  if (!isLanguageModelV3(model)) {
    const version = specificationVersion(model);
    throw new ModelError(
      'not-installed',
      `${facts.package} gives a model of specification ${version ?? 'unknown'}; this version of Assay speaks v3`,
      { fix: installLine(facts) },
    );
  }
  const effort = place.effort === null ? {} : facts.effort(place.effort);
  return { model, secrets: [apiKey, ...secrets], options: { [provider]: { ...effort, ...config?.options } } };
}
