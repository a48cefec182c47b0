import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol, StreamMode } from './neutral.js';

/** What the address and the headers of a request say, before its body is read. */
export interface RequestHead {
  /** The model named in the path (Gemini); '' when the body names it. */
  model: string;
  /** The framing named in the path (Gemini); `none` when the body decides. */
  stream: StreamMode;
  /** How many times the client says it has tried before. */
  attempt: number;
  /** Headers that say who is asking, by lower-case name. */
  hints: { [name: string]: string };
}

/** What a request is for. */
export type Route =
  | { kind: 'generate'; protocol: Protocol; model: string; stream: StreamMode }
  | { kind: 'count'; protocol: Protocol }
  | { kind: 'models'; protocol: Protocol; model: string | null }
  | { kind: 'alive' }
  | { kind: 'upgrade'; protocol: Protocol }
  | { kind: 'unknown'; protocol: Protocol };

const GEMINI_VERB = /\/([^/]+):(generateContent|streamGenerateContent|countTokens)$/;
const MODELS = /\/models(?:\/([^/]+))?$/;

/** Headers by which known agents say which of their conversations is asking. */
const HINT_HEADERS = [
  'x-claude-code-agent-id',
  'x-codex-turn-metadata',
  'x-initiator',
  'x-interaction-type',
  'x-parent-session-id',
  'x-session-id',
];

const CREDENTIAL_HEADERS = new Set([
  'api-key',
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'x-goog-api-key',
]);

/** True for a header that carries a credential and so is never kept. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

function headerText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * The headers worth keeping: those by which known agents name their conversations, and those in `also`.
 * Credentials are left out whatever `also` says.
 */
export function hintsOf(headers: IncomingHttpHeaders, also: readonly string[]): { [name: string]: string } {
  const hints: { [name: string]: string } = {};
  for (const name of [...HINT_HEADERS, ...also.map((header) => header.toLowerCase())]) {
    const value = isCredentialHeader(name) ? null : headerText(headers, name);
    if (value !== null) hints[name] = value;
  }
  return hints;
}

/** How many times the client says it has tried before; 0 when it does not say. */
export function attemptOf(headers: IncomingHttpHeaders): number {
  const count = Number.parseInt(headerText(headers, 'x-stainless-retry-count') ?? '', 10);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Which API a request without a telling path belongs to, by its headers. */
function protocolByHeaders(path: string, headers: IncomingHttpHeaders): Protocol {
  if (headers['anthropic-version'] !== undefined || headers['anthropic-beta'] !== undefined)
    return 'anthropic';
  if (headers['x-goog-api-key'] !== undefined || path.includes('/v1beta/')) return 'gemini';
  return path.includes('/messages') ? 'anthropic' : 'openai-chat';
}

function postRoute(path: string, query: URLSearchParams): Route | null {
  if (path.endsWith('/messages'))
    return { kind: 'generate', protocol: 'anthropic', model: '', stream: 'none' };
  if (path.endsWith('/messages/count_tokens')) return { kind: 'count', protocol: 'anthropic' };
  if (path.endsWith('/chat/completions')) {
    return { kind: 'generate', protocol: 'openai-chat', model: '', stream: 'none' };
  }
  if (path.endsWith('/responses')) {
    return { kind: 'generate', protocol: 'openai-responses', model: '', stream: 'none' };
  }
  if (path.endsWith('/responses/input_tokens')) return { kind: 'count', protocol: 'openai-responses' };
  const verb = GEMINI_VERB.exec(path);
  if (verb === null) return null;
  if (verb[2] === 'countTokens') return { kind: 'count', protocol: 'gemini' };
  const streamed = query.get('alt') === 'sse' ? 'sse' : 'array';
  const stream = verb[2] === 'streamGenerateContent' ? streamed : 'none';
  return { kind: 'generate', protocol: 'gemini', model: decodePart(verb[1] ?? ''), stream };
}

/**
 * Says what a request is for. Only the end of the path counts, because base addresses come with and without a
 * version; keys, versions and beta headers are never looked at.
 */
export function routeRequest(
  method: string,
  path: string,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): Route {
  const trimmed = path.replace(/\/+$/, '');
  const post = postRoute(trimmed, query);
  // Only WebSockets: some HTTP clients offer HTTP/2 by an upgrade header and expect it to be passed over.
  if ((headers.upgrade ?? '').toLowerCase() === 'websocket') {
    return {
      kind: 'upgrade',
      protocol: post !== null && 'protocol' in post ? post.protocol : 'openai-responses',
    };
  }
  if (method === 'HEAD') return { kind: 'alive' };
  if (method === 'POST' && post !== null) return post;
  const models = method === 'GET' ? MODELS.exec(trimmed) : null;
  const protocol = protocolByHeaders(trimmed, headers);
  if (models === null) return { kind: 'unknown', protocol };
  return { kind: 'models', protocol, model: models[1] === undefined ? null : decodePart(models[1]) };
}
