import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/index.js';
import { scriptFromTurns, type FinishReason, type WireStep, type WireTrial } from '../../src/wire/index.js';
import { at, calls, eventObjects, eventsOf, post, text, trialOf, type Answer } from './support.js';

function ask(trial: WireTrial, more: JsonObject = {}): Promise<Answer> {
  const messages = [{ role: 'user', content: 'Say hi' }];
  return post(`${trial.baseUrl}/v1/chat/completions`, { model: 'gpt-x', messages, ...more });
}

const TOOLS = [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }];

async function trialWith(...steps: WireStep[]): Promise<WireTrial> {
  return trialOf(scriptFromTurns([{ user: 'Say hi', steps }]));
}

test('a JSON answer has the text, the model asked for, the finish reason and the usage', async () => {
  expect((await ask(await trialWith(text('Hello')))).json).toEqual({
    id: expect.stringMatching(/^chatcmpl-[0-9a-f]{12}_0_1$/),
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-x',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    system_fingerprint: null,
  });
});

test('calls alone have null content', async () => {
  const answer = await ask(await trialWith(calls(['c1', 'bash', { command: 'ls' }])), { tools: TOOLS });
  expect(at(answer.json, 'choices', 0)).toMatchObject({
    message: {
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
    },
    finish_reason: 'tool_calls',
  });
});

test('a stream begins with the role, ends with an empty delta and [DONE], and has no event names', async () => {
  const answer = await ask(await trialWith(text('Hello, this is an answer of some length.')), {
    stream: true,
  });
  const events = eventsOf(answer.text);
  expect(events.every((event) => event.name === null)).toBe(true);
  expect(events.at(-1)?.data).toBe('[DONE]');
  const deltas = eventObjects(answer.text).map((chunk) => at(chunk, 'choices', 0));
  expect(deltas).toEqual([
    {
      index: 0,
      delta: { role: 'assistant', content: '', refusal: null },
      logprobs: null,
      finish_reason: null,
    },
    { index: 0, delta: { content: 'Hello, this is an answer' }, logprobs: null, finish_reason: null },
    { index: 0, delta: { content: ' of some length.' }, logprobs: null, finish_reason: null },
    { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
  ]);
  for (const chunk of eventObjects(answer.text)) {
    expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model: 'gpt-x', created: 1_700_000_000 });
    expect(chunk).not.toHaveProperty('usage');
  }
});

test('usage comes in a chunk without choices, and only when it is asked for', async () => {
  const trial = await trialWith(text('Hello'));
  const answer = await ask(trial, { stream: true, stream_options: { include_usage: true } });
  const chunks = eventObjects(answer.text);
  expect(chunks.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } });
});

test('the first chunk of a streamed call names it with empty arguments, the later ones have arguments only', async () => {
  const step = calls(['c1', 'bash', { command: 'echo a long enough line' }], ['c2', 'bash', {}]);
  const answer = await ask(await trialWith(step), { stream: true, tools: TOOLS });
  const deltas = eventObjects(answer.text).map((chunk) => at(chunk, 'choices', 0, 'delta'));
  expect(deltas[0]).toEqual({ role: 'assistant', content: null, refusal: null });
  expect(deltas.slice(1).map((delta) => at(delta, 'tool_calls', 0))).toEqual([
    { index: 0, id: 'c1', type: 'function', function: { name: 'bash', arguments: '' } },
    { index: 0, function: { arguments: '{"command":"echo a long ' } },
    { index: 0, function: { arguments: 'enough line"}' } },
    { index: 1, id: 'c2', type: 'function', function: { name: 'bash', arguments: '' } },
    { index: 1, function: { arguments: '{}' } },
    undefined,
  ]);
  expect(at(eventObjects(answer.text).at(-1), 'choices', 0, 'finish_reason')).toBe('tool_calls');
});

test('reasoning goes beside the content, a refusal in its own field', async () => {
  const reasoned = await trialWith(text('So.', { reasoning: 'Because.' }));
  const message = at((await ask(reasoned)).json, 'choices', 0, 'message');
  expect(message).toMatchObject({ content: 'So.', reasoning_content: 'Because.' });
  const streamed = eventObjects((await ask(reasoned, { stream: true })).text);
  expect(at(streamed[1], 'choices', 0, 'delta')).toEqual({ reasoning_content: 'Because.' });
  const refusing = await trialWith({ type: 'refusal', content: 'No.', inputTokens: 1, outputTokens: 1 });
  expect(at((await ask(refusing)).json, 'choices', 0)).toMatchObject({
    message: { content: null, refusal: 'No.' },
    finish_reason: 'stop',
  });
  const refused = eventObjects((await ask(refusing, { stream: true })).text);
  expect(at(refused[1], 'choices', 0, 'delta')).toEqual({ refusal: 'No.' });
});

test.each<[FinishReason, string]>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['context_window', 'length'],
])('finish reason %s is %s', async (finishReason, word) => {
  const trial = await trialWith(text('x', { finishReason }));
  expect(at((await ask(trial)).json, 'choices', 0, 'finish_reason')).toBe(word);
});

test('a tool that takes free text is called with free text', async () => {
  const custom = [{ type: 'custom', custom: { name: 'patch' } }];
  const trial = await trialWith(calls(['c1', 'patch', { input: '*** Begin' }]));
  const whole = at((await ask(trial, { tools: custom })).json, 'choices', 0, 'message', 'tool_calls');
  expect(whole).toEqual([{ id: 'c1', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }]);
});

test('reads developer messages, parts, calls, results and a schema', async () => {
  const trial = await trialWith(text('{}'));
  await ask(trial, {
    messages: [
      { role: 'system', content: 'one' },
      { role: 'developer', content: [{ type: 'text', text: 'two' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Say' },
          { type: 'text', text: 'hi' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'why',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{"b":1, "a":2}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'out' },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
  });
  const request = trial.exchanges[0]?.request;
  expect(request?.system).toBe('one\ntwo');
  expect(request?.messages).toEqual([
    { role: 'user', text: 'Say\nhi' },
    {
      role: 'assistant',
      text: '',
      reasoning: 'why',
      toolCalls: [{ id: 'c', name: 'bash', arguments: '{"a":2,"b":1}' }],
    },
    { role: 'tool', text: 'out', toolCallId: 'c', toolName: 'bash' },
  ]);
  expect(request?.output).toEqual({ type: 'json', schema: { type: 'object' } });
});
