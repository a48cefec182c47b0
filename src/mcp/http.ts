import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AssayError, errorMessage } from '../core/index.js';
import { loadProtocol, type Protocol } from './protocol.js';
import { Runs } from './runs.js';
import { makeServer } from './server.js';
import type { Surroundings } from './surroundings.js';

const HOST = '127.0.0.1';
const PATH = '/mcp';
const MOST_BODY = 1_000_000;
const MOST_SESSIONS = 32;

/** How the server is reached. */
export interface HttpOptions {
  /** 0 for any free one. */
  port: number;
  /** What clients must send as a bearer token; null for nothing. */
  token: string | null;
}

/** A server that listens. */
export interface HttpServer {
  url: string;
  /** Stops runs that are under way (what they finished is kept) and closes every session. */
  close(): Promise<void>;
}

interface Session {
  transport: StreamableHTTPServerTransport;
  made: McpServer;
  /** Requests under way, open streams among them. */
  under: number;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Why a request is not served: a page that was lured to this address, or a program without the token. */
function refused(request: IncomingMessage, port: number, token: string | null): [number, string] | null {
  const own = [`${HOST}:${port}`, `localhost:${port}`];
  const { host, origin, authorization } = request.headers;
  if (host === undefined || !own.includes(host.toLowerCase())) return [403, 'this host is not served'];
  if (origin !== undefined && !own.some((each) => origin.toLowerCase() === `http://${each}`)) {
    return [403, 'this origin is not served'];
  }
  if (token !== null && !timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))) {
    return [401, 'a bearer token is needed'];
  }
  const path = (request.url ?? '').split('?')[0];
  return path === PATH ? null : [404, `the server is at ${PATH}`];
}

function reply(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

class Sessions {
  readonly #open = new Map<string, Session>();
  readonly #protocol: Protocol;
  readonly #surroundings: Surroundings;
  readonly #runs: Runs;

  constructor(protocol: Protocol, surroundings: Surroundings, runs: Runs) {
    this.#protocol = protocol;
    this.#surroundings = surroundings;
    this.#runs = runs;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#open.get(id);
      if (session === undefined) {
        reply(response, 404, 'there is no such session');
        return;
      }
      // The one used last stands last.
      this.#open.delete(id);
      this.#open.set(id, session);
      session.under += 1;
      response.once('close', () => {
        session.under -= 1;
      });
      await session.transport.handleRequest(request, response);
      return;
    }
    if (this.#open.size >= MOST_SESSIONS && !(await this.#makeRoom())) {
      reply(response, 503, 'too many sessions are open');
      return;
    }
    await this.#begin(request, response);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ made }) => made.close()));
    this.#open.clear();
  }

  /** Closes the session that was left alone longest; false when all are at work. Clients often go without a word. */
  async #makeRoom(): Promise<boolean> {
    for (const [id, { made, under }] of this.#open) {
      if (under > 0) continue;
      this.#open.delete(id);
      await made.close();
      return true;
    }
    return false;
  }

  /** Only a request to initialize makes a session; any other is answered by the transport, and forgotten. */
  async #begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const made = makeServer(this.#protocol, this.#surroundings, this.#runs);
    const transport = new this.#protocol.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: MOST_BODY,
      onsessioninitialized: (id) => {
        this.#open.set(id, { transport, made, under: 0 });
      },
    });
    const onclose = (): void => {
      if (transport.sessionId !== undefined) this.#open.delete(transport.sessionId);
    };
    Object.assign(made.server, { onclose });
    await made.connect(transport);
    await transport.handleRequest(request, response);
    if (transport.sessionId === undefined) await made.close();
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new AssayError('INPUT', `port ${port} of ${HOST} cannot be used: ${errorMessage(error)}`, {
          fix: 'name another with --port; 0 takes any free one',
        }),
      );
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Serves any number of clients over streamable HTTP, on the loopback address alone.
 * @throws AssayError `INPUT` when the protocol's package is not installed, or the port is taken
 */
export async function serveHttp(surroundings: Surroundings, options: HttpOptions): Promise<HttpServer> {
  const protocol = await loadProtocol();
  const runs = new Runs(surroundings);
  const sessions = new Sessions(protocol, surroundings, runs);
  let port = options.port;
  const server = createServer((request, response) => {
    const why = refused(request, port, options.token);
    if (why !== null) {
      reply(response, ...why);
      return;
    }
    sessions.serve(request, response).catch((error: unknown) => {
      surroundings.note(`mcp: ${errorMessage(error)}`);
      reply(response, 500, 'the request could not be served');
    });
  });
  port = await listen(server, options.port);
  return {
    url: `http://${HOST}:${port}${PATH}`,
    async close() {
      await runs.close();
      await sessions.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
