import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { scriptFromTurns, type FinishReason, type WireStep, type WireTrial } from '../../src/wire/index.js';
import { at, calls, eventObjects, eventsOf, post, text, trialOf, type Answer } from './support.js';

function ask(trial: WireTrial, more: JsonObject = {}): Promise<Answer> {
  return post(`${trial.baseUrl}/v1/responses`, { model: 'gpt-x', input: 'Say hi', ...more });
}

const TOOLS = [{ type: 'function', name: 'bash', parameters: { type: 'object' } }];

async function trialWith(...steps: WireStep[]): Promise<WireTrial> {
  return trialOf(scriptFromTurns([{ user: 'Say hi', steps }]));
}

test('a JSON answer has the output, the usage, and echoes what the request said', async () => {
  const answer = await ask(await trialWith(text('Hello')), { store: false, parallel_tool_calls: false });
  expect(answer.json).toMatchObject({
    id: expect.stringMatching(/^resp_[0-9a-f]{12}_0_1$/),
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'gpt-x',
    output: [
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: false,
    previous_response_id: null,
    store: false,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  });
});

function typesOf(answer: Answer): JsonValue[] {
  return eventObjects(answer.text).map((event) => event['type'] ?? null);
}

test('a stream of text has its events in order, named and numbered', async () => {
  const answer = await ask(await trialWith(text('Hello, this is an answer of some length.')), {
    stream: true,
  });
  expect(typesOf(answer)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  const events = eventObjects(answer.text);
  expect(eventsOf(answer.text).map((event) => event.name)).toEqual(typesOf(answer));
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
  expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } });
  expect(events[2]).toMatchObject({ output_index: 0, item: { status: 'in_progress', content: [] } });
  expect(events[3]).toMatchObject({
    output_index: 0,
    content_index: 0,
    part: { type: 'output_text', text: '' },
  });
  expect(events[6]).toMatchObject({ text: 'Hello, this is an answer of some length.' });
  const item = at(events[8], 'item');
  expect(item).toMatchObject({
    status: 'completed',
    content: [{ text: 'Hello, this is an answer of some length.' }],
  });
  expect(at(events[9], 'response', 'output')).toEqual([item]);
  expect(at(events[9], 'response', 'usage', 'total_tokens')).toBe(15);
  for (const event of events.slice(3, 8)) expect(event['item_id']).toBe(at(item, 'id'));
});

test('a streamed call is complete in its done item, which has an id beside the call id', async () => {
  const answer = await ask(await trialWith(calls(['call_1', 'bash', { command: 'ls' }])), {
    stream: true,
    tools: TOOLS,
  });
  expect(typesOf(answer).slice(2, -1)).toEqual([
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
  ]);
  const events = eventObjects(answer.text);
  expect(at(events[2], 'item')).toMatchObject({ type: 'function_call', call_id: 'call_1', arguments: '' });
  expect(events[4]).toMatchObject({ arguments: '{"command":"ls"}' });
  const item = at(events[5], 'item');
  expect(item).toEqual({
    id: expect.stringMatching(/^fc_/),
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'bash',
    arguments: '{"command":"ls"}',
  });
});

test('reasoning is an item of its own, encrypted only when that is asked for', async () => {
  const trial = await trialWith(text('So.', { reasoning: 'Because.' }));
  const plain = await ask(trial);
  expect(at(plain.json, 'output', 0)).toEqual({
    id: expect.stringMatching(/^rs_/),
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Because.' }],
  });
  const answer = await ask(trial, { stream: true, include: ['reasoning.encrypted_content'] });
  expect(typesOf(answer).slice(2, 8)).toEqual([
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
    'response.output_item.done',
  ]);
  expect(at(eventObjects(answer.text)[7], 'item', 'encrypted_content')).toEqual(expect.any(String));
});

