import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { fixedSource, isJsonObject } from '../../src/core/index.js';
import {
  startScriptedServer,
  type Protocol,
  type ScriptedServer,
  type ScriptedServerOptions,
  type WireScript,
  type WireStep,
  type WireTrial,
} from '../../src/wire/index.js';

const closers: (() => Promise<unknown>)[] = [];

/** Closes something after the test, whatever happens. */
export function closeLater(close: () => Promise<unknown>): void {
  closers.push(close);
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

export async function server(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const started = await startScriptedServer({ source: fixedSource(1_700_000_000_000), ...options });
  closeLater(() => started.close());
  return started;
}

export async function trialOf(script: WireScript, options: ScriptedServerOptions = {}): Promise<WireTrial> {
  return (await server(options)).openTrial({ id: 'case-1', script });
}

export function text(content: string, more: Partial<WireStep> = {}): WireStep {
  return { type: 'text', content, inputTokens: 10, outputTokens: 5, ...more } as WireStep;
}

export function calls(...toolCalls: [id: string, name: string, args: JsonValue][]): WireStep {
  return {
    type: 'tool_calls',
    toolCalls: toolCalls.map(([id, name, args]) => ({ id, name, arguments: args })),
    inputTokens: 20,
    outputTokens: 7,
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: JsonObject;
}

/** One raw HTTP exchange over a connection of its own. Rejects when the connection breaks. */
export function send(
  url: string,
  options: { method?: string; headers?: { [name: string]: string }; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      { method: options.method ?? 'POST', headers: options.headers ?? {}, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('aborted')));
        response.on('end', () => {
          const body = Buffer.concat(parts).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: body,
            json: objectOf(body),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

function objectOf(body: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(body);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function post(
  url: string,
  body: JsonValue,
  headers: { [name: string]: string } = {},
): Promise<Answer> {
  return send(url, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export interface SentEvent {
  name: string | null;
  data: string;
}

/** The events of a stream, exactly as they were framed. */
export function eventsOf(body: string): SentEvent[] {
  const blocks = body.split('\n\n');
  if (blocks.pop() !== '') throw new Error('the stream does not end with a blank line');
  return blocks.map((block) => {
    const lines = block.split('\n');
    const data = lines.at(-1) ?? '';
    if (!data.startsWith('data: ')) throw new Error(`not a data line: ${data}`);
    const name = lines.length === 2 ? (lines[0] ?? '').replace(/^event: /, '') : null;
    return { name, data: data.slice(6) };
  });
}

export function eventObjects(body: string): JsonObject[] {
  return eventsOf(body)
    .filter((event) => event.data !== '[DONE]')
    .map((event) => objectOf(event.data));
}

/** A member of nested JSON by keys and indexes. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const part of path) {
    if (Array.isArray(found) && typeof part === 'number') found = found[part];
    else if (isJsonObject(found) && typeof part === 'string') found = found[part];
    else return undefined;
  }
  return found;
}

/** The text at a place in nested JSON; '' when it is something else. */
export function textAt(value: JsonValue | undefined, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export const MODES: readonly { protocol: Protocol; stream: boolean; name: string }[] = (
  ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
).flatMap((protocol) =>
  [false, true].map((stream) => ({ protocol, stream, name: `${protocol} ${stream ? 'SSE' : 'JSON'}` })),
);
