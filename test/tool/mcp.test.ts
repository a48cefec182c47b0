import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer as TestServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createJiti } from 'jiti';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonValue, McpServer } from '../../src/core/index.js';
import {
  openTools,
  type OpenedTools,
  type ServerSurroundings,
  type ToolOutcome,
} from '../../src/tool/index.js';
import { place } from './support.js';

const CHILD = fileURLToPath(new URL('./mcp-child.mjs', import.meta.url));

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function server(behaviour: string, more: Partial<McpServer> = {}, environment: string[] = []): McpServer {
  return {
    name: 'test',
    transport: {
      type: 'command',
      command: [process.execPath, CHILD, ...behaviour.split(' ')],
      environment,
      suiteDirectory: '/the/suite',
    },
    tools: null,
    startMs: 20_000,
    callMs: 20_000,
    ...more,
  };
}

function surroundings(root: string, more: Partial<ServerSurroundings> = {}): ServerSurroundings {
  return {
    workspace: root,
    environment: { PATH: process.env['PATH'] ?? '', HOME: join(root, '..', 'outside') },
    ownEnvironment: { WANTED: 'passed-on', OPENAI_API_KEY: 'sentinel-key' },
    network: 'any',
    signal: null,
    ...more,
  };
}

async function open(one: McpServer, root = place().root): Promise<OpenedTools> {
  const opened = await openTools([one], surroundings(root));
  closers.push(() => opened.close());
  return opened;
}

function call(opened: OpenedTools, name: string, input: JsonValue = {}, signal: AbortSignal | null = null) {
  const tool = opened.tools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return Promise.resolve<ToolOutcome>(tool.execute(input, { workspace: () => '', signal }));
}

/** Processes of this machine whose command line holds a text. */
function running(text: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id) || id === String(process.pid)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

describe('a server of tools that is a program', () => {
  it('gives its tools with their schemas, and answers calls', async () => {
    const opened = await open(server('noisy'));
    const add = opened.tools.find((tool) => tool.name === 'add');
    expect(add).toMatchObject({ description: 'Adds.', parameters: { type: 'object', required: ['a', 'b'] } });
    expect(await call(opened, 'add', { a: 2, b: 3 })).toEqual({ ok: true, text: '5' });
    expect(await call(opened, 'fail')).toEqual({ ok: false, text: 'no such thing' });
    expect(await call(opened, 'nothing')).toEqual({ ok: true, text: '' });
    expect((await call(opened, 'image')).text).toBe('look:\n[image image/png, 4 characters of base64]');
    expect((await call(opened, 'long')).text).toMatch(/^x{1000000}\n\[cut after 1000000 characters\]$/);
    expect((await call(opened, 'add', { a: 'two', b: 3 })).ok).toBe(false);
    expect((await call(opened, 'add', [1, 2])).text).toBe('the arguments of add must be an object');
  });

  it('runs in the workspace, with the environment of the trial and what is passed on by name', async () => {
    const { root } = place();
    const opened = await open(server('plain {{workspace}} {{suite}}/x', {}, ['WANTED']), root);
    const said: { [name: string]: unknown } = JSON.parse((await call(opened, 'where')).text);
    expect(said['directory']).toBe(root);
    expect(said['arguments']).toEqual(['plain', root, '/the/suite/x']);
    expect(said['environment']).toMatchObject({ WANTED: 'passed-on', HOME: join(root, '..', 'outside') });
    expect(JSON.stringify(said)).not.toContain('sentinel-key');
    await call(opened, 'keep', { text: 'here' });
    expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('here');
  });

  it('offers only the tools that are asked for, and none that runs programs', async () => {
    expect((await open(server('plain', { tools: ['fail', 'add'] }))).tools.map((tool) => tool.name)).toEqual([
      'add',
      'fail',
    ]);
    const names = (await open(server('shell'))).tools.map((tool) => tool.name);
    expect(names).toContain('add');
    expect(names).not.toContain('bash');
  });

  it.each([
    ['asked for a tool it does not have', 'plain', { tools: ['ad'] }, /has no tool "ad"/],
    ['asked for a shell', 'shell', { tools: ['bash'] }, /runs programs/],
    ['that offers a name models do not take', 'odd', {}, /a name that models do not take/],
    [
      'that ends at once',
      'broken',
      {},
      /failed while it started: it ended with exit code 3; it last said: no licence found/,
    ],
    ['that never answers', 'silent', { startMs: 600 }, /was not ready after 0.6 s/],
  ])('is refused when it is one %s', async (_name, behaviour, more, why) => {
    await expect(openTools([server(behaviour, more)], surroundings(place().root))).rejects.toThrow(why);
  });

  it('is refused when it cannot be started or a variable is missing', async () => {
    const nowhere = server('plain');
    const transport = { ...nowhere.transport, command: ['/no/such/program'] };
    await expect(openTools([{ ...nowhere, transport }], surroundings(place().root))).rejects.toThrow(
      /it cannot be started/,
    );
    await expect(openTools([server('plain', {}, ['MISSING'])], surroundings(place().root))).rejects.toThrow(
      /needs the environment variable MISSING/,
    );
  });

  it('may not offer a name that is there already', async () => {
    const twice = [server('plain'), server('plain', { name: 'other' })];
    await expect(openTools(twice, surroundings(place().root))).rejects.toThrow(/two tools are called "add"/);
  });

  it('that dies breaks the call in words that say how', async () => {
    const opened = await open(server('plain'));
    await expect(call(opened, 'die')).rejects.toThrow(
      'the MCP server "test" failed while it ran die: it ended with exit code 7; it last said: out of memory',
    );
    await expect(call(opened, 'add', { a: 1, b: 1 })).rejects.toThrow(/ended with exit code 7/);
  });

  it('that takes too long for a call is told as a failed call, and can be called again', async () => {
    const opened = await open(server('plain', { callMs: 500 }));
    expect(await call(opened, 'wait')).toEqual({ ok: false, text: 'wait gave no answer in 0.5 s' });
    expect(await call(opened, 'add', { a: 1, b: 1 })).toEqual({ ok: true, text: '2' });
  });

  it('stops a call when the trial ends', async () => {
    const opened = await open(server('plain'));
    const controller = new AbortController();
    const waiting = call(opened, 'wait', {}, controller.signal);
    controller.abort();
    expect(await waiting).toEqual({ ok: false, text: 'wait was stopped' });
  });

  it('leaves no process, though it and what it started ignore signals and one is in an endless loop', async () => {
    const mark = `assay-stubborn-${process.pid}-${Date.now()}`;
    const opened = await openTools([server(`stubborn ${mark}`, { callMs: 300 })], surroundings(place().root));
    expect(running(mark).length).toBe(2);
    expect((await call(opened, 'hang')).ok).toBe(false);
    await opened.close();
    await expect.poll(() => running(mark)).toEqual([]);
  });

  it('leaves no process when its start is given up', async () => {
    const mark = `assay-silent-${process.pid}-${Date.now()}`;
    const given = openTools([server(`silent ${mark}`, { startMs: 500 })], surroundings(place().root));
    await expect(given).rejects.toThrow(/was not ready/);
    await expect.poll(() => running(mark)).toEqual([]);
  });
});

