import { gzipSync, deflateSync, brotliCompressSync } from 'node:zlib';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { PROTOCOLS, scriptFromTurns, wireEvidence, type Protocol } from '../../src/wire/index.js';
import { DIALECTS } from './agent.js';
import { at, post, send, server, text, trialOf } from './support.js';

const HI = scriptFromTurns([{ user: 'Say hi', steps: [text('Hello there')] }]);

function hiBody(protocol: Protocol, stream = false): string {
  const dialect = DIALECTS[protocol];
  return JSON.stringify(dialect.body('', [dialect.user('Say hi')], [], stream));
}

const PATHS: [Protocol, string][] = [
  ['anthropic', '/v1/messages'],
  ['anthropic', '/v1/messages?beta=true'],
  ['anthropic', '/messages'],
  ['openai-chat', '/v1/chat/completions'],
  ['openai-chat', '/chat/completions'],
  ['openai-responses', '/v1/responses'],
  ['openai-responses', '/responses/'],
  ['gemini', '/v1beta/models/model-x:generateContent'],
  ['gemini', '/models/model-x:generateContent'],
  ['gemini', '/v1/projects/p/locations/l/publishers/google/models/model-x:generateContent'],
];

test.each(PATHS)('serves %s at a path that ends as %s does', async (protocol, path) => {
  const trial = await trialOf(HI);
  const answer = await send(trial.baseUrl + path, { body: hiBody(protocol) });
  expect(answer.status).toBe(200);
  expect(DIALECTS[protocol].read(answer, false).text).toBe('Hello there');
});

test.each(PROTOCOLS)('gives an address for %s that clients can be configured with', async (protocol) => {
  const trial = await trialOf(HI);
  const ends = { anthropic: '', 'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta' };
  expect(trial.urls[protocol]).toBe(`${trial.baseUrl}${ends[protocol]}`);
});

test('Gemini streams by the verb in its path and not by its body', async () => {
  const trial = await trialOf(HI);
  const url = `${trial.baseUrl}/v1beta/models/model-x:streamGenerateContent`;
  const sse = await send(`${url}?alt=sse`, { body: hiBody('gemini') });
  expect(sse.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(sse.text.startsWith('data: {')).toBe(true);
  const array = await send(url, { body: hiBody('gemini') });
  expect(array.headers['content-type']).toContain('application/json');
  expect(Array.isArray(JSON.parse(array.text))).toBe(true);
});

test('accepts any key in any header and keeps none of them', async () => {
  const trial = await trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: [text('one'), text('two'), text('three'), text('four')] }]),
  );
  const body = hiBody('anthropic');
  const keys = [
    { 'x-api-key': 'secret-in-header' },
    { authorization: 'Bearer secret-in-header', 'anthropic-version': '2999-01-01', 'anthropic-beta': 'x,y' },
    { 'x-goog-api-key': 'secret-in-header' },
  ];
  for (const headers of keys) {
    expect((await send(`${trial.baseUrl}/v1/messages`, { headers, body })).status).toBe(200);
  }
  const url = `${trial.baseUrl}/v1beta/models/m:generateContent?key=secret-in-query`;
  expect((await send(url, { body: hiBody('gemini') })).status).toBe(200);
  const kept = JSON.stringify([trial.exchanges, wireEvidence(trial), trial.close()]);
  expect(kept).not.toContain('secret-in');
});

test('ignores body fields it does not know', async () => {
  const trial = await trialOf(HI);
  const body = { ...JSON.parse(hiBody('openai-chat')), brand_new: { deep: [1, null] }, temperature: 2 };
  expect((await post(`${trial.baseUrl}/v1/chat/completions`, body)).status).toBe(200);
  expect(trial.exchanges[0]?.request.parameters).toMatchObject({
    brand_new: { deep: [1, null] },
    temperature: 2,
  });
});

test('takes a body of tens of megabytes', async () => {
  const trial = await trialOf(HI);
  const dialect = DIALECTS.anthropic;
  const body = dialect.body('x'.repeat(30_000_000), [dialect.user('Say hi')], [], false);
  expect((await post(`${trial.baseUrl}/v1/messages`, body)).status).toBe(200);
  expect(trial.exchanges[0]?.request.system).toHaveLength(30_000_000);
});

