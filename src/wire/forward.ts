import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../core/index.js';
import { decompress } from './body.js';

/** Where requests of a protocol are forwarded to. */
export interface UpstreamTarget {
  /** Address of the provider, with or without a version (`https://api.openai.com/v1`). */
  url: string;
  /** Headers that replace those of the agent, such as its key. */
  headers?: { [name: string]: string };
}

/** What a provider answered, for the record. */
export interface Forwarded {
  /** 0 when it could not be reached. */
  status: number;
  contentType: string;
  /** The body, decompressed; '' when it is too large to keep or cannot be decompressed. */
  text: string;
  /** Null when the whole answer was passed on. */
  error: string | null;
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

/** Keeps a copy of what passes by, up to a size. */
class Copy {
  private readonly parts: Buffer[] = [];
  private size = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size <= this.limit) this.parts.push(part);
  }

  async text(encoding: string): Promise<string> {
    if (this.size > this.limit) return '';
    const plain = await decompress(Buffer.concat(this.parts), encoding, this.limit);
    return plain.ok ? plain.value.toString('utf8') : '';
  }
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
 * Forwards a request and passes the answer on as it comes, byte by byte as the provider sends it.
 * @param body the request's body as it was sent
 * @param limit bytes of the answer that are kept for the record
 * @returns status 0 and nothing sent when the provider cannot be reached
 */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  target: UpstreamTarget,
  place: { path: string; search: string },
  limit: number,
  ended: AbortSignal,
): Promise<Forwarded> {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  const signal = AbortSignal.any([ended, left.signal]);
  let answer: IncomingMessage;
  try {
    answer = await ask(upstreamUrl(target.url, place.path, place.search), request, body, target, signal);
  } catch (error) {
    return { status: 0, contentType: '', text: '', error: errorMessage(error) };
  }
  const copy = new Copy(limit);
  const status = answer.statusCode ?? 0;
  response.writeHead(status, passedHeaders(answer.headers, {}));
  response.flushHeaders();
  answer.on('data', (part: Buffer) => copy.add(part));
  let failed: string | null = null;
  try {
    await pipeline(answer, response);
  } catch (error) {
    failed = left.signal.aborted ? 'The agent left before the whole answer had come.' : errorMessage(error);
  }
  const text = await copy.text(answer.headers['content-encoding'] ?? '');
  return { status, contentType: answer.headers['content-type'] ?? '', text, error: failed };
}