async function listen(token: string | null): Promise<{ url: string; http: Server }> {
  const http = createServer((request, response) => {
    if (token !== null && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    const test = new TestServer({ name: 'test', version: '1.0.0' });
    test.registerTool('greet', { description: 'Greets.' }, () => ({
      content: [{ type: 'text', text: 'hello' }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void transport.close());
    // The package's own class and interface differ in how they write an absent member.
    void test
      .connect(transport as Parameters<TestServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  closers.push(
    () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(resolve);
      }),
  );
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return { url: `http://127.0.0.1:${address.port}/mcp`, http };
}

function remote(url: string, tokenVariable: string | null = null): McpServer {
  return { ...server('plain'), transport: { type: 'url', url, tokenVariable } };
}

describe('a server of tools at an address', () => {
  it('is called there, with its token', async () => {
    const { url } = await listen('passed-on');
    const opened = await open(remote(url, 'WANTED'));
    expect(await call(opened, 'greet')).toEqual({ ok: true, text: 'hello' });
  });

  it('that refuses us is told so', async () => {
    const { url } = await listen('another');
    await expect(open(remote(url, 'WANTED'))).rejects.toThrow(/failed while it started/);
    await expect(open(remote(url, 'MISSING'))).rejects.toThrow(/needs the environment variable MISSING/);
  });

  it('that goes away breaks the call', async () => {
    const { url, http } = await listen(null);
    const opened = await open(remote(url));
    http.closeAllConnections();
    http.close();
    await expect(call(opened, 'greet')).rejects.toThrow(/the MCP server "test" failed while it ran greet/);
  });

  it('elsewhere is refused where no network may be used', async () => {
    const { url } = await listen(null);
    const near = await openTools([remote(url)], surroundings(place().root, { network: 'loopback' }));
    closers.push(() => near.close());
    expect(near.tools.map((tool) => tool.name)).toEqual(['greet']);
    await expect(
      openTools([remote('http://example.com/mcp')], surroundings(place().root, { network: 'loopback' })),
    ).rejects.toThrow(/a replay uses no network/);
  });
});

describe('the package of the protocol', () => {
  it('is optional: a suite that needs it is told how to install it', async () => {
    // A copy of the sources next to no such package, as in a project that has not installed it.
    const { root } = place();
    const sources = fileURLToPath(new URL('../../', import.meta.url));
    for (const room of ['core', 'thread', 'tool']) {
      cpSync(join(sources, 'src', room), join(root, 'src', room), { recursive: true });
    }
    const copy: { openTools: typeof openTools } = await createJiti(import.meta.url).import(
      join(root, 'src', 'tool', 'index.ts'),
    );
    const opening = copy.openTools([server('plain')], surroundings(root));
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining('needs the package @modelcontextprotocol/sdk') as string,
      fix: 'install it with: npm install @modelcontextprotocol/sdk',
    });
    await expect(copy.openTools(['file_read'], surroundings(root))).resolves.toMatchObject({ tools: [{}] });
  });
});
