import { expect, test } from 'vitest';
import {
  compareRequests,
  expandRequests,
  firstDivergence,
  laneRequests,
  scriptFromTurns,
  type CompareRules,
  type FullRequest,
  type RecordedRequest,
} from '../../src/wire/index.js';
import { ask } from './agent.js';
import { calls, server, text } from './support.js';

function request(more: Partial<FullRequest> = {}): FullRequest {
  return {
    protocol: 'anthropic',
    model: 'model-x',
    system: 'You are terse.',
    tools: [{ name: 'bash', description: 'Runs a command.', schema: { type: 'object' } }],
    parameters: { max_tokens: 100, temperature: 0 },
    messages: [{ role: 'user', text: 'Say hi' }],
    ...more,
  };
}

function result(text: string, id = 'call_1', isError = false): FullRequest['messages'][number] {
  return { role: 'tool', text, toolCallId: id, isError };
}

function kinds(recorded: FullRequest, actual: FullRequest, rules: CompareRules = {}): string[] {
  return compareRequests(recorded, actual, rules).map(({ kind, where }) => `${kind} ${where}`);
}

test('a request agrees with itself', () => {
  expect(kinds(request(), request())).toEqual([]);
});

test.each<[string, Partial<FullRequest>, Partial<FullRequest>, string[]]>([
  ['the system prompt', {}, { system: 'You are kind.' }, ['prompt system']],
  ['what the user says', {}, { messages: [{ role: 'user', text: 'Say bye' }] }, ['prompt messages[0]']],
  [
    'a message more',
    {},
    {
      messages: [
        { role: 'user', text: 'Say hi' },
        { role: 'user', text: 'now' },
      ],
    },
    ['prompt messages[1]'],
  ],
  [
    'a description',
    {},
    { tools: [{ name: 'bash', description: 'Other.', schema: { type: 'object' } }] },
    ['tool_schema tools.bash'],
  ],
  [
    'a schema',
    {},
    {
      tools: [
        { name: 'bash', description: 'Runs a command.', schema: { type: 'object', required: ['command'] } },
      ],
    },
    ['tool_schema tools.bash'],
  ],
  ['a missing tool', {}, { tools: [] }, ['tool_schema tools.bash']],
  [
    'a parameter',
    {},
    { parameters: { max_tokens: 100, temperature: 1 } },
    ['parameters parameters.temperature'],
  ],
  [
    'a parameter more',
    {},
    { parameters: { max_tokens: 100, temperature: 0, top_p: 1 } },
    ['parameters parameters.top_p'],
  ],
  ['the model', {}, { model: 'model-y' }, ['parameters model']],
  ['a result', { messages: [result('a.txt')] }, { messages: [result('b.txt')] }, ['results messages[0]']],
  ['a missing result', { messages: [result('a.txt')] }, { messages: [] }, ['results messages[0]']],
  [
    'a result that became an error',
    { messages: [result('a.txt')] },
    { messages: [result('a.txt', 'call_1', true)] },
    ['results messages[0]'],
  ],
  [
    'the order of results',
    { messages: [result('a', 'call_a'), result('b', 'call_b')] },
    { messages: [result('b', 'call_b'), result('a', 'call_a')] },
    ['order messages'],
  ],
  [
    'results of the wrong calls',
    { messages: [result('a', 'call_a'), result('b', 'call_b'), result('c', 'call_a')] },
    { messages: [result('a', 'call_a'), result('b', 'call_b'), result('c', 'call_b')] },
    ['order messages'],
  ],
])('tells %s', (_name, recorded, actual, expected) => {
  expect(kinds(request(recorded), request(actual))).toEqual(expected);
});

test('tells the arguments of a call and the order of tools', () => {
  const call = (args: string): FullRequest['messages'][number] => ({
    role: 'assistant',
    text: '',
    toolCalls: [{ id: 'call_1', name: 'bash', arguments: args }],
  });
  expect(kinds(request({ messages: [call('{"a":1}')] }), request({ messages: [call('{"a":2}')] }))).toEqual([
    'arguments messages[1]',
  ]);
  const [bash] = request().tools;
  if (bash === undefined) throw new Error('no tool');
  const read = { ...bash, name: 'read' };
  expect(kinds(request({ tools: [bash, read] }), request({ tools: [read, bash] }))).toEqual(['order tools']);
});

test('key order of schemas and parameters is no difference', () => {
  const one = request({ parameters: { a: 1, b: { c: 1, d: 2 } } });
  const two = request({ parameters: { b: { d: 2, c: 1 }, a: 1 } });
  expect(kinds(one, two)).toEqual([]);
});

test.each<[string, string, string]>([
  ['a UUID', 'id 6f1c1c1e-0b1a-4c1d-9e1f-2a2b2c2d2e2f', 'id 00000000-0000-4000-8000-000000000001'],
  ['provider ids', 'see toolu_01AbCdEf and msg_0099887766', 'see toolu_09XyZwVu and msg_1122334455'],
  ['a long hexadecimal number', 'commit 0123456789abcdef0123', 'commit fedcba98765432100123'],
  ['an ISO time', 'at 2025-11-30T18:51:07.123Z', 'at 2026-01-01T00:00:00+02:00'],
  ['a date', "Today's date: 2025-11-30", "Today's date: 2026-01-01"],
  ['a date in words', 'Today is Sunday, November 30, 2025.', 'Today is Thursday, January 1, 2026.'],
  ['a time of day', 'now 18:51:07', 'now 09:00:00 PM'],
  ['milliseconds', 'started 1764528667123', 'started 1764528667999'],
  ['a temporary directory', 'cwd: /tmp/assay-x1/work', 'cwd: /tmp/assay-y2/work'],
  ['a port', 'at http://127.0.0.1:41231/v1', 'at http://127.0.0.1:53535/v1'],
  ['a process group', 'Process Group PGID: 4711', 'Process Group PGID: 815'],
])('overlooks %s', (_name, left, right) => {
  const one = request({ system: left, messages: [result(left)] });
  const two = request({ system: right, messages: [result(right)] });
  expect(kinds(one, two)).toEqual([]);
});

