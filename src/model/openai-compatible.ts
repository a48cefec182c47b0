import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { errorMessage, parseJson, type JsonObject } from '../core/index.js';
import { classifyFailure } from './classify.js';
import { chatBody } from './chat-request.js';
import { chatError, chatReply } from './chat-reply.js';
import { chatParts } from './chat-stream.js';
import { kindOfStatus, ModelError } from './model-error.js';
import { redactKeys } from './redact.js';
import { readRetryAfter } from './retry.js';
import { readServerEvents } from './server-events.js';

/** An OpenAI-compatible server and one of its models. */
export interface ChatEndpoint {
  model: string;
  /** Base URL without a trailing slash. */
  url: string;
  /** Headers of every request, the key among them. */
  headers: Readonly<Record<string, string>>;
  /** Texts that must not appear in a message. */
  secrets: readonly string[];
  /** Members added to every body. */
  extra: JsonObject;
  /** Milliseconds since the epoch, for Retry-After dates. */
  now: () => number;
}

/** Most bytes of a reply that is not streamed, and of an error. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

async function readText(response: Response, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new ModelError('invalid-reply', `the reply is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function refusal(response: Response, endpoint: ChatEndpoint): Promise<ModelError> {
  const { status } = response;
  const retryAfterMs = readRetryAfter(Object.fromEntries(response.headers), endpoint.now());
  // An error whose body cannot be read is still known by its status.
  const text = await readText(response, MAX_ERROR_BYTES).catch((error: unknown) => errorMessage(error));
  const parsed = parseJson(text);
  const error = parsed.ok
    ? chatError(parsed.value, status, retryAfterMs)
    : new ModelError(kindOfStatus(status), `the server answered ${status}: ${text.slice(0, 300)}`, {
        status,
        retryAfterMs,
      });
  return error.kind === 'login-needed'
    ? new ModelError('login-needed', error.message, {
        status,
        fix: `check the key of ${endpoint.url} in the configuration (endpoints, api_key)`,
      })
    : error;
}

function hidden(error: ModelError, endpoint: ChatEndpoint): ModelError {
  const message = redactKeys(error.message, endpoint.secrets);
  if (message === error.message) return error;
  const { kind, status, retryAfterMs, output, fix, usage, cost } = error;
  return new ModelError(kind, message, { status, retryAfterMs, output, fix, usage, cost });
}

async function post(
  endpoint: ChatEndpoint,
  options: LanguageModelV3CallOptions,
  stream: boolean,
): Promise<{ response: Response; warnings: SharedV3Warning[] }> {
  const { body, warnings } = chatBody(endpoint.model, options, endpoint.extra);
  const headers = new Headers({ ...endpoint.headers, 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(options.headers ?? {}))
    if (value !== undefined) headers.set(name, value);
  const response = await fetch(`${endpoint.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(stream ? { ...body, stream: true, stream_options: { include_usage: true } } : body),
    // A redirected request would become another request, perhaps to another host.
    redirect: 'manual',
    ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
  });
  if (!response.ok) throw await refusal(response, endpoint);
  return { response, warnings };
}

function streamOf(
  parts: AsyncGenerator<LanguageModelV3StreamPart>,
  endpoint: ChatEndpoint,
  signal?: AbortSignal,
) {
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      try {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.enqueue({
          type: 'error',
          error: hidden(classifyFailure(error, signal, endpoint.now()), endpoint),
        });
        controller.close();
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/**
 * A model of any server that speaks OpenAI's Chat Completions, over `fetch` alone. Rejects with `ModelError`; a stream
 * that breaks ends with an `error` part that holds one.
 */
export function createChatModel(endpoint: ChatEndpoint): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'assay.openai-compatible',
    modelId: endpoint.model,
    supportedUrls: { 'image/*': [/^https?:\/\//] },
    async doGenerate(options) {
      try {
        const { response, warnings } = await post(endpoint, options, false);
        return chatReply(await readText(response, MAX_REPLY_BYTES), warnings);
      } catch (error) {
        throw hidden(classifyFailure(error, options.abortSignal, endpoint.now()), endpoint);
      }
    },
    async doStream(options) {
      try {
        const { response, warnings } = await post(endpoint, options, true);
        const events = readServerEvents(response.body ?? emptyBody());
        return { stream: streamOf(chatParts(events, warnings), endpoint, options.abortSignal) };
      } catch (error) {
        throw hidden(classifyFailure(error, options.abortSignal, endpoint.now()), endpoint);
      }
    },
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // No body: no events.
}