test('a refusal is a part of its own kind', async () => {
  const trial = await trialWith({ type: 'refusal', content: 'No.', inputTokens: 1, outputTokens: 1 });
  expect(at((await ask(trial)).json, 'output', 0, 'content')).toEqual([{ type: 'refusal', refusal: 'No.' }]);
  expect(typesOf(await ask(trial, { stream: true })).slice(3, 7)).toEqual([
    'response.content_part.added',
    'response.refusal.delta',
    'response.refusal.done',
    'response.content_part.done',
  ]);
});

test.each<[FinishReason, string, JsonValue]>([
  ['stop', 'completed', null],
  ['length', 'incomplete', { reason: 'max_output_tokens' }],
  ['content_filter', 'incomplete', { reason: 'content_filter' }],
])('finish reason %s ends as %s', async (finishReason, status, details) => {
  const trial = await trialWith(text('x', { finishReason }));
  const streamed = eventObjects((await ask(trial, { stream: true })).text).at(-1);
  expect(streamed).toMatchObject({
    type: `response.${status}`,
    response: { status, incomplete_details: details },
  });
  expect((await ask(trial)).json).toMatchObject({ status, incomplete_details: details });
});

test('finish reason error fails the response', async () => {
  const trial = await trialWith(text('x', { finishReason: 'error' }));
  const last = eventObjects((await ask(trial, { stream: true })).text).at(-1);
  expect(last).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error' } },
  });
});

test('a tool that takes free text is called with free text', async () => {
  const trial = await trialWith(calls(['c1', 'apply_patch', '*** Begin Patch']));
  const answer = await ask(trial, { stream: true, tools: [{ type: 'custom', name: 'apply_patch' }] });
  expect(typesOf(answer).slice(3, 5)).toEqual([
    'response.custom_tool_call_input.delta',
    'response.custom_tool_call_input.done',
  ]);
  expect(at(eventObjects(answer.text)[5], 'item')).toMatchObject({
    type: 'custom_tool_call',
    call_id: 'c1',
    input: '*** Begin Patch',
  });
});

test('a tool of a namespace is called with it, and hosted tools count as not offered', async () => {
  const trial = await trialWith(calls(['c1', 'open', {}], ['c2', 'web_search', {}]));
  const tools = [
    { type: 'namespace', name: 'files', tools: [{ type: 'function', name: 'open' }] },
    { type: 'web_search' },
  ];
  const answer = await ask(trial, { tools });
  expect(at(answer.json, 'output', 0)).toMatchObject({ name: 'open', namespace: 'files' });
  expect(trial.close().toolsNotOffered).toEqual([{ lane: 'main', tool: 'web_search', offered: ['open'] }]);
});

test('reads instructions, items of every kind and a schema', async () => {
  const trial = await trialWith(text('{}'));
  await ask(trial, {
    instructions: 'one',
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'two' }] },
      { role: 'user', content: 'Say hi' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'why' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Well.' }] },
      { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{"b":1,"a":2}' },
      { type: 'custom_tool_call', call_id: 'd', name: 'patch', input: 'text' },
      { type: 'function_call_output', call_id: 'c', output: 'out' },
      { type: 'custom_tool_call_output', call_id: 'd', output: [{ type: 'input_text', text: 'done' }] },
    ],
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' } } },
  });
  const request = trial.exchanges[0]?.request;
  expect(request?.system).toBe('one\ntwo');
  expect(request?.messages).toEqual([
    { role: 'user', text: 'Say hi' },
    {
      role: 'assistant',
      text: 'Well.',
      reasoning: 'why',
      toolCalls: [
        { id: 'c', name: 'bash', arguments: '{"a":2,"b":1}' },
        { id: 'd', name: 'patch', arguments: '"text"' },
      ],
    },
    { role: 'tool', text: 'out', toolCallId: 'c', toolName: 'bash' },
    { role: 'tool', text: 'done', toolCallId: 'd', toolName: 'patch' },
  ]);
  expect(request?.output).toEqual({ type: 'json', schema: { type: 'object' } });
});
