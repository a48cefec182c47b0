import type { ServerResponse } from 'node:http';
import type { JsonValue } from '../core/index.js';
import { errorBody } from './error-reply.js';
import type { Protocol } from './neutral.js';
import type { Route } from './route.js';
import { sendPlain } from './send.js';

/** Tokens that every request is said to have when a client asks for a count. */
const COUNTED = 10;

/** The answer to a question for a token count. */
function countAnswer(protocol: Protocol): JsonValue {
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

/** The answer to a question for the models there are, or for one of them. */
function modelsAnswer(protocol: Protocol, model: string | null): JsonValue {
  if (model !== null) return modelEntry(protocol, model);
  const entry = modelEntry(protocol, NAME);
  if (protocol === 'anthropic') return { data: [entry], has_more: false, first_id: NAME, last_id: NAME };
  if (protocol === 'gemini') return { models: [entry] };
  return { object: 'list', data: [entry] };
}

function sendJson(response: ServerResponse, status: number, value: JsonValue): void {
  sendPlain(response, status, JSON.stringify(value));
}

function refuseUpgrade(response: ServerResponse, route: Extract<Route, { kind: 'upgrade' }>): void {
  const message = 'WebSockets are not served; use HTTP.';
  response.setHeader('upgrade', 'HTTP/1.1');
  response.setHeader('connection', 'close');
  sendJson(response, 426, errorBody(route.protocol, { status: 426, code: null, message }, 'req_0'));
}

/** Answers what uses up nothing; false when the request asks for a reply. */
export function answerFixed(response: ServerResponse, route: Route): boolean {
  switch (route.kind) {
    case 'alive':
      sendPlain(response, 200, '');
      return true;
    case 'upgrade':
      refuseUpgrade(response, route);
      return true;
    case 'count':
      sendJson(response, 200, countAnswer(route.protocol));
      return true;
    case 'models':
      sendJson(response, 200, modelsAnswer(route.protocol, route.model));
      return true;
    case 'generate':
    case 'unknown':
      return false;
  }
  return false;
}

/** Says that nothing is served at an address. */
export function sendNotFound(response: ServerResponse, route: Route, message: string): void {
  const protocol = route.kind === 'alive' ? 'openai-chat' : route.protocol;
  response.setHeader('x-should-retry', 'false');
  sendJson(response, 404, errorBody(protocol, { status: 404, code: null, message }, 'req_0'));
}
