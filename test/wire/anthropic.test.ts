import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { scriptFromTurns, type FinishReason, type WireStep, type WireTrial } from '../../src/wire/index.js';
import { at, calls, eventObjects, eventsOf, post, text, textAt, trialOf, type Answer } from './support.js';

function ask(trial: WireTrial, more: JsonObject = {}): Promise<Answer> {
  const messages = [{ role: 'user', content: 'Say hi' }];
  return post(`${trial.baseUrl}/v1/messages`, { model: 'claude-x', max_tokens: 9, messages, ...more });
}

const TOOLS = [{ name: 'bash', input_schema: { type: 'object' } }];

async function trialWith(...steps: WireStep[]): Promise<WireTrial> {
  return trialOf(scriptFromTurns([{ user: 'Say hi', steps }]));
}

test('a JSON answer has the text, the model asked for, the stop reason and the usage', async () => {
  const answer = await ask(await trialWith(text('Hello')));
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.json).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f]{12}_0_1$/),
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },
  });
});

test('a stream of text has its events in order, each named', async () => {
  const answer = await ask(await trialWith(text('Hello, this is an answer of some length.')), {
    stream: true,
  });
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(eventsOf(answer.text).map((event) => event.name)).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  for (const event of eventsOf(answer.text)) expect(at(JSON.parse(event.data), 'type')).toBe(event.name);
  const [start, , block, first, second, , delta] = eventObjects(answer.text);
  expect(start).toMatchObject({
    message: {
      role: 'assistant',
      content: [],
      stop_reason: null,
      model: 'claude-x',
      usage: { input_tokens: 10, output_tokens: 1 },
    },
  });
  expect(block).toEqual({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  expect(at(first, 'delta', 'type')).toBe('text_delta');
  expect(`${textAt(first, 'delta', 'text')}${textAt(second, 'delta', 'text')}`).toBe(
    'Hello, this is an answer of some length.',
  );
  expect(delta).toMatchObject({
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  });
});

test('a stream of reasoning, words and two calls has a block for each, with empty beginnings', async () => {
  const step: WireStep = {
    ...calls(['toolu_1', 'bash', { command: 'ls' }], ['toolu_2', 'bash', { command: 'pwd' }]),
    reasoning: 'Let me see.',
    content: 'Looking.',
  };
  const trial = await trialWith(step);
  const answer = await ask(trial, { stream: true, tools: TOOLS });
  const events = eventObjects(answer.text);
  const starts = events.filter((event) => event['type'] === 'content_block_start');
  expect(starts.map((event) => event['content_block'])).toEqual([
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'text', text: '' },
    { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} },
    { type: 'tool_use', id: 'toolu_2', name: 'bash', input: {} },
  ]);
  const deltas = events.filter((event) => event['type'] === 'content_block_delta');
  expect(deltas.map((event) => [event['index'], at(event, 'delta', 'type')])).toEqual([
    [0, 'thinking_delta'],
    [0, 'signature_delta'],
    [1, 'text_delta'],
    [2, 'input_json_delta'],
    [3, 'input_json_delta'],
  ]);
  expect(JSON.parse(textAt(deltas[3], 'delta', 'partial_json'))).toEqual({ command: 'ls' });
  expect(at(events.at(-2), 'delta', 'stop_reason')).toBe('tool_use');
  const json = await ask(trial, { tools: TOOLS });
  expect(at(json.json, 'content')).toEqual([
    { type: 'thinking', thinking: 'Let me see.', signature: at(deltas[1], 'delta', 'signature') },
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } },
    { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { command: 'pwd' } },
  ]);
});

test.each<[FinishReason, string]>([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['pause', 'pause_turn'],
  ['refusal', 'refusal'],
  ['content_filter', 'refusal'],
  ['context_window', 'model_context_window_exceeded'],
])('finish reason %s is %s', async (finishReason, word) => {
  const trial = await trialWith(text('x', { finishReason }));
  expect((await ask(trial)).json['stop_reason']).toBe(word);
});

test('a refusal is text with its own stop reason', async () => {
  const trial = await trialWith({ type: 'refusal', content: 'I will not.', inputTokens: 1, outputTokens: 2 });
  expect((await ask(trial)).json).toMatchObject({
    content: [{ type: 'text', text: 'I will not.' }],
    stop_reason: 'refusal',
  });
});

test('cached input is counted beside the rest', async () => {
  const trial = await trialWith(text('x', { cachedInputTokens: 4 }));
  expect(at((await ask(trial)).json, 'usage')).toMatchObject({ input_tokens: 6, cache_read_input_tokens: 4 });
});

test('reads system blocks, results, images and an output schema', async () => {
  const trial = await trialWith(text('{}'));
  const image: JsonValue = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  };
  await ask(trial, {
    system: [
      { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'two' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Say hi' }, image] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'bash', input: { b: 1, a: 2 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', is_error: true, content: [{ type: 'text', text: 'no' }] },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
    tools: [...TOOLS, { type: 'web_search_20250305', name: 'web_search' }],
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
  });
  const request = trial.exchanges[0]?.request;
  expect(request?.system).toBe('one\ntwo');
  expect(request?.messages).toEqual([
    { role: 'user', text: expect.stringMatching(/^Say hi\n\[image [0-9a-f]{8}\]$/) },
    { role: 'assistant', text: '', toolCalls: [{ id: 't', name: 'bash', arguments: '{"a":2,"b":1}' }] },
    { role: 'tool', text: 'no', toolCallId: 't', toolName: 'bash', isError: true },
    { role: 'user', text: 'go on' },
  ]);
  expect(request?.tools.map((tool) => [tool.name, tool.kind])).toEqual([
    ['bash', 'function'],
    ['web_search', 'hosted'],
  ]);
  expect(request?.output).toEqual({ type: 'json', schema: { type: 'object' } });
});
