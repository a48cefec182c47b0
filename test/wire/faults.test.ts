import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import {
  scriptFromTurns,
  wireEvidence,
  type Protocol,
  type WireFault,
  type WireItem,
  type WireTrial,
} from '../../src/wire/index.js';
import { ask, DIALECTS, type AgentSetting } from './agent.js';
import { at, calls, eventsOf, MODES, post, send, text, trialOf, type Answer } from './support.js';

const ANSWER = 'An answer that is long enough to be sent in several pieces, so that it can be broken.';

function scripted(...items: WireItem[]): Promise<WireTrial> {
  return trialOf(scriptFromTurns([{ user: 'Say hi', steps: items }]));
}

function status(code: number, more: Partial<Extract<WireFault, { fault: 'status' }>> = {}): WireFault {
  return { type: 'fault', fault: 'status', status: code, ...more };
}

function once(
  trial: WireTrial,
  protocol: Protocol,
  stream = false,
  prompt = 'Say hi',
  headers = {},
): Promise<Answer> {
  const dialect = DIALECTS[protocol];
  const body = dialect.body('', [dialect.user(prompt)], ['write'], stream);
  return post(trial.baseUrl + dialect.path(stream), body, headers);
}

const SHAPES: { readonly [Name in Protocol]: (code: number, type: string) => unknown } = {
  anthropic: (_code, type) => ({
    type: 'error',
    error: { type, message: expect.any(String) },
    request_id: expect.stringMatching(/^req_/),
  }),
  'openai-chat': (_code, type) => ({ error: { message: expect.any(String), type, param: null, code: null } }),
  'openai-responses': (_code, type) => ({
    error: { message: expect.any(String), type, param: null, code: null },
  }),
  gemini: (code, type) => ({ error: { code, message: expect.any(String), status: type } }),
};

test.each<[Protocol, number, string]>([
  ['anthropic', 400, 'invalid_request_error'],
  ['anthropic', 401, 'authentication_error'],
  ['anthropic', 429, 'rate_limit_error'],
  ['anthropic', 500, 'api_error'],
  ['anthropic', 529, 'overloaded_error'],
  ['openai-chat', 429, 'rate_limit_error'],
  ['openai-chat', 500, 'server_error'],
  ['openai-chat', 400, 'invalid_request_error'],
  ['openai-responses', 503, 'server_error'],
  ['gemini', 400, 'INVALID_ARGUMENT'],
  ['gemini', 429, 'RESOURCE_EXHAUSTED'],
  ['gemini', 500, 'INTERNAL'],
  ['gemini', 529, 'UNAVAILABLE'],
])('%s says status %d in its own shape', async (protocol, code, type) => {
  const trial = await scripted(status(code), text('Hello'));
  const answer = await once(trial, protocol);
  expect(answer.status).toBe(code);
  expect(answer.json).toEqual(SHAPES[protocol](code, type));
});

test('a fault says when to come back only when the script does, to the millisecond', async () => {
  const trial = await scripted(
    status(429),
    status(429, { retryAfter: 0 }),
    status(429, { retryAfter: 1.5 }),
    text('Hello'),
  );
  const headers = [];
  for (let count = 0; count < 3; count += 1) headers.push((await once(trial, 'anthropic')).headers);
  expect(headers.map((each) => [each['retry-after'], each['retry-after-ms']])).toEqual([
    [undefined, undefined],
    ['0', '0'],
    ['2', '1500'],
  ]);
});

