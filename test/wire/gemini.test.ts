import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/index.js';
import {
  scriptFromTurns,
  wireEvidence,
  type FinishReason,
  type WireStep,
  type WireTrial,
} from '../../src/wire/index.js';
import { at, calls, eventObjects, eventsOf, post, text, trialOf, type Answer } from './support.js';

type Verb = 'generateContent' | 'streamGenerateContent' | 'streamGenerateContent?alt=sse';

function ask(trial: WireTrial, verb: Verb = 'generateContent', more: JsonObject = {}): Promise<Answer> {
  const contents = [{ role: 'user', parts: [{ text: 'Say hi' }] }];
  return post(`${trial.baseUrl}/v1beta/models/gemini-x:${verb}`, { contents, ...more });
}

const TOOLS = [{ functionDeclarations: [{ name: 'bash' }, { name: 'read' }] }];
const SSE = 'streamGenerateContent?alt=sse';

async function trialWith(...steps: WireStep[]): Promise<WireTrial> {
  return trialOf(scriptFromTurns([{ user: 'Say hi', steps }]));
}

test('a JSON answer has the text, the model of the path, the finish reason and the usage', async () => {
  expect((await ask(await trialWith(text('Hello')))).json).toEqual({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, index: 0, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: 'gemini-x',
    responseId: expect.stringMatching(/^[0-9a-f]{12}_0_1$/),
  });
});

test('an event stream has unnamed events, usage in each, a finish reason in the last only, and no [DONE]', async () => {
  const answer = await ask(await trialWith(text('Hello, this is an answer of some length.')), SSE);
  expect(eventsOf(answer.text).every((event) => event.name === null)).toBe(true);
  expect(answer.text).not.toContain('[DONE]');
  const chunks = eventObjects(answer.text);
  expect(chunks.map((chunk) => at(chunk, 'candidates', 0, 'content', 'parts', 0, 'text'))).toEqual([
    'Hello, this is an answer',
    ' of some length.',
  ]);
  expect(chunks.map((chunk) => at(chunk, 'candidates', 0, 'finishReason'))).toEqual([undefined, 'STOP']);
  expect(chunks.every((chunk) => at(chunk, 'usageMetadata', 'totalTokenCount') === 15)).toBe(true);
});

test('without alt=sse a stream is a JSON array', async () => {
  const answer = await ask(
    await trialWith(text('Hello, this is an answer of some length.')),
    'streamGenerateContent',
  );
  expect(JSON.parse(answer.text)).toHaveLength(2);
});

test('calls are whole parts, and stop like text does', async () => {
  const step = calls(['c1', 'bash', { command: 'ls' }], ['c2', 'read', { path: 'a' }]);
  const trial = await trialWith(step);
  const whole = await ask(trial, 'generateContent', { tools: TOOLS });
  expect(at(whole.json, 'candidates', 0)).toMatchObject({
    content: {
      parts: [
        { functionCall: { id: 'c1', name: 'bash', args: { command: 'ls' } } },
        { functionCall: { id: 'c2', name: 'read', args: { path: 'a' } } },
      ],
    },
    finishReason: 'STOP',
  });
  const chunks = eventObjects((await ask(trial, SSE, { tools: TOOLS })).text);
  expect(
    chunks.map((chunk) => at(chunk, 'candidates', 0, 'content', 'parts', 0, 'functionCall', 'name')),
  ).toEqual(['bash', 'read']);
});

test('reasoning is a thought, counted apart', async () => {
  const trial = await trialWith(text('So.', { reasoning: 'Because.', reasoningTokens: 2 }));
  const answer = await ask(trial);
  expect(at(answer.json, 'candidates', 0, 'content', 'parts')).toEqual([
    { text: 'Because.', thought: true },
    { text: 'So.' },
  ]);
  expect(at(answer.json, 'usageMetadata')).toMatchObject({
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 15,
  });
});

test.each<[FinishReason, string]>([
  ['stop', 'STOP'],
  ['length', 'MAX_TOKENS'],
  ['content_filter', 'SAFETY'],
  ['recitation', 'RECITATION'],
  ['malformed_call', 'MALFORMED_FUNCTION_CALL'],
  ['error', 'OTHER'],
])('finish reason %s is %s', async (finishReason, word) => {
  const trial = await trialWith(text('x', { finishReason }));
  expect(at((await ask(trial)).json, 'candidates', 0, 'finishReason')).toBe(word);
});

test('results without ids belong to the calls of that name, in order', async () => {
  const trial = await trialWith(
    calls(['c1', 'bash', { n: 1 }], ['c2', 'read', { n: 2 }], ['c3', 'bash', { n: 3 }]),
    text('Done'),
  );
  const first = await ask(trial, 'generateContent', { tools: TOOLS });
  const given = at(first.json, 'candidates', 0, 'content', 'parts');
  const parts = Array.isArray(given) ? given : [];
  const withoutIds = parts.map((part) => ({
    functionCall: {
      name: at(part, 'functionCall', 'name') ?? '',
      args: at(part, 'functionCall', 'args') ?? {},
    },
  }));
  const result = (name: string, output: string): JsonObject => ({
    functionResponse: { name, response: { output } },
  });
  await ask(trial, 'generateContent', {
    tools: TOOLS,
    contents: [
      { role: 'user', parts: [{ text: 'Say hi' }] },
      { role: 'model', parts: withoutIds },
      { role: 'user', parts: [result('bash', 'one'), result('bash', 'three'), result('read', 'two')] },
    ],
  });
  expect(wireEvidence(trial).toolCalls.map((call) => [call.id, call.result])).toEqual([
    ['c1', 'one'],
    ['c2', 'two'],
    ['c3', 'three'],
  ]);
  expect(trial.close().problems).toEqual([]);
});

test('reads both spellings of its fields, and an error result as one', async () => {
  const trial = await trialWith(text('{}'));
  await ask(trial, 'generateContent', {
    system_instruction: { parts: [{ text: 'one' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Say hi' }] },
      {
        role: 'model',
        parts: [{ text: 'hm', thought: true }, { functionCall: { name: 'bash', args: { b: 1, a: 2 } } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { error: 'no' } } }] },
    ],
    tools: [{ function_declarations: [{ name: 'bash' }] }, { googleSearch: {} }],
    generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } },
  });
  const request = trial.exchanges[0]?.request;
  expect(request?.system).toBe('one');
  expect(request?.messages).toEqual([
    { role: 'user', text: 'Say hi' },
    {
      role: 'assistant',
      text: '',
      reasoning: 'hm',
      toolCalls: [{ id: '', name: 'bash', arguments: '{"a":2,"b":1}' }],
    },
    { role: 'tool', text: 'no', toolName: 'bash', isError: true },
  ]);
  expect(request?.tools.map((tool) => [tool.name, tool.kind])).toEqual([
    ['bash', 'function'],
    ['googleSearch', 'hosted'],
  ]);
  expect(request?.output).toEqual({ type: 'json', schema: { type: 'OBJECT' } });
});
