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
