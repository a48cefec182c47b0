import { AssayError, quote, type Protocol } from '../core/index.js';
import { findKey, type ProviderName } from './provider.js';
import type { ModelRef } from './ref.js';
import type { ModelContext } from './resolve.js';
import { readHeaders, readSecret } from './secret.js';

/** Where the requests of an agent that is observed are forwarded to. */
export interface ModelUpstreams {
  /** Address and headers by protocol; the headers replace those of the agent, its key among them. */
  targets: { [Name in Protocol]?: { url: string; headers: { [name: string]: string } } };
  /** What must not be kept. */
  secrets: string[];
}

/** Name of the header that carries a key, and what stands before the key. */
interface KeyHeader {
  name: string;
  lead: string;
}

const PROVIDERS: {
  readonly [Name in ProviderName]: { url: string; key: KeyHeader; protocols: readonly Protocol[] };
} = {
  anthropic: {
    url: 'https://api.anthropic.com',
    key: { name: 'x-api-key', lead: '' },
    protocols: ['anthropic'],
  },
  openai: {
    url: 'https://api.openai.com/v1',
    key: { name: 'authorization', lead: 'Bearer ' },
    protocols: ['openai-chat', 'openai-responses'],
  },
  google: {
    url: 'https://generativelanguage.googleapis.com',
    key: { name: 'x-goog-api-key', lead: '' },
    protocols: ['gemini'],
  },
};

function targetsOf(
  protocols: readonly Protocol[],
  url: string,
  headers: { [name: string]: string },
): ModelUpstreams['targets'] {
  return Object.fromEntries(protocols.map((protocol) => [protocol, { url, headers }]));
}

async function providerUpstreams(kind: ProviderName, context: ModelContext): Promise<ModelUpstreams> {
  const { url, key, protocols } = PROVIDERS[kind];
  const config = context.config?.providers?.[kind];
  const secret = await findKey(kind, config?.api_key, context.environment);
  const { headers, secrets } = await readHeaders(config?.headers, context.environment);
  // Agents send a key of their own; the other ways to name one must not contradict it.
  const target = { ...headers, [key.name]: `${key.lead}${secret}` };
  return {
    targets: targetsOf(protocols, config?.base_url ?? url, target),
    secrets: [secret, ...secrets],
  };
}

async function endpointUpstreams(url: string, context: ModelContext): Promise<ModelUpstreams> {
  const endpoints = Object.entries(context.config?.endpoints ?? {});
  const config = endpoints.find(([base]) => base.replace(/\/+$/, '') === url)?.[1];
  const { headers, secrets } = await readHeaders(config?.headers, context.environment);
  if (config?.api_key !== undefined) {
    const key = await readSecret(config.api_key, context.environment);
    headers['authorization'] = `Bearer ${key}`;
    secrets.push(key);
  }
  return { targets: targetsOf(['openai-chat', 'openai-responses'], url, headers), secrets };
}

/** True for a model that an agent of its own can be pointed at. */
export function hasUpstreams(ref: ModelRef): boolean {
  return ['anthropic', 'openai', 'google', 'openai-compatible'].includes(ref.kind);
}

/**
 * Where an agent that talks to a named model is forwarded to: the provider's address with the user's key, so that the
 * agent itself never sees one.
 * @throws AssayError `MODEL` for a model that is no web service; ModelError when a key is missing
 */
export async function modelUpstreams(ref: ModelRef, context: ModelContext): Promise<ModelUpstreams> {
  switch (ref.kind) {
    case 'anthropic':
    case 'openai':
    case 'google':
      return providerUpstreams(ref.kind, context);
    case 'openai-compatible':
      return endpointUpstreams(ref.url, context);
    case 'claude-cli':
    case 'codex-cli':
    case 'gemini-cli':
    case 'module':
    case 'outputs':
    case 'scripted':
      throw new AssayError(
        'MODEL',
        `${quote(ref.text)} is no web service that an agent could be pointed at`,
        {
          fix: 'write anthropic:MODEL, openai:MODEL, google:MODEL or openai-compatible:MODEL@URL',
        },
      );
  }
}
