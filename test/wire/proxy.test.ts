import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fixedSource } from '../../src/core/index.js';
import {
  fixtureFromCapture,
  scriptFromCapture,
  scriptFromTurns,
  startRecordingProxy,
  type Capture,
  type RecordingProxy,
  type RecordingProxyOptions,
  type WireScript,
} from '../../src/wire/index.js';
import { ask, DIALECTS } from './agent.js';
import { at, calls, closeLater, eventsOf, MODES, post, send, server, text } from './support.js';

async function proxyTo(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy({ source: fixedSource(), ...options });
  closeLater(() => proxy.close());
  return proxy;
}

/** A provider that answers as a test says. */
async function provider(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const upstream = createServer(handle);
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  closeLater(
    () =>
      new Promise<void>((resolve) => {
        upstream.close(() => resolve());
        upstream.closeAllConnections();
      }),
  );
  const address = upstream.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const SCRIPT = scriptFromTurns([
  {
    user: 'Say hi',
    steps: [
      {
        ...calls(['c1', 'write', { message: 'ä 😀' }], ['c2', 'write', { message: '2' }]),
        reasoning: 'I must write.',
      },
      text('Wrote two things 🎉.', { cachedInputTokens: 3 }),
    ],
  },
  { user: 'And now stop', steps: [text('Stopped.', { finishReason: 'length' })] },
]);

describe.each(MODES)('over $name', (mode) => {
  async function record(script: WireScript): Promise<Capture> {
    const upstream = await server();
    const trial = upstream.openTrial({ id: 'upstream', script });
    const proxy = await proxyTo({ upstreams: { [mode.protocol]: trial.baseUrl } });
    const capture = proxy.openCapture({ id: 'recorded' });
    const setting = { ...mode, baseUrl: capture.baseUrl, system: 'You are terse.', tools: ['write'] };
    capture.beginTurn('Say hi');
    const first = await ask(setting, [], 'Say hi');
    capture.beginTurn('And now stop');
    const second = await ask(setting, first.history, 'And now stop');
    expect([first.text, second.text]).toEqual(['Wrote two things 🎉.', 'Stopped.']);
    expect(trial.close().problems).toEqual([]);
    return capture.close();
  }

  test('records the script that the provider played, and the replay of the record records the same again', async () => {
    const first = await record(SCRIPT);
    expect(scriptFromCapture(first)).toEqual(SCRIPT);
    const second = await record(scriptFromCapture(first));
    expect(JSON.stringify(fixtureFromCapture(second, 'x'))).toBe(
      JSON.stringify(fixtureFromCapture(first, 'x')),
    );
  });

  test('passes on what the provider says, byte for byte', async () => {
    const upstream = await server();
    const trial = upstream.openTrial({ id: 'upstream', script: SCRIPT });
    const proxy = await proxyTo({ upstreams: { [mode.protocol]: trial.baseUrl } });
    const dialect = DIALECTS[mode.protocol];
    const body = dialect.body('', [dialect.user('Say hi')], ['write'], mode.stream);
    const through = await post(proxy.openCapture({ id: 'a' }).baseUrl + dialect.path(mode.stream), body);
    const direct = await post(trial.baseUrl + dialect.path(mode.stream), body);
    expect(through.text).toBe(direct.text);
    expect(through.headers['content-type']).toBe(direct.headers['content-type']);
  });
});

const CHAT = DIALECTS['openai-chat'];
const HELLO = CHAT.body('', [CHAT.user('Say hi')], [], false);

const COMPLETION = JSON.stringify({
  id: 'chatcmpl-1',
  model: 'gpt-x',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
});

test('a stream reaches the agent while the provider is still talking', async () => {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  let goOn: () => void = () => {};
  const upstream = await provider((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: 'One ' }, null));
    goOn = () => response.end(`${chunk({ content: 'two' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  const proxy = await proxyTo({ upstreams: { 'openai-chat': upstream } });
  const capture = proxy.openCapture({ id: 'a' });
  const parts = await new Promise<string[]>((resolve, reject) => {
    const sent = httpRequest(
      `${capture.baseUrl}/v1/chat/completions`,
      { method: 'POST', agent: false },
      (response) => {
        const seen: string[] = [];
        response.on('data', (part: Buffer) => {
          seen.push(part.toString());
          goOn();
        });
        response.on('end', () => resolve(seen));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(HELLO));
  });
  expect(parts[0]).toBe(chunk({ role: 'assistant', content: 'One ' }, null));
  expect(eventsOf(parts.join(''))).toHaveLength(4);
  expect(capture.close().exchanges).toMatchObject([{ status: 200, error: null, reply: { text: 'One two' } }]);
});

test('passes the agent’s key on, or the one it is given, and records neither', async () => {
  const seen: (string | undefined)[] = [];
  const upstream = await provider((request, response) => {
    seen.push(request.headers.authorization);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(COMPLETION);
  });
  const own = await proxyTo({ upstreams: { 'openai-chat': upstream } });
  const given = await proxyTo({
    upstreams: { 'openai-chat': { url: upstream, headers: { Authorization: 'Bearer given-key' } } },
  });
  const captures: Capture[] = [];
  for (const proxy of [own, given]) {
    const capture = proxy.openCapture({ id: 'a' });
    await post(`${capture.baseUrl}/v1/chat/completions?key=query-key`, HELLO, {
      authorization: 'Bearer agent-key',
    });
    captures.push(capture.close());
  }
  expect(seen).toEqual(['Bearer agent-key', 'Bearer given-key']);
  expect(JSON.stringify(captures)).not.toMatch(/agent-key|given-key|query-key/);
});

test('hides keys in what it records and passes them on as they are', async () => {
  const secret = `sk-${'a1B2'.repeat(10)}`;
  let received = '';
  const upstream = await provider((request, response) => {
    request.on('data', (part: Buffer) => (received += part.toString()));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(COMPLETION.replace('Hello', `Your key is ${secret} and your name is Bob.`));
    });
  });
  const proxy = await proxyTo({
    upstreams: { 'openai-chat': upstream },
    redact: (shown) => shown.replaceAll('Bob', 'NAME'),
  });
  const capture = proxy.openCapture({ id: 'a' });
  const history = [
    CHAT.user(`My key: ${secret}`),
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'write', arguments: `{"message":"${secret}"}` } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: `Authorization: Bearer ${'t0k'.repeat(10)}` },
  ];
  const body = { ...CHAT.body('', history, ['write'], false), metadata: { api_key: 'short', note: secret } };
  const answer = await post(`${capture.baseUrl}/v1/chat/completions`, body);
  expect(answer.text).toContain(secret);
  expect(received).toContain(secret);
  const recorded = capture.close();
  const kept = JSON.stringify([recorded, fixtureFromCapture(recorded, 'x')]);
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain('t0kt0k');
  expect(kept).not.toContain('"short"');
  expect(recorded.exchanges[0]?.reply?.text).toBe('Your key is [REDACTED] and your name is NAME.');
  expect(recorded.exchanges[0]?.request.messages[1]?.toolCalls?.[0]?.arguments).toBe(
    '{"message":"[REDACTED]"}',
  );
});

test('an error of the provider goes to the agent with its headers, and the try that follows counts', async () => {
  let count = 0;
  const upstream = await provider((request, response) => {
    request.resume();
    count += 1;
    response.writeHead(count === 1 ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(count === 1 ? '{"error":{"message":"slow down"}}' : COMPLETION);
  });
  const proxy = await proxyTo({ upstreams: { 'openai-chat': upstream } });
  const capture = proxy.openCapture({ id: 'a' });
  const first = await post(`${capture.baseUrl}/v1/chat/completions`, HELLO);
  expect([first.status, first.headers['retry-after'], first.text]).toEqual([
    429,
    '7',
    '{"error":{"message":"slow down"}}',
  ]);
  await post(`${capture.baseUrl}/v1/chat/completions`, HELLO);
  const recorded = capture.close();
  expect(recorded.exchanges.map((exchange) => [exchange.status, exchange.error])).toEqual([
    [429, 'The provider answered with status 429.'],
    [200, null],
  ]);
  expect(scriptFromCapture(recorded).lanes).toHaveLength(1);
  expect(fixtureFromCapture(recorded, 'x').notes).toEqual([
    'Request 1 has no reply: The provider answered with status 429.',
  ]);
});

test('a provider that cannot be reached is a 502 in the words of the protocol', async () => {
  const proxy = await proxyTo({ upstreams: { anthropic: 'http://127.0.0.1:9' } });
  const capture = proxy.openCapture({ id: 'a' });
  const answer = await post(`${capture.baseUrl}/v1/messages`, { model: 'm', messages: [] });
  expect(answer).toMatchObject({ status: 502, json: { type: 'error', error: { type: 'api_error' } } });
  expect(capture.close().exchanges).toMatchObject([{ status: 0, reply: null }]);
});

test('an answer that breaks off breaks off for the agent too, and is no step', async () => {
  const upstream = await provider((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":"x","choices":[{"index":0,"delta":{"content":"Hal"}}]}\n\n', () =>
      response.destroy(),
    );
  });
  const proxy = await proxyTo({ upstreams: { 'openai-chat': upstream } });
  const capture = proxy.openCapture({ id: 'a' });
  await expect(post(`${capture.baseUrl}/v1/chat/completions`, { ...HELLO, stream: true })).rejects.toThrow();
  const recorded = capture.close();
  expect(recorded.exchanges).toMatchObject([{ reply: null, error: expect.any(String) }]);
  expect(scriptFromCapture(recorded)).toEqual({ lanes: [] });
});

test('a compressed request is passed on as it is, and a compressed answer is understood', async () => {
  let received: Buffer = Buffer.alloc(0);
  const upstream = await provider((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received = Buffer.concat(parts);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(COMPLETION));
    });
  });
  const proxy = await proxyTo({ upstreams: { 'openai-chat': upstream } });
  const capture = proxy.openCapture({ id: 'a' });
  const packed = gzipSync(JSON.stringify(HELLO));
  const answer = await send(`${capture.baseUrl}/v1/chat/completions`, {
    headers: { 'content-encoding': 'gzip' },
    body: packed,
  });
  expect(received.equals(packed)).toBe(true);
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(capture.close().exchanges).toMatchObject([
    { request: { model: 'model-x' }, reply: { text: 'Hello' } },
  ]);
});

test.each([
  ['', '/v1/chat/completions', '/v1/chat/completions'],
  ['/v1', '/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/', '/chat/completions', '/v1/chat/completions'],
  ['/proxy/openai/v1', '/v1/chat/completions?x=1', '/proxy/openai/v1/chat/completions?x=1'],
  ['/proxy', '/v1/models', '/proxy/v1/models'],
])('forwards to %s%s as %s', async (base, path, expected) => {
  const seen: (string | undefined)[] = [];
  const upstream = await provider((request, response) => {
    seen.push(request.url);
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(COMPLETION);
  });
  const proxy = await proxyTo({ upstreams: { 'openai-chat': `${upstream}${base}` } });
  const capture = proxy.openCapture({ id: 'a' });
  const asked = path.endsWith('models') ? { method: 'GET' } : { body: JSON.stringify(HELLO) };
  await send(capture.baseUrl + path, asked);
  expect(seen).toEqual([expected]);
  expect(capture.close().exchanges).toHaveLength(path.endsWith('models') ? 0 : 1);
});

test('refuses what it cannot forward', async () => {
  await expect(startRecordingProxy({ upstreams: {} })).rejects.toThrow(/no provider/);
  await expect(startRecordingProxy({ upstreams: { gemini: 'api.example.com' } })).rejects.toThrow(
    /not an address/,
  );
  await expect(startRecordingProxy({ upstreams: { gemini: 'file:///etc' } })).rejects.toThrow(
    /not an address/,
  );
  const proxy = await proxyTo({ upstreams: { gemini: 'http://127.0.0.1:9' } });
  const capture = proxy.openCapture({ id: 'a' });
  expect(() => proxy.openCapture({ id: 'a' })).toThrow(/used before/);
  expect((await post(`${capture.baseUrl}/v1/messages`, {})).status).toBe(404);
  expect((await post(`${proxy.url}/v1/messages`, {})).status).toBe(404);
  const upgrade = { method: 'GET', headers: { connection: 'Upgrade', upgrade: 'websocket' } };
  expect((await send(`${capture.baseUrl}/v1/responses`, upgrade)).status).toBe(426);
});

test('an agent that leaves ends the request to the provider', async () => {
  const left = new Promise<boolean>((resolve) => {
    void provider((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
      response.on('close', () => resolve(!response.writableFinished));
    }).then(async (upstream) => {
      const proxy = await proxyTo({ upstreams: { 'openai-chat': upstream } });
      const capture = proxy.openCapture({ id: 'a' });
      const sent = httpRequest(
        `${capture.baseUrl}/v1/chat/completions`,
        { method: 'POST', agent: false },
        (response) => {
          response.once('data', () => response.destroy());
        },
      );
      sent.on('error', () => {});
      sent.end(JSON.stringify(HELLO));
    });
  });
  expect(await left).toBe(true);
});

test('says of each answer what came of it, as it comes', async () => {
  const upstream = await server();
  const trial = upstream.openTrial({ id: 'u', script: SCRIPT });
  const seen: unknown[] = [];
  const proxy = await proxyTo({
    upstreams: { anthropic: trial.baseUrl },
    onExchange: (capture, exchange) =>
      seen.push([capture.id, exchange.number, exchange.status, exchange.protocol]),
  });
  const capture = proxy.openCapture({ id: 'a' });
  await ask(
    { baseUrl: capture.baseUrl, protocol: 'anthropic', stream: true, tools: ['write'] },
    [],
    'Say hi',
  );
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(seen).toEqual([
    ['a', 1, 200, 'anthropic'],
    ['a', 2, 200, 'anthropic'],
  ]);
  expect(at(capture.close().exchanges.map((exchange) => exchange.number))).toEqual([1, 2]);
});
