import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { Message } from '../core/index.js';

/** What an agent's thread is started with. */
export interface ThreadAgentData {
  /** Absolute path of the module. */
  path: string;
  exportName: string;
  /** File of the TypeScript loader, resolved from this package. */
  loader: string;
}

/** What of a turn's request crosses to the thread; the model and the signal are made there. */
export interface TurnMessage {
  type: 'turn';
  prompt: string;
  turn: number;
  messages: readonly Message[];
  workspace: string;
  caseId: string;
  trial: number;
  /** Null when there is no model. */
  model: { provider: string; modelId: string } | null;
}

/** Messages to the thread. */
export type ToAgentThread =
  | TurnMessage
  | { type: 'abort'; message: string }
  | { type: 'result'; call: number; result: LanguageModelV3GenerateResult }
  | { type: 'part'; call: number; part: LanguageModelV3StreamPart }
  /** A stream began, or ended. */
  | { type: 'stream'; call: number; ended: boolean }
  | { type: 'failure'; call: number; name: string; message: string };

/** Messages from the thread. */
export type FromAgentThread =
  | { type: 'loaded' }
  /** The module cannot be loaded, or does not export the function; `names` are its exports. */
  | { type: 'unusable'; message: string; names: string[] | null }
  | { type: 'answer'; value: unknown }
  /** `call` is the model call whose failure this is; null when it is the agent's own. */
  | { type: 'thrown'; message: string; call: number | null }
  | { type: 'generate' | 'stream'; call: number; options: LanguageModelV3CallOptions }
  | { type: 'give-up'; call: number };

const URL_KEY = 'assay:url';

/** A value as it crosses between threads: addresses, which cannot be cloned, become objects that stand for them. */
export function packed(value: unknown): unknown {
  if (value instanceof URL) return { [URL_KEY]: value.href };
  if (Array.isArray(value)) return value.map(packed);
  if (!isPlain(value)) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, packed(member)]));
}

/** The value that `packed` was given. */
export function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked);
  if (!isPlain(value)) return value;
  const address: unknown = Reflect.get(value, URL_KEY);
  if (typeof address === 'string' && URL.canParse(address)) return new URL(address);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpacked(member)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
