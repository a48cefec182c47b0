import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorMessage, type Source } from '../core/index.js';
import { latestResults } from '../store/index.js';

/** What is served. */
export interface EvalsApiOptions {
  /** Port on 127.0.0.1; 0 for any free one. */
  port: number;
  /** Where runs are stored. */
  storeRoot: string;
  /** Origins of web pages that may read it, such as `http://127.0.0.1:5173`. */
  allowOrigins: readonly string[];
  source: Pick<Source, 'now'>;
}

/** A server that runs. */
export interface EvalsApi {
  /** Address of the results. */
  url: string;
  close(): Promise<void>;
}

const HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * True when a request names this machine as its host. A page on the internet can make its own name lead here, and the
 * browser then takes this server for part of that page; the name it asks for gives it away.
 */
function namesLoopback(host: string | undefined, port: number): boolean {
  const match = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?$/.exec(host ?? '');
  const [, name = '', written] = match ?? [];
  return HOSTS.has(name.toLowerCase()) && Number(written ?? 80) === port;
}

function answer(response: ServerResponse, status: number, body: object, head: boolean): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(head ? undefined : text);
}

function handle(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  options: EvalsApiOptions,
): void {
  const head = request.method === 'HEAD';
  if (!namesLoopback(request.headers.host, port)) {
    answer(response, 403, { error: 'this server is for 127.0.0.1 only' }, head);
    return;
  }
  const { origin } = request.headers;
  response.setHeader('vary', 'origin');
  if (origin !== undefined && options.allowOrigins.includes(origin))
    response.setHeader('access-control-allow-origin', origin);
  if (request.method !== 'GET' && !head) {
    response.setHeader('allow', 'GET, HEAD');
    answer(response, 405, { error: 'there is only GET' }, head);
    return;
  }
  const [path] = (request.url ?? '').split('?');
  if (path !== '/api/evals') {
    answer(response, 404, { error: 'there is only /api/evals' }, head);
    return;
  }
  try {
    const suites = latestResults(options.storeRoot);
    answer(response, 200, { suites, ts: new Date(options.source.now()).toISOString() }, head);
  } catch (error) {
    answer(response, 500, { error: errorMessage(error) }, head);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * Serves `GET /api/evals` on 127.0.0.1: `{suites, ts}` with the newest result of every suite, read anew for every
 * request. Requests that name another host are refused; no page of another origin may read it unless it is named.
 * Rejects when the port is taken.
 */
export async function serveEvals(options: EvalsApiOptions): Promise<EvalsApi> {
  const server = createServer((request, response) => handle(request, response, portOf(server), options));
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}/api/evals`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