describe.each(MODES)('over $name', (mode) => {
  const setting = (trial: WireTrial, tries: number) => ({
    ...mode,
    baseUrl: trial.baseUrl,
    tools: ['write'],
    tries,
  });

  test.each<[string, WireItem[]]>([
    ['429', [status(429, { retryAfter: 0 })]],
    ['500 and 529', [status(500), status(529)]],
    ['a dropped connection', [{ type: 'fault', fault: 'drop' }]],
    ['a cut answer', [{ type: 'fault', fault: 'cut', afterEvents: 1 }]],
    ['an answer cut at once', [{ type: 'fault', fault: 'cut', afterEvents: 0 }]],
  ])('%s uses up no step', async (_name, faults) => {
    const trial = await scripted(
      ...faults,
      calls(['c1', 'write', { message: ANSWER }]),
      ...faults,
      text(ANSWER),
    );
    expect((await ask(setting(trial, 4), [], 'Say hi')).text).toBe(ANSWER);
    const evidence = wireEvidence(trial);
    expect(evidence.llmCalls).toBe(2);
    expect(evidence.toolCalls).toMatchObject([{ executed: true }]);
    expect(evidence.usage).toEqual({ inputTokens: 30, outputTokens: 12, cost: null });
    expect(trial.close()).toMatchObject({ problems: [], retries: [] });
  });

  test('a malformed piece spoils an answer, and the next try gets it whole', async () => {
    const trial = await scripted({ type: 'fault', fault: 'malformed', afterEvents: 1 }, text(ANSWER));
    const broken = await once(trial, mode.protocol, mode.stream);
    expect(broken.status).toBe(200);
    if (mode.stream) {
      const data = eventsOf(broken.text).map((event) => event.data);
      expect(data).toHaveLength(2);
      expect(() => JSON.parse(data[0] ?? '')).not.toThrow();
      expect(() => JSON.parse(data[1] ?? '')).toThrow(SyntaxError);
    } else expect(() => JSON.parse(broken.text)).toThrow(SyntaxError);
    expect((await ask(setting(trial, 1), [], 'Say hi')).text).toBe(ANSWER);
    expect(trial.close().problems).toEqual([]);
  });

  test('a slow step is late and otherwise whole', async () => {
    const trial = await scripted({ type: 'fault', fault: 'slow', firstByteMs: 30 }, text(ANSWER));
    expect((await ask(setting(trial, 1), [], 'Say hi')).text).toBe(ANSWER);
    expect(trial.close()).toMatchObject({ problems: [], steps: 1 });
  });

  test('the same request again gets the same answer and uses up nothing', async () => {
    const trial = await scripted(text('one'), text('two'));
    const first = await once(trial, mode.protocol, mode.stream);
    const again = await once(trial, mode.protocol, mode.stream, 'Say hi', { 'x-stainless-retry-count': '1' });
    expect(again.text).toBe(first.text);
    const report = trial.close();
    expect(report.retries).toEqual([{ lane: 'main', number: 1, times: 1 }]);
    expect(report.steps).toBe(1);
    expect(report.problems).toMatchObject([{ kind: 'leftover' }]);
  });

  test('an exhausted script answers 400 in the shape of the protocol, counted once a conversation', async () => {
    const trial = await scripted(calls(['c1', 'write', {}]));
    await expect(ask(setting(trial, 3), [], 'Say hi')).rejects.toThrow('status 400');
    const dialect = DIALECTS[mode.protocol];
    const [, last] = trial.exchanges;
    expect(last).toMatchObject({ outcome: 'exhausted', lane: 'main' });
    const said = dialect.read(await once(trial, mode.protocol, mode.stream), mode.stream);
    const body = dialect.body(
      '',
      [dialect.user('Say hi'), ...said.entries, ...dialect.results(said.calls, ['ran write {}'])],
      ['write'],
      mode.stream,
    );
    const answer = await post(trial.baseUrl + dialect.path(mode.stream), body);
    expect(answer.status).toBe(400);
    expect(answer.headers['x-should-retry']).toBe('false');
    const message = at(answer.json, 'error', 'message');
    expect(message).toBe(
      'Script exhausted: lane "main" holds 1 step and all are used; the agent asked for one more.',
    );
    const report = trial.close();
    expect(report.exhausted).toMatchObject([{ number: 2, times: 2 }]);
    expect(report.problems).toMatchObject([{ kind: 'exhausted', lane: 'main', message }]);
  });
});

