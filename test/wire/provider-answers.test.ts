import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import {
  redactSecrets,
  startRecordingProxy,
  type NeutralReply,
  type Protocol,
} from '../../src/wire/index.js';
import { DIALECTS } from './agent.js';
import { closeLater, post } from './support.js';

/** What is made of an answer as a provider sends it. */
async function readThrough(
  protocol: Protocol,
  type: string,
  body: string,
  status = 200,
): Promise<NeutralReply | null> {
  const upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  closeLater(() => new Promise((resolve) => upstream.close(resolve)));
  const address = upstream.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const proxy = await startRecordingProxy({ upstreams: { [protocol]: `http://127.0.0.1:${port}` } });
  closeLater(() => proxy.close());
  const capture = proxy.openCapture({ id: 'a' });
  const dialect = DIALECTS[protocol];
  await post(capture.baseUrl + dialect.path(true), dialect.body('', [dialect.user('Say hi')], [], true));
  return capture.close().exchanges[0]?.reply ?? null;
}

function named(...events: { type: string; [key: string]: JsonValue }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function unnamed(...events: JsonValue[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('');
}

const SSE = 'text/event-stream';

const ANTHROPIC = [
  {
    type: 'message_start',
    message: {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-real',
      content: [],
      usage: {
        input_tokens: 25,
        cache_creation_input_tokens: 5,
        cache_read_input_tokens: 70,
        output_tokens: 1,
      },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: ' think.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQ=' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Okay' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'get', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a": ' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '[1]}' } },
  { type: 'content_block_stop', index: 2 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 89 },
  },
  { type: 'message_stop' },
];

test('an Anthropic stream is put together, usage from both its ends', async () => {
  expect(await readThrough('anthropic', SSE, named(...ANTHROPIC))).toMatchObject({
    id: 'msg_01',
    model: 'claude-real',
    reasoning: 'Let me think.',
    text: 'Okay',
    refusal: null,
    toolCalls: [{ id: 'toolu_1', name: 'get', arguments: { a: [1] } }],
    finishReason: 'tool_calls',
    usage: { inputTokens: 100, cachedInputTokens: 70, outputTokens: 89 },
  });
});

test('a call without any argument text has no arguments', async () => {
  const events = ANTHROPIC.filter((event) => !JSON.stringify(event).includes('partial_json'));
  expect((await readThrough('anthropic', SSE, named(...events)))?.toolCalls[0]?.arguments).toEqual({});
});

test.each(['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const)(
  'a %s stream without its end is no reply',
  async (protocol) => {
    const starts: { readonly [Name in Protocol]: string } = {
      anthropic: named(...ANTHROPIC.slice(0, -1)),
      'openai-chat': unnamed({ id: 'x', choices: [{ index: 0, delta: { content: 'Hal' } }] }),
      'openai-responses': named({ type: 'response.created', response: { id: 'r' } }),
      gemini: unnamed({ candidates: [{ content: { parts: [{ text: 'Hal' }] } }] }),
    };
    expect(await readThrough(protocol, SSE, starts[protocol])).toBeNull();
  },
);

test('a chat stream is put together: parallel calls by index, usage at its end, [DONE] passed over', async () => {
  const chunk = (delta: JsonValue, finish: string | null = null): JsonValue => ({
    id: 'chatcmpl-1',
    created: 5,
    model: 'gpt-real',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const call = (index: number, more: object): JsonValue => ({ tool_calls: [{ index, ...more }] });
  const body = `${unnamed(
    chunk({ role: 'assistant', content: null, reasoning_content: 'Hm.' }),
    chunk(call(0, { id: 'c0', type: 'function', function: { name: 'get', arguments: '' } })),
    chunk(call(1, { id: 'c1', type: 'function', function: { name: 'put', arguments: '{"b"' } })),
    chunk(call(0, { function: { arguments: '{"a":1}' } })),
    chunk(call(1, { function: { arguments: ':2}' } })),
    chunk({}, 'tool_calls'),
    {
      id: 'chatcmpl-1',
      choices: [],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 8,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    },
  )}: keep-alive\n\ndata: [DONE]\n\n`;
  expect(await readThrough('openai-chat', SSE, body)).toMatchObject({
    id: 'chatcmpl-1',
    model: 'gpt-real',
    text: null,
    reasoning: 'Hm.',
    toolCalls: [
      { id: 'c0', name: 'get', arguments: { a: 1 } },
      { id: 'c1', name: 'put', arguments: { b: 2 } },
    ],
    finishReason: 'tool_calls',
    usage: { inputTokens: 9, outputTokens: 8, cachedInputTokens: 4, reasoningTokens: 3 },
    createdAt: 5,
  });
});

test('arguments that are not JSON are kept as the text they are', async () => {
  const message = {
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'get', arguments: '{"a":' } }],
  };
  const body = JSON.stringify({ id: 'x', choices: [{ message, finish_reason: 'length' }] });
  expect(await readThrough('openai-chat', 'application/json', body)).toMatchObject({
    toolCalls: [{ arguments: '{"a":' }],
    finishReason: 'length',
  });
});

describe('a Responses stream', () => {
  const items: JsonValue[] = [
    { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Okay' }] },
    { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'get', arguments: '{"a":1}' },
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '*** Begin' },
  ];
  const end = (output: JsonValue[]): { type: string; response: JsonValue } => ({
    type: 'response.completed',
    response: {
      id: 'resp_1',
      model: 'gpt-real',
      status: 'completed',
      error: null,
      output,
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  });
  const expected = {
    id: 'resp_1',
    reasoning: 'Hm.',
    text: 'Okay',
    toolCalls: [
      { id: 'call_1', itemId: 'fc_1', arguments: { a: 1 }, kind: 'function' },
      { id: 'call_2', itemId: 'ctc_1', arguments: '*** Begin', kind: 'custom' },
    ],
    finishReason: 'tool_calls',
    usage: { inputTokens: 3, outputTokens: 4 },
  };

  test('is read from its end', async () => {
    expect(await readThrough('openai-responses', SSE, named(end(items)))).toMatchObject(expected);
  });

  test('is read from its finished items when its end has none', async () => {
    const done = items.map((item) => ({ type: 'response.output_item.done', item }));
    expect(await readThrough('openai-responses', SSE, named(...done, end([])))).toMatchObject(expected);
  });

  test('that was cut short by its limit says so', async () => {
    const response = {
      id: 'r',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: items.slice(1, 2),
    };
    const body = named({ type: 'response.incomplete', response });
    expect(await readThrough('openai-responses', SSE, body)).toMatchObject({
      text: 'Okay',
      finishReason: 'length',
    });
  });
});

test.each([SSE, 'application/json'])(
  'a Gemini stream as %s is put together, calls without ids among it',
  async (type) => {
    const chunks: JsonValue[] = [
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hm.', thought: true }] } }],
        modelVersion: 'gemini-real',
      },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Ok' }] } }] },
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ text: 'ay' }, { functionCall: { name: 'get', args: { a: 1 } } }],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: {
          promptTokenCount: 5,
          candidatesTokenCount: 6,
          thoughtsTokenCount: 2,
          totalTokenCount: 13,
        },
      },
    ];
    const body = type === SSE ? unnamed(...chunks) : JSON.stringify(chunks);
    expect(await readThrough('gemini', type, body)).toMatchObject({
      model: 'gemini-real',
      reasoning: 'Hm.',
      text: 'Okay',
      toolCalls: [{ id: '', name: 'get', arguments: { a: 1 } }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 5, outputTokens: 8, reasoningTokens: 2 },
    });
  },
);

