import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assay, CLI, cleanEnvironment, type Project } from '../cli/run-cli.js';
import { callTool, mcpProject, runStates, slowCalls, until } from './support.js';

interface Served {
  url: URL;
  stop: () => void;
  code: Promise<number | null>;
}

/** The server as a process; gives its address once it listens. */
async function serve({ root }: Project, environment: Record<string, string> = {}): Promise<Served> {
  const child = spawn(process.execPath, [CLI, 'mcp', '--http'], {
    cwd: root,
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const code = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await until(() => stdout.includes('\n'));
  return { url: new URL(stdout.trim()), stop: () => void child.kill('SIGTERM'), code };
}

async function clientAt(url: URL, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), {
    timeout: 150_000,
  });
  onTestFinished(() => client.close());
  return client;
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

/** One bare request; gives status and body. */
function send(
  url: URL,
  headers: Record<string, string>,
  body: string,
  method = 'POST',
): Promise<{ status: number; text: string }> {
  return new Promise((done, failed) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', failed);
    sent.end(method === 'GET' ? undefined : body);
  });
}

describe('an official client over HTTP', () => {
  test('runs a suite with progress, and reads the result; a second client sees the same runs', async () => {
    const { url, stop, code } = await serve(mcpProject());
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = await clientAt(url);
    const told: number[] = [];
    const result = await client.callTool(
      { name: 'run_suite', arguments: { suite: 'evals/regression' } },
      undefined,
      { timeout: 150_000, onprogress: ({ progress }) => told.push(progress) },
    );
    expect(result.isError).not.toBe(true);
    expect(told.at(0)).toBe(0);
    expect(told.at(-1)).toBe(2);
    const other = await clientAt(url);
    expect((await other.listTools()).tools.length).toBeGreaterThan(10);
    expect((await callTool(other, 'show_results')).facts).toMatchObject({ outcome: 'passed', passed: 2 });
    expect(await callTool(other, 'run_suite', { suite: 'coded' })).toMatchObject({ isError: true });
    stop();
    expect(await code).toBe(0);
  });

  test('cancels a run, and resumes it', async () => {
    const made = mcpProject();
    const { url } = await serve(made);
    const client = await clientAt(url);
    const cancel = new AbortController();
    const running = client.callTool(
      { name: 'run_suite', arguments: { suite: 'slow', allow_spend: true } },
      undefined,
      { signal: cancel.signal, timeout: 150_000 },
    );
    await until(() => slowCalls(made).length === 2);
    cancel.abort('enough');
    await expect(running).rejects.toThrow(/enough/);
    await until(async () => (await runStates(client))[0] === 'interrupted');
    made.write('go', '');
    const resumed = await callTool(client, 'run_suite', { resume: 'slow/latest', allow_spend: true });
    expect(resumed.facts).toMatchObject({ outcome: 'passed', reused_trials: 1, trials: 3 });
  });

  test('is not cut off from runs that another client started', async () => {
    const made = mcpProject();
    const { url } = await serve(made);
    const first = await clientAt(url);
    const { job } = (
      await callTool(first, 'run_suite', { suite: 'slow', allow_spend: true, background: true })
    ).facts;
    await first.close();
    const second = await clientAt(url);
    made.write('go', '');
    const ended = await callTool(second, 'run_status', { job, wait_seconds: 100 });
    expect(ended.facts).toMatchObject({ status: 'ended', outcome: 'passed' });
  });
});

describe('the address', () => {
  test('is served to programs of this machine alone: other hosts and pages are refused', async () => {
    const { url } = await serve(mcpProject());
    const body = JSON.stringify(HELLO);
    const { port } = url;
    const refused: [Record<string, string>, number][] = [
      [{ host: 'example.com' }, 403],
      [{ host: `evil.test:${port}` }, 403],
      [{ host: '127.0.0.1:1' }, 403],
      [{ origin: 'https://example.com' }, 403],
      [{ origin: 'http://localhost:1' }, 403],
      [{ origin: 'null' }, 403],
    ];
    for (const [headers, status] of refused) {
      expect({ headers, ...(await send(url, headers, body)) }).toMatchObject({ headers, status });
    }
    expect((await send(new URL('/other', url), {}, body)).status).toBe(404);
    expect(
      (await send(url, { host: `localhost:${port}`, origin: `http://localhost:${port}` }, body)).status,
    ).toBe(200);
  });

  test('answers what is no protocol, and goes on', async () => {
    const { url } = await serve(mcpProject());
    expect((await send(url, {}, '{"jsonrpc":')).status).toBe(400);
    expect((await send(url, {}, '[]')).status).toBe(400);
    expect(
      (await send(url, {}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).status,
    ).toBe(400);
    expect((await send(url, { 'mcp-session-id': 'x' }, JSON.stringify(HELLO))).status).toBe(404);
    expect((await send(url, { 'content-type': 'text/plain' }, JSON.stringify(HELLO))).status).toBe(415);
    expect((await send(url, {}, `"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
    expect((await send(url, {}, '', 'GET')).status).toBeGreaterThanOrEqual(400);
    expect((await send(url, {}, '', 'PUT')).status).toBe(405);
    expect((await (await clientAt(url)).listTools()).tools.length).toBeGreaterThan(10);
  });

  test('stays open for new clients when many have gone without a word', async () => {
    const { url } = await serve(mcpProject());
    for (let number = 0; number < 40; number += 1) {
      expect((await send(url, {}, JSON.stringify(HELLO))).status).toBe(200);
    }
    expect(await (await clientAt(url)).ping()).toEqual({});
  });

  test('wants the token, where one is set', async () => {
    const { url } = await serve(mcpProject(), { ASSAY_MCP_TOKEN: 'secret-1' });
    const body = JSON.stringify(HELLO);
    expect((await send(url, {}, body)).status).toBe(401);
    expect((await send(url, { authorization: 'Bearer secret-2' }, body)).status).toBe(401);
    const client = await clientAt(url, { authorization: 'Bearer secret-1' });
    expect(await client.ping()).toEqual({});
  });

  test('that is taken is said, in one line', async () => {
    const made = mcpProject();
    const { url } = await serve(made);
    const ended = await assay(made.root, ['mcp', '--http', '--port', url.port]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`^assay: port ${url.port} of 127\\.0\\.0\\.1 cannot be used: `));
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });
});
