import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { scriptFromTurns, wireEvidence, type WireTrial } from '../../src/wire/index.js';
import { at, calls, post, text, textAt, trialOf, type Answer } from './support.js';

const SCRIPT = scriptFromTurns([
  { user: 'Say hi', steps: [calls(['c1', 'bash', { command: 'ls' }]), text('Done')] },
  { user: 'And again', steps: [text('Again')] },
]);

function message(trial: WireTrial, more: JsonObject): Promise<Answer> {
  const headers = { 'anthropic-beta': 'message-threads' };
  return post(`${trial.baseUrl}/v1/messages`, { model: 'claude-x', max_tokens: 9, ...more }, headers);
}

function response(trial: WireTrial, more: JsonObject): Promise<Answer> {
  return post(`${trial.baseUrl}/v1/responses`, { model: 'gpt-x', ...more });
}

const BASH = [{ name: 'bash', input_schema: { type: 'object' } }];
const RESULT = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a.txt' }] }];

function continuing(id: JsonValue | undefined): JsonObject {
  return { type: 'continue', previous_message_id: id ?? null };
}

test('a thread goes on from a message by its id, with the remembered history, prompt and tools', async () => {
  const trial = await trialOf(SCRIPT);
  const first = await message(trial, {
    thread: { type: 'create' },
    system: 'You are terse.',
    tools: BASH,
    messages: [{ role: 'user', content: 'Say hi' }],
  });
  const second = await message(trial, { thread: continuing(first.json['id']), messages: RESULT });
  expect(textAt(second.json, 'content', 0, 'text')).toBe('Done');
  const more = [{ role: 'user', content: 'And again' }];
  const third = await message(trial, { thread: continuing(second.json['id']), messages: more });
  expect(textAt(third.json, 'content', 0, 'text')).toBe('Again');
  const request = trial.exchanges[2]?.request;
  expect(request?.messages.map((each) => each.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
  expect(request).toMatchObject({ system: 'You are terse.', tools: [{ name: 'bash' }] });
  expect(wireEvidence(trial).toolCalls).toMatchObject([{ result: 'a.txt', executed: true }]);
  expect(trial.close()).toMatchObject({ problems: [], retries: [], toolsNotOffered: [] });
});

test('a continuation that is sent again gets the same answer', async () => {
  const trial = await trialOf(SCRIPT);
  const first = await message(trial, {
    thread: { type: 'create' },
    tools: BASH,
    messages: [{ role: 'user', content: 'Say hi' }],
  });
  const asked = { thread: continuing(first.json['id']), messages: RESULT };
  expect((await message(trial, asked)).text).toBe((await message(trial, asked)).text);
  expect(trial.close().retries).toEqual([{ lane: 'main', number: 2, times: 1 }]);
});

test('a thread that is not known is a 404 that makes the client send everything, which then goes on', async () => {
  const trial = await trialOf(SCRIPT);
  const messages: JsonValue[] = [{ role: 'user', content: 'Say hi' }];
  const first = await message(trial, { thread: { type: 'create' }, tools: BASH, messages });
  const lost = await message(trial, { thread: continuing('msg_other'), messages: RESULT });
  expect(lost).toMatchObject({
    status: 404,
    json: { type: 'error', error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } },
  });
  const history = [...messages, { role: 'assistant', content: at(first.json, 'content') ?? [] }, ...RESULT];
  const whole = await message(trial, { thread: { type: 'create' }, tools: BASH, messages: history });
  expect(textAt(whole.json, 'content', 0, 'text')).toBe('Done');
  expect(trial.close().problems.map((problem) => problem.kind)).toEqual(['refused', 'leftover']);
});

test('previous_response_id goes on from a response, which is echoed', async () => {
  const trial = await trialOf(SCRIPT);
  const tools = [{ type: 'function', name: 'bash', parameters: { type: 'object' } }];
  const first = await response(trial, { instructions: 'You are terse.', tools, input: 'Say hi' });
  const output = [{ type: 'function_call_output', call_id: 'c1', output: 'a.txt' }];
  const second = await response(trial, { previous_response_id: first.json['id'] ?? null, input: output });
  expect(second.json['previous_response_id']).toBe(first.json['id']);
  expect(textAt(second.json, 'output', 0, 'content', 0, 'text')).toBe('Done');
  const third = await response(trial, {
    previous_response_id: second.json['id'] ?? null,
    input: 'And again',
  });
  expect(textAt(third.json, 'output', 0, 'content', 0, 'text')).toBe('Again');
  expect(wireEvidence(trial).messages.map((each) => each.role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(trial.close()).toMatchObject({ problems: [], toolsNotOffered: [] });
});

test('a previous_response_id that is not known is a 400', async () => {
  const trial = await trialOf(SCRIPT);
  const lost = await response(trial, { previous_response_id: 'resp_other', input: 'Say hi' });
  expect(lost).toMatchObject({ status: 400, json: { error: { code: 'previous_response_not_found' } } });
});

test('items that are referred to by id are the items that were sent', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'Say hi', steps: [{ ...calls(['c1', 'bash', {}]), reasoning: 'Because.' }, text('Done')] },
    ]),
  );
  const tools = [{ type: 'function', name: 'bash', parameters: { type: 'object' } }];
  const user = { role: 'user', content: 'Say hi' };
  const first = await response(trial, { tools, input: [user] });
  const output = at(first.json, 'output');
  const references = (Array.isArray(output) ? output : []).map((item) => ({
    type: 'item_reference',
    id: at(item, 'id') ?? '',
  }));
  expect(references).toHaveLength(2);
  const input = [user, ...references, { type: 'function_call_output', call_id: 'c1', output: 'a.txt' }];
  const second = await response(trial, { tools, input });
  expect(textAt(second.json, 'output', 0, 'content', 0, 'text')).toBe('Done');
  expect(trial.exchanges[1]?.request.messages[1]).toMatchObject({
    reasoning: 'Because.',
    toolCalls: [{ id: 'c1' }],
  });
  expect(trial.close().problems).toEqual([]);
});

test('a message of one trial cannot be continued in another', async () => {
  const one = await trialOf(SCRIPT);
  const two = await trialOf(SCRIPT);
  const first = await message(one, {
    thread: { type: 'create' },
    tools: BASH,
    messages: [{ role: 'user', content: 'Say hi' }],
  });
  expect((await message(two, { thread: continuing(first.json['id']), messages: RESULT })).status).toBe(404);
});