test('a status that is not worth trying again comes every time, so that a repeat does not get the next step', async () => {
  const trial = await scripted(status(400), text('should not be reached'));
  const answers = [
    await once(trial, 'anthropic'),
    await once(trial, 'anthropic', false, 'Say hi', { 'anthropic-beta': '' }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([400, 400]);
  const report = trial.close();
  expect(report.problems).toMatchObject([{ kind: 'leftover' }]);
  expect(report.retries).toEqual([{ lane: 'main', number: 1, times: 1 }]);
});

test('the script can say that a status comes once or every time', async () => {
  const onceOnly = await scripted(status(400, { sticky: false }), text('Hello'));
  expect([(await once(onceOnly, 'gemini')).status, (await once(onceOnly, 'gemini')).status]).toEqual([
    400, 200,
  ]);
  const always = await scripted(status(500, { sticky: true }), text('Hello'));
  expect([(await once(always, 'gemini')).status, (await once(always, 'gemini')).status]).toEqual([500, 500]);
});

test('after a fault a request that has changed gets what follows', async () => {
  const trial = await scripted(status(413), text('Hello'));
  const dialect = DIALECTS.anthropic;
  const url = trial.baseUrl + dialect.path(false);
  const body = (more: string) => dialect.body(`system${more}`, [dialect.user('Say hi')], ['write'], false);
  expect((await post(url, body(''))).status).toBe(413);
  expect((await post(url, body(''))).status).toBe(413);
  const shorter = dialect.body('system', [dialect.user('Say hi'), dialect.user('shorter')], ['write'], false);
  expect((await post(url, shorter)).status).toBe(200);
});

test('a fault that nobody met is left over', async () => {
  const trial = await scripted(text('Hello'), status(500));
  await once(trial, 'anthropic');
  expect(trial.close().leftovers).toEqual([{ lane: 'main', turn: 0, items: [status(500)] }]);
});

test('a client that acts on a broken answer has had the step', async () => {
  const trial = await scripted(
    { type: 'fault', fault: 'cut', afterEvents: 6 },
    calls(['c1', 'write', {}]),
    text('Done'),
  );
  const dialect = DIALECTS['openai-responses'];
  await expect(once(trial, 'openai-responses', true)).rejects.toThrow();
  const item = { type: 'function_call', call_id: 'c1', name: 'write', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'c1', output: 'ran' };
  const body = dialect.body('', [dialect.user('Say hi'), item, result], ['write'], true);
  const answer = await post(trial.baseUrl + dialect.path(true), body);
  expect(dialect.read(answer, true).text).toBe('Done');
  expect(wireEvidence(trial).toolCalls).toMatchObject([{ id: 'c1', result: 'ran', executed: true }]);
  expect(trial.close().problems).toEqual([]);
});

test('a client that leaves before the answer gets the same one when it comes back', async () => {
  const trial = await scripted(
    { type: 'fault', fault: 'slow', firstByteMs: 60_000 },
    text('one'),
    text('two'),
  );
  const dialect = DIALECTS.anthropic;
  await new Promise<void>((resolve) => {
    const sent = httpRequest(trial.baseUrl + dialect.path(false), { method: 'POST', agent: false });
    sent.on('error', () => resolve());
    sent.end(JSON.stringify(dialect.body('', [dialect.user('Say hi')], [], false)));
    const watch = setInterval(() => {
      if (trial.exchanges.length === 0) return;
      clearInterval(watch);
      sent.destroy();
    }, 5);
  });
  while (trial.exchanges[0]?.delivered !== false) await new Promise((resolve) => setTimeout(resolve, 5));
  const answer = await post(
    trial.baseUrl + dialect.path(false),
    dialect.body('', [dialect.user('Say hi')], [], false),
  );
  expect(dialect.read(answer, false).text).toBe('one');
  expect(trial.close().retries).toEqual([{ lane: 'main', number: 1, times: 1 }]);
});

test('a client that changes its system prompt when it tries again after a lost answer is still the same client', async () => {
  const trial = await scripted({ type: 'fault', fault: 'drop' }, text('one'), text('two'));
  const dialect = DIALECTS.anthropic;
  const url = trial.baseUrl + dialect.path(false);
  const body = (clock: string) => dialect.body(`It is ${clock}.`, [dialect.user('Say hi')], ['write'], false);
  await expect(post(url, body('10:00'))).rejects.toThrow();
  expect(dialect.read(await post(url, body('10:01')), false).text).toBe('one');
  expect(trial.close().problems).toMatchObject([{ kind: 'leftover' }]);
});

test('a trial that is closed while an answer waits ends the wait', async () => {
  const trial = await scripted({ type: 'fault', fault: 'slow', firstByteMs: 600_000 }, text('one'));
  const waiting = once(trial, 'anthropic').catch(() => 'broken off');
  while (trial.exchanges.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  trial.close();
  expect(await waiting).toBe('broken off');
});

test('an unknown path uses up no step and breaks nothing', async () => {
  const trial = await scripted(text('Hello'));
  expect((await send(`${trial.baseUrl}/v1/embeddings`, { body: '{}' })).status).toBe(404);
  expect((await once(trial, 'openai-chat')).status).toBe(200);
  expect(trial.close().problems).toEqual([]);
});

test('a retry in a turn whose words hold those of the next stays in its turn', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'Say hi', steps: [text('one')] },
      { user: 'Say hi and go', steps: [status(429), text('two')] },
      { user: 'go', steps: [text('three')] },
    ]),
  );
  const setting: AgentSetting = {
    baseUrl: trial.baseUrl,
    protocol: 'anthropic',
    stream: true,
    tools: ['write'],
    tries: 2,
  };
  let history: JsonValue[] = [];
  const texts: string[] = [];
  for (const prompt of ['Say hi', 'Say hi and go', 'go']) {
    const run = await ask(setting, history, prompt);
    history = run.history;
    texts.push(run.text);
  }
  expect(texts).toEqual(['one', 'two', 'three']);
  expect(trial.close().problems).toEqual([]);
});