test.each<[string, string, string]>([
  ['words with a hyphen', 'a user-friendly item', 'a user-hostile item'],
  ['short numbers', 'exit code 3', 'exit code 4'],
  ['words like months', 'It may be so', 'It must be so'],
  ['an id used twice and two ids', 'toolu_0000000001 toolu_0000000001', 'toolu_0000000001 toolu_0000000002'],
])('does not overlook %s', (_name, left, right) => {
  expect(kinds(request({ system: left }), request({ system: right }))).toEqual(['prompt system']);
});

test('rules say more to overlook, and less', () => {
  const one = request({ system: 'home /home/ann, build 77, at 2025-11-30', parameters: { seed: 1 } });
  const two = request({ system: 'home /root, build 78, at 2026-01-01', parameters: { seed: 2 } });
  expect(kinds(one, two)).toEqual(['prompt system', 'parameters parameters.seed']);
  const rules: CompareRules = {
    paths: { '/home/ann': '<home>', '/root': '<home>' },
    mask: ['build \\d+'],
    parameters: ['seed'],
  };
  expect(kinds(one, two, rules)).toEqual([]);
  expect(kinds(one, two, { ...rules, clocks: false })).toEqual(['prompt system']);
  const ids = [request({ system: 'toolu_0000000001' }), request({ system: 'toolu_0000000002' })] as const;
  expect(kinds(...ids)).toEqual([]);
  expect(kinds(...ids, { ids: false })).toEqual(['prompt system']);
});

test('a mask that would take forever elsewhere takes no time', () => {
  const long = `${'a'.repeat(50_000)}!`;
  expect(kinds(request({ system: long }), request({ system: `${long}b` }), { mask: ['(a+)+$'] })).toEqual([
    'prompt system',
  ]);
});

test('shows the difference as a diff', () => {
  const one = request({ system: 'one\ntwo\nthree' });
  const [found] = compareRequests(one, request({ system: 'one\n2\nthree' }));
  expect(found?.diff.split('\n').filter((line) => /^[-+][^-+]/.test(line))).toEqual(['-two', '+2']);
});

test('a difference too large to show line by line is still shown', () => {
  const lines = (word: string): string =>
    Array.from({ length: 5000 }, (_, index) => `${word} ${index}`).join('\n');
  const [found] = compareRequests(request({ system: lines('a') }), request({ system: lines('b') }));
  expect(found?.diff).toContain('a 0');
  expect(found?.diff).toContain('b 0');
  expect(found?.diff.length).toBeLessThan(10_000);
});

function recorded(more: Partial<RecordedRequest> = {}): RecordedRequest {
  return { ...request(), ...more };
}

test('finds the first step that differs', () => {
  const steps = [recorded(), recorded({ messages: [result('a')] }), recorded({ messages: [result('b')] })];
  const changed = [recorded(), recorded({ messages: [result('x')] }), recorded({ messages: [result('y')] })];
  expect(firstDivergence(steps, steps)).toBeNull();
  expect(firstDivergence(steps, changed)).toMatchObject({ step: 1, divergences: [{ kind: 'results' }] });
});

test('a step at another’s place, a step missing and a step too many are differences of order', () => {
  const a = recorded({ messages: [result('a')] });
  const b = recorded({ messages: [result('b')] });
  expect(firstDivergence([a, b], [b, a])).toMatchObject({ step: 0, divergences: [{ kind: 'order' }] });
  expect(firstDivergence([a, b], [a])).toMatchObject({ step: 1, divergences: [{ kind: 'order' }] });
  expect(firstDivergence([a], [a, a])).toMatchObject({ step: 1, divergences: [{ kind: 'order' }] });
  expect(firstDivergence([a, a, b], [a, a, b])).toBeNull();
});

test('a long prompt is kept once and put back for comparing', () => {
  const steps: RecordedRequest[] = [recorded(), recorded({ system: null, tools: null, parameters: null })];
  expect(expandRequests(steps)).toEqual([request(), request()]);
});

test('two runs of the same agent agree, in any two trials, and a changed agent is told', async () => {
  const script = scriptFromTurns([
    { user: 'Say hi', steps: [calls(['c1', 'write', { message: 'x' }]), text('Done')] },
  ]);
  const started = await server();
  const play = async (id: string, run: () => string): Promise<RecordedRequest[]> => {
    const trial = started.openTrial({ id, script });
    await ask(
      { baseUrl: trial.baseUrl, protocol: 'openai-responses', stream: true, tools: ['write'], run },
      [],
      'Say hi',
    );
    return laneRequests(trial);
  };
  const first = await play('one', () => 'wrote at 10:00:00');
  expect(firstDivergence(first, await play('two', () => 'wrote at 11:11:11'))).toBeNull();
  const changed = firstDivergence(first, await play('three', () => 'disk full'));
  expect(changed).toMatchObject({ step: 1, divergences: [{ kind: 'results', where: 'messages[0]' }] });
});
