import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../core/index.js';
import { decompressNow } from './body.js';

/** Where requests of a protocol are forwarded to. */
export interface UpstreamTarget {
  /** Address of the provider, with or without a version (`https://api.openai.com/v1`). */
  url: string;
  /** Headers that replace those of the agent, such as its key. */
  headers?: { [name: string]: string };
}

/** What a provider has answered so far, for the record. It fills while the answer is passed on. */
export class ProviderAnswer {
  /** 0 while it has not been reached. */
  status = 0;
  contentType = '';
  encoding = '';
  /** Why the whole answer was not passed on; null while nothing went wrong. */
  failure: string | null = null;
  private readonly parts: Buffer[] = [];
  private readonly limit: number;
  private size = 0;

  /** @param limit bytes that are kept */
  constructor(limit: number) {
    this.limit = limit;
  }

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size <= this.limit) this.parts.push(part);
  }

  /** The body as far as it has come; null when it is too large to keep or cannot be decompressed. */
  text(): string | null {
    if (this.size > this.limit) return null;
    return decompressNow(Buffer.concat(this.parts), this.encoding, this.limit)?.toString('utf8') ?? null;
  }
}

/** Headers that concern one connection only, or that the proxy must decide itself. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const VERSION = /^\/v\d+[a-z0-9]*(?=\/|$)/;

/** The provider's address for a path: a version that both name is written once. */
export function upstreamUrl(base: string, path: string, search: string): URL {
  const url = new URL(base);
  const root = url.pathname.replace(/\/+$/, '');
  const version = VERSION.exec(path)?.[0];
  const rest = version !== undefined && root.endsWith(version) ? path.slice(version.length) : path;
  url.pathname = `${root}${rest}`;
  url.search = search;
  return url;
}

function passedHeaders(
  headers: IncomingMessage['headers'],
  own: { [name: string]: string },
): { [name: string]: string | string[] } {
  const passed: { [name: string]: string | string[] } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name)) passed[name] = value;
  }
  for (const [name, value] of Object.entries(own)) passed[name.toLowerCase()] = value;
  return passed;
}

function ask(
  url: URL,
  request: IncomingMessage,
  body: Buffer,
  target: UpstreamTarget,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    ...passedHeaders(request.headers, target.headers ?? {}),
    // What is passed on is also read, so it should come as it is.
    'accept-encoding': 'identity',
    ...(body.length > 0 || request.method === 'POST' ? { 'content-length': String(body.length) } : {}),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const upstream = send(url, { method: request.method ?? 'GET', headers, signal, agent: false }, resolve);
    upstream.on('error', reject);
    upstream.end(body);
  });
}

/**
 * Forwards a request and passes the answer on as it comes, byte by byte as the provider sends it. When the provider
 * cannot be reached, nothing is sent and the record's status stays 0.
 * @param body the request's body as it was sent
 * @param record filled while the answer comes
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  target: UpstreamTarget,
  place: { path: string; search: string },
  record: ProviderAnswer,
  ended: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  const signal = AbortSignal.any([ended, left.signal]);
  try {
    const url = upstreamUrl(target.url, place.path, place.search);
    const answer = await ask(url, request, body, target, signal);
    record.status = answer.statusCode ?? 0;
    record.contentType = answer.headers['content-type'] ?? '';
    record.encoding = answer.headers['content-encoding'] ?? '';
    response.writeHead(record.status, passedHeaders(answer.headers, {}));
    response.flushHeaders();
    // Kept before it is passed on: an agent may be done before the provider says that this was all.
    answer.on('data', (part: Buffer) => record.add(part));
    await pipeline(answer, response);
  } catch (error) {
    record.failure = left.signal.aborted
      ? 'The agent left before the whole answer had come.'
      : errorMessage(error);
  }
}
