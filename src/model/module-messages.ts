import type {
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { ModelErrorKind } from './model-error.js';

/** What the thread of a module that is a model is started with. */
export interface ModelThreadData {
  /** Absolute path of the module. */
  path: string;
  /** Null means the default export, else the export `model`. */
  exportName: string | null;
  /** The module as the user named it. */
  name: string;
  /** File of the TypeScript loader, resolved from this package. */
  loader: string;
}

/** What is known of the model once its module is loaded. */
export interface LoadedModel {
  provider: string;
  modelId: string;
  supportedUrls: { [mediaType: string]: RegExp[] };
  /** False for a function, which cannot be given tools. */
  toolCapable: boolean;
}

/** An error as it crosses between threads: what decides how it is classed. */
export interface CrossingError {
  name: string;
  message: string;
  status?: number;
  code?: string;
  /** Names in lower case. */
  headers?: { [name: string]: string };
  cause?: CrossingError;
  /** Present when the error was classed already. */
  classed?: { kind: ModelErrorKind; fix: string; retryAfterMs: number | null };
}

/** Messages to the thread. */
export type ToModelThread =
  | { type: 'generate' | 'stream'; call: number; options: LanguageModelV3CallOptions }
  | { type: 'abort'; call: number; message: string }
  | { type: 'ping' };

/** Messages from the thread. */
export type FromModelThread =
  | { type: 'loaded'; model: LoadedModel }
  | { type: 'unusable'; message: string; fix: string }
  | { type: 'result'; call: number; result: LanguageModelV3GenerateResult }
  /** A stream began, or ended. */
  | { type: 'stream'; call: number; ended: boolean }
  | { type: 'part'; call: number; part: LanguageModelV3StreamPart }
  | { type: 'failure'; call: number; error: CrossingError }
  | { type: 'pong' };