test('refuses a body beyond its limit, as it is and decompressed, and takes one at the limit', async () => {
  const padded = { ...JSON.parse(hiBody('openai-chat')), pad: '' };
  padded.pad = 'p'.repeat(5000 - JSON.stringify(padded).length);
  const exact = JSON.stringify(padded);
  const trial = await trialOf(HI, { largestBody: 5000 });
  const url = `${trial.baseUrl}/v1/chat/completions`;
  expect(exact).toHaveLength(5000);
  expect((await send(url, { body: exact })).status).toBe(200);
  expect((await send(url, { body: `${exact} ` })).status).toBe(413);
  const bomb = gzipSync(`${exact}${' '.repeat(1_000_000)}`);
  expect(bomb.length).toBeLessThan(5000);
  expect((await send(url, { body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(400);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('reads a %s body and answers uncompressed', async (encoding, compress) => {
  const trial = await trialOf(HI);
  const answer = await send(`${trial.baseUrl}/v1/messages`, {
    headers: { 'content-encoding': encoding, 'accept-encoding': 'gzip, br' },
    body: compress(hiBody('anthropic')),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(at(answer.json, 'content', 0, 'text')).toBe('Hello there');
});

test('refuses a body that is not what it says, in the words of the protocol, and reports it', async () => {
  const trial = await trialOf(HI);
  const url = `${trial.baseUrl}/v1/messages`;
  const notGzip = await send(url, { body: '{}', headers: { 'content-encoding': 'gzip' } });
  const notKnown = await send(url, { body: '{}', headers: { 'content-encoding': 'rot13' } });
  const notJson = await send(url, { body: '{"model":' });
  const notObject = await send(url, { body: '[]' });
  expect([notGzip, notKnown, notJson, notObject].map((answer) => answer.status)).toEqual([
    400, 415, 400, 400,
  ]);
  expect(notJson.json).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  const kinds = trial.close().problems.map((problem) => problem.kind);
  expect(kinds).toEqual(['refused', 'refused', 'refused', 'refused', 'leftover']);
});

test.each(['/', '/api/hello'])('answers HEAD %s with 200 and no body', async (path) => {
  const trial = await trialOf(HI);
  for (const url of [trial.baseUrl + path, new URL(path, trial.baseUrl).href]) {
    expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  }
});

test('counts tokens and lists models without using up a step', async () => {
  const trial = await trialOf(HI);
  const { baseUrl } = trial;
  const count = await post(`${baseUrl}/v1/messages/count_tokens`, { messages: [] });
  expect(count).toMatchObject({ status: 200, json: { input_tokens: 10 } });
  const gemini = await post(`${baseUrl}/v1beta/models/m:countTokens`, { contents: [] });
  expect(gemini).toMatchObject({ status: 200, json: { totalTokens: 10 } });
  const input = await post(`${baseUrl}/v1/responses/input_tokens`, { input: 'x' });
  expect(input).toMatchObject({ status: 200, json: { object: 'response.input_tokens', input_tokens: 10 } });
  const openai = await send(`${baseUrl}/v1/models`, { method: 'GET' });
  expect(openai.json).toMatchObject({ object: 'list', data: [{ object: 'model' }] });
  const anthropic = await send(`${baseUrl}/v1/models`, {
    method: 'GET',
    headers: { 'anthropic-version': 'x' },
  });
  expect(anthropic.json).toMatchObject({ has_more: false, data: [{ type: 'model' }] });
  const google = await send(`${baseUrl}/v1beta/models`, { method: 'GET' });
  expect(at(google.json, 'models', 0, 'name')).toBe('models/scripted');
  const one = await send(`${baseUrl}/v1/models/gpt-z`, { method: 'GET' });
  expect(one.json).toMatchObject({ id: 'gpt-z', object: 'model' });
  expect(trial.exchanges).toHaveLength(0);
  expect((await send(`${baseUrl}/v1/messages`, { body: hiBody('anthropic') })).status).toBe(200);
  expect(trial.close().problems).toEqual([]);
});

test('answers a WebSocket upgrade with 426 and goes on', async () => {
  const trial = await trialOf(HI);
  const url = new URL(`${trial.baseUrl}/v1/responses`);
  const reply = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(
        `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
    });
    let received = '';
    socket.on('data', (part) => (received += part.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
  expect(reply).toMatch(/^HTTP\/1\.1 426 /);
  expect((await send(url.href, { body: hiBody('openai-responses') })).status).toBe(200);
  expect(trial.close().problems).toEqual([]);
});

test('passes over an offer of HTTP/2, which some clients make with every plain request', async () => {
  const trial = await trialOf(HI);
  const answer = await send(`${trial.baseUrl}/v1/messages`, {
    headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQ' },
    body: hiBody('anthropic'),
  });
  expect(answer.status).toBe(200);
});

test('says 404 in the words of the protocol where nothing is served, and lists the path without its query', async () => {
  const trial = await trialOf(HI);
  const other = await send(`${trial.baseUrl}/api/event_logging/batch?token=secret`, { body: '{}' });
  expect(other.status).toBe(404);
  const closed = await post(trial.baseUrl.replace('case-1', 'case-2') + '/v1/messages', {});
  expect(closed).toMatchObject({ status: 404, json: { type: 'error', error: { type: 'not_found_error' } } });
  expect(trial.close().otherPaths).toEqual(['/api/event_logging/batch']);
});

test('a closed trial answers no more, and its id cannot be used again', async () => {
  const started = await server();
  const trial = started.openTrial({ id: 'a', script: HI });
  const report = trial.close();
  expect(trial.close()).toBe(report);
  expect((await send(`${trial.baseUrl}/v1/messages`, { body: hiBody('anthropic') })).status).toBe(404);
  expect(() => started.openTrial({ id: 'a', script: HI })).toThrow(/used before/);
});

test('listens on this machine only', async () => {
  expect((await server()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(server({ host: '0.0.0.0' as '127.0.0.1' })).rejects.toThrow(/this machine only/);
});

test('ids with odd characters and alike ids have addresses of their own', async () => {
  const started = await server();
  const ids = ['../../etc/passwd', '..  etc  passwd', '日本', '日本語', 'a?b#c', ''];
  const urls = ids.map((id) => started.openTrial({ id, script: HI }).baseUrl);
  expect(new Set(urls).size).toBe(ids.length);
  for (const url of urls) expect(new URL(url).pathname).toMatch(/^\/t\/[a-z0-9-]+$/);
});

test('a body nested beyond all reason fails its own trial and nothing else', async () => {
  const trial = await trialOf(HI);
  const url = `${trial.baseUrl}/v1/messages`;
  const deep = `{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}]}`;
  const answer = await send(url, { body: deep });
  expect(answer).toMatchObject({ status: 400, json: { type: 'error' } });
  expect((await send(url, { body: hiBody('anthropic') })).status).toBe(200);
  expect(trial.close().problems.map((problem) => problem.kind)).toEqual(['refused']);
});

test('keys that mean something to the language are plain data', async () => {
  const trial = await trialOf(HI);
  const body = `{"model":"m","messages":[{"role":"user","content":"Say hi"}],"__proto__":{"polluted":true},"constructor":1}`;
  expect((await send(`${trial.baseUrl}/v1/messages`, { body })).status).toBe(200);
  expect(Object.keys(trial.exchanges[0]?.request.parameters ?? {})).toEqual(['__proto__', 'constructor']);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test.each([{ writeBytes: 0 }, { writeBytes: 1.5 }, { largestBody: -1 }, { port: 70_000 }])(
  'refuses the option %o',
  async (options) => {
    await expect(server(options)).rejects.toMatchObject({ code: 'INPUT' });
  },
);

test('a port that is taken is said to be', async () => {
  const first = await server();
  await expect(server({ port: Number(new URL(first.url).port) })).rejects.toThrow(
    /Cannot listen on 127\.0\.0\.1/,
  );
});
