import { isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { AgentError } from './agent-error.js';
import type { ModelAddress } from './command.js';
import type { AgentAnswer, AgentFunction } from './module.js';

/** How an endpoint is asked. */
export interface HttpOptions {
  url: string;
  /** Where the endpoint is to find its model in a turn (0-based); null when that is its own affair. */
  model: (turn: number) => ModelAddress | null;
}

const SHOWN = 200;
/** Bytes of an answer that are read. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function answerFrom(text: string, type: string): AgentAnswer {
  const parsed = /\bjson\b/i.test(type) ? parseJson(text) : null;
  if (parsed === null) return text.trim();
  if (!parsed.ok) throw new AgentError('agent', `the endpoint's answer is not JSON: ${parsed.message}`);
  const { value } = parsed;
  if (typeof value === 'string') return value;
  const answer = isJsonObject(value) ? value['text'] : undefined;
  if (!isJsonObject(value) || typeof answer !== 'string')
    throw new AgentError('agent', 'the endpoint must answer with text or with JSON that has text');
  // Whatever else it says is checked where the answers of functions are.
  return { ...value, text: answer };
}

/**
 * An endpoint as an agent function. Each turn is posted as JSON: `prompt`, `turn`, `messages`, `case`, `trial`,
 * `workspace`, and `model_url` (by protocol `model_urls`) where its model is to be found. It answers with text, or with
 * JSON that holds `text` and, as far as it wants to say, `toolCalls` and `usage`.
 */
export function httpAgentFunction(options: HttpOptions): AgentFunction {
  return async (request) => {
    const model = options.model(request.turn);
    const body: JsonObject = {
      prompt: request.prompt,
      turn: request.turn,
      messages: request.messages.map(({ role, text }) => ({ role, text })),
      case: request.caseId,
      trial: request.trial,
      workspace: request.workspace,
      model_url: model?.baseUrl ?? null,
      model_urls: model === null ? null : { ...model.urls },
    };
    const response = await fetch(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/plain' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: request.signal,
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new AgentError('agent', `the endpoint ${options.url} could not be reached${cause}`, error);
    });
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength > LARGEST_ANSWER)
      throw new AgentError('limit', `the endpoint answered with more than ${LARGEST_ANSWER} bytes`);
    const text = Buffer.from(bytes).toString('utf8');
    if (!response.ok)
      throw new AgentError('agent', `the endpoint answered with status ${response.status}: ${shown(text)}`);
    return answerFrom(text, response.headers.get('content-type') ?? '');
  };
}
