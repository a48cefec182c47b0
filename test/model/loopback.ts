import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One request as a server saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** How a server answers one request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A server on the loopback interface. */
export interface Loopback {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a server that uses the answers in order, the last one for all further requests. */
export async function startLoopback(...answers: Answer[]): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const entry: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? {} : JSON.parse(text),
      };
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push(entry);
      answer?.(response, entry);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Answers with a JSON document. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A Chat Completions reply. */
export function completion(message: unknown, more: Record<string, unknown> = {}, finish = 'stop'): Answer {
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'served-model-1',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
    ...more,
  });
}

/** An error as OpenAI's servers report it. */
export function failure(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error: { message, type: 'error', param: null, code: null } }, headers);
}

/** Answers with server-sent events; `end` 'cut' breaks the connection after them. */
export function events(chunks: unknown[], end: 'done' | 'cut' | 'silent' = 'done', split = false): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const lines = chunks.map(
      (chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`,
    );
    if (end === 'done') lines.push('data: [DONE]\n\n');
    const bytes = Buffer.from(lines.join(''));
    const finish = (): void => {
      if (end === 'cut') response.socket?.destroy();
      else response.end();
    };
    if (!split) {
      response.write(bytes, finish);
      return;
    }
    // One byte a write, so that characters and line ends are cut apart.
    let at = 0;
    const step = (): void => {
      if (at >= bytes.length) finish();
      else response.write(bytes.subarray(at, (at += 1)), () => setImmediate(step));
    };
    step();
  };
}

/** One chunk of a Chat Completions stream. */
export function chunk(
  delta: unknown,
  finish: string | null = null,
  more: Record<string, unknown> = {},
): unknown {
  return {
    id: 'chatcmpl-1',
    model: 'served-model-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
}
