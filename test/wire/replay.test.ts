import { assert, asyncProperty, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/index.js';
import { canonicalJson, fixedSource } from '../../src/core/index.js';
import {
  scriptFromTurns,
  startScriptedServer,
  wireEvidence,
  type WireScript,
  type WireTrial,
} from '../../src/wire/index.js';
import { ask, DIALECTS, type AgentRun } from './agent.js';
import { at, calls, eventObjects, MODES, post, server, text, trialOf, type Answer } from './support.js';

const EMOJI = '😀👩‍👩‍👧‍👦🎉';

const TWO_STEPS = scriptFromTurns([
  { user: 'Say hi', steps: [calls(['c1', 'write', { message: `a ${EMOJI}` }]), text(`Done ${EMOJI}`)] },
]);

function idsOf(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(idsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    ['id', 'responseId', 'item_id'].includes(key) && typeof member === 'string' ? [member] : idsOf(member),
  );
}

function bodies(answer: Answer): JsonValue[] {
  return answer.text.startsWith('{') ? [answer.json] : eventObjects(answer.text);
}

async function replay(trial: WireTrial, mode: (typeof MODES)[number]): Promise<AgentRun> {
  return ask({ ...mode, baseUrl: trial.baseUrl, tools: ['write'] }, [], 'Say hi');
}

describe.each(MODES)('over $name', (mode) => {
  test('plays two steps, runs the tool for real and sees its result', async () => {
    const trial = await trialOf(TWO_STEPS);
    const run = await replay(trial, mode);
    expect(run.text).toBe(`Done ${EMOJI}`);
    const evidence = wireEvidence(trial);
    expect(evidence.toolCalls).toMatchObject([
      {
        id: 'c1',
        name: 'write',
        arguments: canonicalJson({ message: `a ${EMOJI}` }),
        result: `ran write ${JSON.stringify({ message: `a ${EMOJI}` })}`,
        ok: true,
        turn: 0,
        offered: true,
        answered: true,
        executed: true,
      },
    ]);
    expect(evidence.usage).toEqual({ inputTokens: 30, outputTokens: 12, cost: null });
    expect(evidence.llmCalls).toBe(2);
    expect(evidence.turns).toEqual([{ user: 'Say hi', text: `Done ${EMOJI}` }]);
    expect(evidence.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(trial.close()).toMatchObject({ problems: [], notes: [], steps: 2, requests: 2 });
  });

  test('plays parallel calls whose results come back in one request', async () => {
    const trial = await trialOf(
      scriptFromTurns([
        {
          user: 'Say hi',
          steps: [calls(['c1', 'write', { message: '1' }], ['c2', 'write', { message: '2' }]), text('Done')],
        },
      ]),
    );
    await replay(trial, mode);
    expect(trial.exchanges).toHaveLength(2);
    expect(wireEvidence(trial).toolCalls.map((call) => [call.id, call.result, call.executed])).toEqual([
      ['c1', 'ran write {"message":"1"}', true],
      ['c2', 'ran write {"message":"2"}', true],
    ]);
    expect(trial.close().problems).toEqual([]);
  });

  test('plays a run of twelve calls in which the same call comes again and again', async () => {
    const steps = Array.from({ length: 12 }, (_, index) =>
      calls([`c${index}`, 'write', { message: 'same' }]),
    );
    const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [...steps, text('Done')] }]));
    expect((await replay(trial, mode)).text).toBe('Done');
    const evidence = wireEvidence(trial);
    expect(evidence.toolCalls.map((call) => call.id)).toEqual(steps.map((_, index) => `c${index}`));
    expect(evidence.toolCalls.every((call) => call.executed)).toBe(true);
    expect(evidence.messages).toHaveLength(1 + 2 * 12 + 1);
    expect(trial.close()).toMatchObject({ problems: [], retries: [] });
  });

  test('answers byte by byte without hurting text of several bytes', async () => {
    const trial = await trialOf(TWO_STEPS, { writeBytes: 1 });
    const run = await replay(trial, mode);
    expect(run.text).toBe(`Done ${EMOJI}`);
    expect(wireEvidence(trial).toolCalls[0]?.result).toContain(EMOJI);
  });

  test('plays several turns of one conversation, also when a reply is repeated word for word', async () => {
    const trial = await trialOf(
      scriptFromTurns([
        { user: 'first', steps: [text('ok')] },
        { user: 'second', steps: [text('ok')] },
        { user: 'third', steps: [calls(['c1', 'write', {}]), text('ok')] },
      ]),
    );
    const setting = { ...mode, baseUrl: trial.baseUrl, tools: ['write'] };
    let history: JsonValue[] = [];
    for (const prompt of ['first', 'second', 'third'])
      history = (await ask(setting, history, prompt)).history;
    const evidence = wireEvidence(trial);
    expect(evidence.turns.map((turn) => turn.user)).toEqual(['first', 'second', 'third']);
    expect(evidence.toolCalls.map((call) => call.turn)).toEqual([2]);
    expect(trial.close()).toMatchObject({ problems: [], retries: [] });
  });

  test('plays several turns for an agent that begins anew each time, even with the same words', async () => {
    const trial = await trialOf(
      scriptFromTurns([
        { user: 'again', steps: [text('one')] },
        { user: 'again', steps: [text('two')] },
      ]),
    );
    const setting = { ...mode, baseUrl: trial.baseUrl, tools: ['write'] };
    const texts = [(await ask(setting, [], 'again')).text, (await ask(setting, [], 'again')).text];
    expect(texts).toEqual(['one', 'two']);
    expect(trial.close().problems).toEqual([]);
  });

  test('gives the same ids in every run, and no two alike', async () => {
    const runs: string[][] = [];
    for (let count = 0; count < 2; count += 1) {
      const started = await startScriptedServer({ source: fixedSource() });
      const seen: string[][] = [];
      for (const id of ['a', 'b']) {
        const run = await replay(started.openTrial({ id, script: TWO_STEPS }), mode);
        seen.push([...new Set(run.answers.flatMap((answer) => bodies(answer).flatMap(idsOf)))]);
      }
      const own = seen.flat().filter((id) => id !== 'c1');
      expect(new Set(own).size).toBe(own.length);
      expect(own.length).toBeGreaterThanOrEqual(4);
      runs.push(own);
      await started.close();
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  test('answers a tool the agent does not have, and says so', async () => {
    const trial = await trialOf(
      scriptFromTurns([{ user: 'Say hi', steps: [calls(['c1', 'fly', {}]), text('Done')] }]),
    );
    const setting = { ...mode, baseUrl: trial.baseUrl, tools: ['write'], run: () => 'Unknown tool: fly' };
    await ask(setting, [], 'Say hi');
    const [call] = wireEvidence(trial).toolCalls;
    expect(call).toMatchObject({
      offered: false,
      answered: true,
      executed: false,
      ok: false,
      result: 'Unknown tool: fly',
    });
    const report = trial.close();
    expect(report.problems).toEqual([]);
    expect(report.toolsNotOffered).toEqual([{ lane: 'main', tool: 'fly', offered: ['write'] }]);
    expect(report.notes[0]).toContain('"fly"');
  });

  test('a call whose result never comes is called and not executed', async () => {
    const trial = await trialOf(
      scriptFromTurns([{ user: 'Say hi', steps: [calls(['c1', 'write', {}]), text('Done')] }]),
    );
    const dialect = DIALECTS[mode.protocol];
    const body = dialect.body('', [dialect.user('Say hi')], ['write'], mode.stream);
    await post(trial.baseUrl + dialect.path(mode.stream), body);
    expect(wireEvidence(trial).toolCalls).toMatchObject([
      { answered: false, executed: false, ok: false, result: '' },
    ]);
    expect(trial.close().problems).toMatchObject([{ kind: 'leftover', lane: 'main', turn: 0 }]);
  });
});

test('no piece of a stream ends within a code point, whatever the text', async () => {
  const started = await server();
  let count = 0;
  await assert(
    asyncProperty(string({ unit: 'binary', minLength: 1, maxLength: 400 }), async (content) => {
      count += 1;
      const script = scriptFromTurns([
        { user: 'Say hi', steps: [calls(['c1', 'write', { message: content }]), text(content)] },
      ]);
      const trial = started.openTrial({ id: `case-${count}`, script });
      const run = await ask(
        { baseUrl: trial.baseUrl, protocol: 'openai-chat', stream: true, tools: ['write'] },
        [],
        'Say hi',
      );
      const deltas = run.answers
        .flatMap((answer) => eventObjects(answer.text))
        .map((chunk) => at(chunk, 'choices', 0, 'delta'));
      const pieces = deltas.flatMap((delta) => [
        at(delta, 'content'),
        at(delta, 'tool_calls', 0, 'function', 'arguments'),
      ]);
      for (const piece of pieces) if (typeof piece === 'string') expect(piece).not.toMatch(/\p{Cs}/u);
      expect(run.text).toBe(content);
      trial.close();
    }),
    { numRuns: 40, seed: 6 },
  );
});

test('call ids of the script are kept, and made unique where they are not', async () => {
  const script: WireScript = scriptFromTurns([
    {
      user: 'Say hi',
      steps: [
        calls(['same', 'write', { message: '1' }], ['', 'write', { message: '2' }]),
        calls(['same', 'write', { message: '3' }]),
        text('Done'),
      ],
    },
  ]);
  const trial = await trialOf(script);
  await ask({ baseUrl: trial.baseUrl, protocol: 'anthropic', stream: false, tools: ['write'] }, [], 'Say hi');
  const seen = wireEvidence(trial).toolCalls;
  expect(seen.map((call) => call.id)).toEqual([
    'same',
    expect.stringMatching(/^call_[0-9a-f]{12}$/),
    'same_2',
  ]);
  expect(seen.map((call) => call.result)).toEqual(['1', '2', '3'].map((n) => `ran write {"message":"${n}"}`));
});

test('arguments that are not an object are sent as they are', async () => {
  const trial = await trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: [calls(['c1', 'write', [1, 'two', null]]), text('Done')] }]),
  );
  const got: JsonValue[] = [];
  const run = (call: { arguments: JsonValue }): string => {
    got.push(call.arguments);
    return 'Error: not an object';
  };
  await ask(
    { baseUrl: trial.baseUrl, protocol: 'anthropic', stream: true, tools: ['write'], run },
    [],
    'Say hi',
  );
  expect(got).toEqual([[1, 'two', null]]);
});

test('two hundred trials at fifty at a time do not touch each other', async () => {
  const started = await server();
  const modes = [...MODES];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < 200) {
      const number = next;
      next += 1;
      const mode = modes[number % modes.length] ?? modes[0];
      if (mode === undefined) throw new Error('no mode');
      const script = scriptFromTurns([
        {
          user: 'Say hi',
          steps: [calls(['c1', 'write', { message: `call ${number}` }]), text(`answer ${number}`)],
        },
      ]);
      const trial = started.openTrial({ id: `case-${number}`, script });
      const run = await ask({ ...mode, baseUrl: trial.baseUrl, tools: ['write'] }, [], 'Say hi');
      expect(run.text).toBe(`answer ${number}`);
      expect(wireEvidence(trial).toolCalls.map((call) => call.arguments)).toEqual([
        `{"message":"call ${number}"}`,
      ]);
      expect(trial.close()).toMatchObject({ problems: [], retries: [], steps: 2, requests: 2 });
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  expect(next).toBe(200);
});
