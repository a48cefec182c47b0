import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AssayError, errorMessage, type JsonValue } from '../core/index.js';

/** Addresses that only this machine can reach. */
export type LoopbackHost = '127.0.0.1' | '::1';

/** A server that is listening. */
export interface Listener {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string;
  /** Stops listening and ends every connection, so that nothing keeps the process alive. */
  close(): Promise<void>;
}

const LARGEST_HEADERS = 64 * 1024;

/**
 * Listens on a loopback address.
 * @param port 0 for any free one
 * @param handle may reject; the client then gets status 500
 * @throws AssayError `INPUT` for a host that is not loopback, or a port that cannot be had
 */
export async function listen(
  host: LoopbackHost,
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listener> {
  if (host !== '127.0.0.1' && host !== '::1') {
    throw new AssayError('INPUT', `A model server listens on this machine only, not on ${String(host)}.`, {
      fix: 'Use 127.0.0.1 or ::1.',
    });
  }
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS }, (request, response) => {
    // An agent whose tool takes long finds its connection still open.
    request.socket.setNoDelay(true);
    response.on('error', () => {});
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else {
        const body: JsonValue = { error: { message: errorMessage(error), type: 'server_error', code: null } };
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      }
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      const message = `Cannot listen on ${host}:${port}: ${errorMessage(error)}`;
      reject(new AssayError('INPUT', message, { cause: error }));
    };
    server.once('error', fail);
    try {
      server.listen(port, host, () => resolve());
    } catch (error) {
      fail(error);
    }
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  const shown = host === '::1' ? '[::1]' : host;
  return {
    url: `http://${shown}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Splits the target of a request into path and query, without the host that some proxies leave in front. */
export function splitTarget(target: string | undefined): {
  path: string;
  search: string;
  query: URLSearchParams;
} {
  const local = (target ?? '/').replace(/^https?:\/\/[^/]*/i, '');
  const mark = local.indexOf('?');
  const path = mark === -1 ? local : local.slice(0, mark);
  const search = mark === -1 ? '' : local.slice(mark);
  return { path: path === '' ? '/' : path, search, query: new URLSearchParams(search) };
}
