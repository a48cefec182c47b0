import { systemSource } from '../../src/core/index.js';
import {
  callModel,
  isModelError,
  type ModelError,
  type ModelRequest,
  type ModelServices,
} from '../../src/model/index.js';

/** Services of a call as a run would have them, with waits short enough for tests. */
export function testServices(more: Partial<ModelServices> = {}): ModelServices {
  return {
    source: systemSource(),
    version: '0.0.0-test',
    retry: { maxTries: 4, baseMs: 5, maxWaitMs: 5000, maxTotalWaitMs: 10_000 },
    ...more,
  };
}

/** A request with one user message. */
export function ask(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    timeoutMs: 20_000,
    trialIndex: 1,
    purpose: 'agent',
    ...more,
  };
}

/** The ModelError a promise is rejected with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  try {
    await promise;
  } catch (error) {
    if (isModelError(error)) return error;
    throw error;
  }
  throw new Error('expected a ModelError, but there was an answer');
}

export { callModel };
