import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { JsonObject } from '../core/index.js';
import type { ModelIdentity } from './identity.js';
import type { ModelKind } from './ref.js';

/** A model that can be called, with what Assay must know about it. */
export interface ResolvedModel {
  /** The reference in its normal form. */
  ref: string;
  kind: ModelKind;
  model: LanguageModelV3;
  identity: ModelIdentity;
  /** True when a request may have tools. */
  toolCapable: boolean;
  /** True when a JSON response format is sent to the model rather than left out with a warning. */
  structuredOutput: boolean;
  /** Names the account whose limits the model shares: the kind, or the URL of the server. */
  limitKey: string;
  /** How long the model may take to end after it was told to stop, milliseconds: a program must end its children. */
  settleMs: number;
  /** Provider options that go with every request. */
  options: NonNullable<LanguageModelV3CallOptions['providerOptions']>;
  /** Settings that shape answers, for the cache key; never a secret. */
  cacheScope: JsonObject;
  /** Texts that must not appear in a message. */
  secrets: readonly string[];
}
