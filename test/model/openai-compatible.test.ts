import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { tmpdir } from 'node:os';
import { generateText, streamText, tool, stepCountIs, wrapLanguageModel } from 'ai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemSource } from '../../src/core/index.js';
import { resolveModel, type ModelContext, type ResolvedModel } from '../../src/model/index.js';
import {
  chunk,
  completion,
  events,
  failure,
  json,
  startLoopback,
  type Answer,
  type Loopback,
} from './loopback.js';
import { ask, callModel, failureOf, testServices } from './support.js';

const servers: Loopback[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(...answers: Answer[]): Promise<Loopback> {
  const server = await startLoopback(...answers);
  servers.push(server);
  return server;
}

function open(server: Loopback, more: Partial<ModelContext> = {}): Promise<ResolvedModel> {
  return resolveModel(`openai-compatible:local-model@${server.url}`, {
    directory: tmpdir(),
    environment: {},
    source: systemSource(),
    ...more,
  });
}

async function parts(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<LanguageModelV3StreamPart[]> {
  const all: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) all.push(part);
  return all;
}

const echo = {
  type: 'function' as const,
  name: 'echo',
  description: 'Says it back.',
  inputSchema: { type: 'object' as const, properties: { text: { type: 'string' as const } } },
};

describe('a request', () => {
  test('has the settings, tools, schema and history in the words of Chat Completions', async () => {
    const server = await start(completion({ role: 'assistant', content: '{"ok":true}' }));
    const resolved = await open(server, {
      effort: 'low',
      config: {
        endpoints: {
          [`${server.url}/`]: { options: { top_k: 3, temperature: 9 }, headers: { 'x-team': 'evals' } },
        },
      },
    });
    const request = ask('', {
      system: 'Be brief.',
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'first' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'thinking' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: { text: 'é' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'echo', output: { type: 'text', value: 'é' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
          ],
        },
      ],
      tools: [echo],
      toolChoice: { type: 'tool', toolName: 'echo' },
      responseFormat: { type: 'json', name: 'verdict', schema: { type: 'object' } },
      temperature: 0,
      maxOutputTokens: 100,
      seed: 7,
      topK: 4,
      stopSequences: ['END'],
    });
    const answer = await callModel(resolved, request, testServices());
    expect(server.seen[0]?.path).toBe('/v1/chat/completions');
    expect(server.seen[0]?.headers).toMatchObject({ 'x-team': 'evals', 'content-type': 'application/json' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(server.seen[0]?.body).toEqual({
      model: 'local-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'first' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"text":"é"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'é' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'echo', description: 'Says it back.', parameters: echo.inputSchema },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'echo' } },
      response_format: { type: 'json_schema', json_schema: { name: 'verdict', schema: { type: 'object' } } },
      temperature: 0,
      max_tokens: 100,
      seed: 7,
      stop: ['END'],
      top_k: 3,
      reasoning_effort: 'low',
    });
    expect(answer.warnings).toEqual(['unsupported: topK']);
  });

  test('sends a key only to a server that the configuration names', async () => {
    const server = await start(completion({ content: 'hi' }));
    const other = await start(completion({ content: 'hi' }));
    const config = { endpoints: { [server.url]: { api_key: { environment: 'LOCAL_KEY' } } } };
    const environment = { LOCAL_KEY: 'key-of-the-server' };
    await callModel(await open(server, { config, environment }), ask('hello'), testServices());
    await callModel(await open(other, { config, environment }), ask('hello'), testServices());
    expect(server.seen[0]?.headers.authorization).toBe('Bearer key-of-the-server');
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('takes a key from a command without a shell, and says which command gave none', async () => {
    const server = await start(completion({ content: 'hi' }));
    const command = [process.execPath, '-e', 'console.log(process.argv[1])', '$(id); key one'];
    const config = { endpoints: { [server.url]: { api_key: { command } } } };
    await callModel(await open(server, { config }), ask('hello'), testServices());
    expect(server.seen[0]?.headers.authorization).toBe('Bearer $(id); key one');
    const failing = [process.execPath, '-e', 'console.log("secret-part"); process.exit(3)'];
    const error = await failureOf(
      open(server, { config: { endpoints: { [server.url]: { api_key: { command: failing } } } } }),
    );
    expect(error).toMatchObject({ kind: 'login-needed' });
    expect(error.message).toContain('exited with 3');
    expect(error.describe()).not.toContain('secret-part');
  });

  test('refuses a missing key before anything is sent, naming the variable', async () => {
    const server = await start(completion({ content: 'hi' }));
    const config = { endpoints: { [server.url]: { api_key: { environment: 'LOCAL_KEY' } } } };
    const error = await failureOf(open(server, { config }));
    expect(error.kind).toBe('login-needed');
    expect(error.message).toContain('LOCAL_KEY');
    expect(server.seen).toEqual([]);
  });
});

describe('a reply', () => {
  test('gives text, reasoning, tool calls, tokens, cost and the model as served', async () => {
    const server = await start(
      completion(
        {
          content: 'I will.',
          reasoning_content: 'hmm',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"text":"a"}' } },
            { id: '', type: 'function', function: { name: 'echo', arguments: '' } },
          ],
        },
        {
          usage: {
            prompt_tokens: 20,
            completion_tokens: 5,
            cost: 0.125,
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        },
        'tool_calls',
      ),
    );
    const answer = await callModel(await open(server), ask('hello', { tools: [echo] }), testServices());
    expect(answer).toMatchObject({
      text: 'I will.',
      content: [
        { type: 'reasoning', text: 'hmm' },
        { type: 'text', text: 'I will.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: '{"text":"a"}' },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'echo', input: '{}' },
      ],
      usage: { inputTokens: 20, outputTokens: 5, reasoningTokens: 2 },
      cost: 0.125,
      servedModel: 'served-model-1',
      finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    });
  });

  test('has a price when the server reports none and the table knows the served model', async () => {
    const server = await start(completion({ content: 'hi' }));
    const prices = { 'served-model-1': { input: 10, output: 100, cache_read: 1 } };
    const priced = await callModel(await open(server), ask('hello'), testServices({ prices }));
    expect(priced.cost).toBeCloseTo((16 * 10 + 4 * 1 + 5 * 100) / 1e6, 12);
    expect((await callModel(await open(server), ask('hello'), testServices())).cost).toBeNull();
  });

  test('that is empty is an answer when the model gave it, and a refusal when it was filtered away', async () => {
    const server = await start(
      completion({ content: '' }),
      completion({ content: null }, {}, 'content_filter'),
      completion({ content: null, refusal: 'No.' }),
      completion({ content: 'half' }, {}, 'content_filter'),
    );
    const resolved = await open(server);
    expect((await callModel(resolved, ask('a'), testServices())).text).toBe('');
    expect(await failureOf(callModel(resolved, ask('b'), testServices()))).toMatchObject({
      kind: 'refusal',
      usage: { inputTokens: 20 },
    });
    expect(await failureOf(callModel(resolved, ask('c'), testServices()))).toMatchObject({
      kind: 'refusal',
      output: 'No.',
    });
    expect(await callModel(resolved, ask('d'), testServices())).toMatchObject({
      text: 'half',
      finishReason: { unified: 'content-filter' },
    });
    expect(server.seen).toHaveLength(4);
  });

  test.each<[string, Answer, Record<string, unknown>]>([
    ['that is not JSON', json(200, '<html>busy</html>'), { kind: 'non-json', output: '<html>busy</html>' }],
    ['that is another document', json(200, { hello: 1 }), { kind: 'invalid-reply' }],
    ['with no choice', json(200, { choices: [] }), { kind: 'invalid-reply' }],
    [
      'with a nameless tool call',
      completion({ tool_calls: [{ id: 'x', function: {} }] }),
      { kind: 'invalid-reply' },
    ],
    [
      'that reports an error with status 200',
      json(200, { error: { message: 'no', code: 400 } }),
      { kind: 'http', status: 400 },
    ],
    [
      'that is a redirection',
      json(302, '', { location: 'http://127.0.0.1:1/' }),
      { kind: 'http', status: 302 },
    ],
    ['of status 404', failure(404, 'no such model'), { kind: 'http', status: 404 }],
    [
      'of status 401',
      failure(401, 'Incorrect API key provided: sk-abcdef1234567890'),
      { kind: 'login-needed', status: 401 },
    ],
  ])('%s is an error after one try', async (_name, answer, expected) => {
    const server = await start(answer);
    const error = await failureOf(callModel(await open(server), ask('hello'), testServices()));
    expect(error).toMatchObject(expected);
    expect(error.describe()).not.toContain('abcdef1234567890');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a stream', () => {
  test('carries text, reasoning, tool calls and usage, also when every byte comes alone', async () => {
    const server = await start(
      events(
        [
          chunk({ role: 'assistant', content: '' }),
          chunk({ reasoning_content: 'hm' }),
          chunk({ content: 'Grüße ' }),
          chunk({ content: '🎉\n' }),
          chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'echo', arguments: '' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '{"text":' } }] }),
          chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'echo', arguments: '{}' } }] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: '"é"}' } }] }),
          chunk({}, 'tool_calls'),
          { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } },
        ],
        'done',
        true,
      ),
    );
    const { stream } = await (await open(server)).model.doStream({ prompt: ask('hello').prompt });
    const all = await parts(stream);
    expect(server.seen[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(all).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'chatcmpl-1', modelId: 'served-model-1' },
      { type: 'reasoning-start', id: 'reasoning' },
      { type: 'reasoning-delta', id: 'reasoning', delta: 'hm' },
      { type: 'reasoning-end', id: 'reasoning' },
      { type: 'text-start', id: 'text' },
      { type: 'text-delta', id: 'text', delta: 'Grüße ' },
      { type: 'text-delta', id: 'text', delta: '🎉\n' },
      { type: 'tool-input-start', id: 'c1', toolName: 'echo' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"text":' },
      { type: 'tool-input-start', id: 'c2', toolName: 'echo' },
      { type: 'tool-input-delta', id: 'c2', delta: '{}' },
      { type: 'tool-input-delta', id: 'c1', delta: '"é"}' },
      { type: 'text-end', id: 'text' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: '{"text":"é"}' },
      { type: 'tool-input-end', id: 'c2' },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'echo', input: '{}' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: expect.objectContaining({ inputTokens: expect.objectContaining({ total: 9 }) }),
        providerMetadata: { assay: { cost: null } },
      },
    ]);
  });

  test.each<[string, Answer, string[]]>([
    ['broken off in the middle', events([chunk({ content: 'half' })], 'cut'), ['cut', 'network']],
    ['that just stops', events([chunk({ content: 'half' })], 'silent'), ['cut']],
    ['with a chunk that is not JSON', events(['{"choices":[']), ['invalid-reply']],
    ['with an error inside', events([{ error: { message: 'overloaded', code: 529 } }]), ['http']],
  ])('%s ends with an error part and no finish', async (_name, answer, kinds) => {
    const server = await start(answer);
    const { stream } = await (await open(server)).model.doStream({ prompt: ask('hello').prompt });
    const all = await parts(stream);
    const last = all.at(-1);
    expect(last?.type).toBe('error');
    expect(all.some((part) => part.type === 'finish')).toBe(false);
    expect(kinds).toContain(
      await failureOf(Promise.reject(last?.type === 'error' ? last.error : last)).then((error) => error.kind),
    );
  });
});

describe('an agent of the AI SDK', () => {
  const echoTool = tool({
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => `echo ${text}`,
  });

  test('runs a tool call over it, whole and streamed', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"text":"a"}' } };
    const server = await start(
      completion({ content: null, tool_calls: [call] }, {}, 'tool_calls'),
      completion({ content: 'done' }),
      events([chunk({ tool_calls: [{ index: 0, ...call }] }), chunk({}, 'tool_calls')]),
      events([chunk({ content: 'streamed' }), chunk({}, 'stop')]),
    );
    const { model } = await open(server);
    const settings = {
      model,
      prompt: 'go',
      tools: { echo: echoTool },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    };
    const whole = await generateText(settings);
    expect(whole.text).toBe('done');
    expect(server.seen[1]?.body['messages']).toContainEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'echo a',
    });
    expect(await streamText(settings).text).toBe('streamed');
  });

  test('can wrap it', async () => {
    const server = await start(completion({ content: 'hi' }));
    const { model } = await open(server);
    const wrapped = wrapLanguageModel({ model, middleware: { specificationVersion: 'v3' } });
    expect((await generateText({ model: wrapped, prompt: 'go' })).text).toBe('hi');
  });
});
