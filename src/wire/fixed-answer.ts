import type { JsonValue } from '../core/index.js';
import type { Protocol } from './neutral.js';

/** Tokens that every request is said to have when a client asks for a count. */
const COUNTED = 10;

/** The answer to a question for a token count. It uses up nothing. */
export function countAnswer(protocol: Protocol): JsonValue {
  if (protocol === 'gemini') return { totalTokens: COUNTED };
  if (protocol === 'anthropic') return { input_tokens: COUNTED };
  return { object: 'response.input_tokens', input_tokens: COUNTED };
}

const NAME = 'scripted';

function modelEntry(protocol: Protocol, model: string): JsonValue {
  if (protocol === 'anthropic') {
    return { type: 'model', id: model, display_name: model, created_at: '1970-01-01T00:00:00Z' };
  }
  if (protocol === 'gemini') {
    return {
      name: `models/${model}`,
      displayName: model,
      version: '1',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    };
  }
  return { id: model, object: 'model', created: 0, owned_by: 'assay' };
}

/** The answer to a question for the models there are, or for one of them. It uses up nothing. */
export function modelsAnswer(protocol: Protocol, model: string | null): JsonValue {
  if (model !== null) return modelEntry(protocol, model);
  const entry = modelEntry(protocol, NAME);
  if (protocol === 'anthropic') return { data: [entry], has_more: false, first_id: NAME, last_id: NAME };
  if (protocol === 'gemini') return { models: [entry] };
  return { object: 'list', data: [entry] };
}
