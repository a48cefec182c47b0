import { createServer } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/index.js';
import { startScriptedServer, type WireItem, type WireStep, type WireTrial } from '../../src/wire/index.js';
import { assay, project, type Ended, type Project } from '../cli/run-cli.js';

const closers: (() => unknown)[] = [];

/** Undoes something after the test, whatever happens. */
export function later(close: () => unknown): void {
  closers.push(close);
}

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A project that is gone after the test; its `tmp` is where everything temporary goes. */
export function workplace(files: Record<string, unknown>): Project & { tmp: string } {
  const made = project(files);
  later(() => made.remove());
  const tmp = join(made.root, 'tmp');
  mkdirSync(tmp);
  return { ...made, tmp };
}

/** Runs the command line in a project, with the project's own place for temporary files. */
export function run(
  place: Project & { tmp: string },
  words: readonly string[],
  environment: Record<string, string> = {},
  onStderr?: (text: string) => void,
): Promise<Ended> {
  return assay(place.root, ['run', ...words], {
    environment: { TMPDIR: place.tmp, ...environment },
    ...(onStderr === undefined ? {} : { onStderr }),
  });
}

/** The JSON document on stdout. */
export function reportOf(ended: Ended): JsonObject {
  const value: JsonValue = JSON.parse(ended.stdout);
  if (!isJsonObject(value)) throw new Error(`no report: ${ended.stdout}`);
  return value;
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

/** A step that answers in words. */
export function says(content: string): WireStep {
  return { type: 'text', content, inputTokens: 10, outputTokens: 5 };
}

/** A step that asks for tools. */
export function calls(...toolCalls: [name: string, input: JsonValue][]): WireStep {
  return {
    type: 'tool_calls',
    toolCalls: toolCalls.map(([name, input], index) => ({ id: `call_${index + 1}`, name, arguments: input })),
    inputTokens: 20,
    outputTokens: 7,
  };
}

/** A model server that plays a script, and the reference under which it is named. */
export async function scriptedModel(items: WireItem[]): Promise<{ model: string; trial: WireTrial }> {
  const server = await startScriptedServer();
  later(() => server.close());
  const trial = server.openTrial({ id: 'live', script: { lanes: [{ name: 'main', items }] } });
  return { model: `openai-compatible:loopback@${trial.urls['openai-chat']}`, trial };
}

/** What a model server of our own answers: words, calls, or nothing at all. */
export type Reply =
  | { text: string }
  | { calls: [name: string, input: JsonValue][] }
  | { status: number }
  | 'silence';

/** A model server that decides by what it is asked; for what no script can play. */
export async function decidingModel(
  decide: (body: JsonObject, count: number) => Reply,
): Promise<{ model: string; seen: JsonObject[] }> {
  const seen: JsonObject[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body: JsonValue = JSON.parse(Buffer.concat(parts).toString('utf8'));
      if (!isJsonObject(body)) throw new Error('not an object');
      seen.push(body);
      const reply = decide(body, seen.length);
      if (reply === 'silence') return;
      if ('status' in reply) {
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `status ${reply.status}` } }));
        return;
      }
      const message =
        'text' in reply
          ? { role: 'assistant', content: reply.text }
          : {
              role: 'assistant',
              content: null,
              tool_calls: reply.calls.map(([name, input], index) => ({
                id: `call_${seen.length}_${index}`,
                type: 'function',
                function: { name, arguments: JSON.stringify(input) },
              })),
            };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'x',
          object: 'chat.completion',
          created: 1,
          model: 'deciding',
          choices: [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }],
          usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { model: `openai-compatible:deciding@http://127.0.0.1:${port}/v1`, seen };
}

/** Every file below a directory, by path, as text. */
export function filesBelow(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path).isFile()) found.set(name, readFileSync(path, 'latin1'));
  }
  return found;
}

/** Processes whose command line holds a text. */
export function running(text: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id) || id === String(process.pid)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}