test.each<[Protocol, string, JsonValue]>([
  ['anthropic', 'refusal', { id: 'm', content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' }],
  [
    'openai-chat',
    'refusal',
    { id: 'm', choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
  ],
  [
    'openai-responses',
    'refusal',
    {
      id: 'm',
      object: 'response',
      status: 'completed',
      error: null,
      output: [{ id: 'i', type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }],
    },
  ],
  ['gemini', 'refusal', { candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'SAFETY' }] }],
])('a refusal over %s is one', async (protocol, finishReason, body) => {
  expect(await readThrough(protocol, 'application/json', JSON.stringify(body))).toMatchObject({
    text: null,
    refusal: 'No.',
    finishReason,
  });
});

test.each<[string, string]>([
  ['an error body', '{"error":{"message":"no"}}'],
  ['text that is not JSON', 'Bad gateway'],
  ['an empty body', ''],
  ['a list', '[]'],
])('%s is no reply', async (_name, body) => {
  for (const protocol of ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const) {
    expect(await readThrough(protocol, 'application/json', body)).toBeNull();
  }
});

test('an answer with an error status is no reply whatever it says', async () => {
  const body = JSON.stringify({ id: 'm', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' });
  expect(await readThrough('anthropic', 'application/json', body, 500)).toBeNull();
});

test.each([
  `sk-ant-api03-${'aB3_'.repeat(10)}`,
  `sk-proj-${'aB3-'.repeat(10)}`,
  `AIza${'Sy0'.repeat(12)}`,
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'a1B2'.repeat(9)}`,
  `xoxb-${'123456789012-'.repeat(2)}abc`,
  'AKIAIOSFODNN7EXAMPLE',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'abcd'.repeat(8)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${'MIIE'.repeat(30)}\n-----END RSA PRIVATE KEY-----`,
])('hides a key that looks like %s', (key) => {
  expect(redactSecrets(`before ${key} after`)).toBe('before [REDACTED] after');
});

test.each([
  'a task-sk-list of things',
  'sk-short',
  'see AIzasomething',
  'npm-package',
  'eyJ.eyJ.x',
  'Bearer of news',
])('leaves %s as it is', (shown) => {
  expect(redactSecrets(shown)).toBe(shown);
});

test('long hostile text is searched once', () => {
  const hostile = ['eyJ-', 'sk-', 'AIza', '-----BEGIN PRIVATE KEY-----', 'Bearer ', 'ghp_'].map((part) =>
    part.repeat(200_000),
  );
  for (const each of hostile) expect(redactSecrets(each).length).toBeGreaterThan(0);
});
