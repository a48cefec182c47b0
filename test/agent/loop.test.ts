import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '../../src/model/index.js';
import { echoTool, type Tool } from '../../src/tool/index.js';
import {
  agentError,
  calls,
  converse,
  echo,
  loopOver,
  outcome,
  replying,
  scripted,
  text,
  tool,
  watched,
} from './support.js';

const rounds = (count: number) => Array.from({ length: count }, (_, index) => echo(`round ${index + 1}`));

describe('a turn may make ten model requests', () => {
  it('nine rounds of tools and the answer pass', async () => {
    const session = scripted([[...rounds(9), text('done')]]);
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed().toolCalls).toHaveLength(9);
    expect(session.observed().llmCalls).toBe(10);
  });

  it('a tenth reply that still wants tools fails the turn, and its calls are not carried out', async () => {
    const session = scripted([[...rounds(10), text('done')]]);
    const error = await agentError(session.turn('go', 0));
    expect(error.kind).toBe('limit');
    expect(error.message).toBe('turn 1: exceeded maximum tool iterations (10)');
    expect(session.observed().toolCalls).toHaveLength(9);
    expect(session.observed().llmCalls).toBe(10);
  });

  it.each([1, 2, 3])('the number can be set, here to %i', async (maxSteps) => {
    const enough = scripted([[...rounds(maxSteps - 1), text('done')]], { maxSteps });
    expect(await enough.turn('go', 0)).toBe('done');
    const tooMany = scripted([rounds(maxSteps)], { maxSteps });
    const error = await agentError(tooMany.turn('go', 0));
    expect(error.message).toContain(`exceeded maximum tool iterations (${maxSteps})`);
  });

  it('every turn has ten of its own', async () => {
    const model = new ScriptedModel('case', [
      [...rounds(9), text('one')],
      [...rounds(9), text('two')],
    ]);
    const session = loopOver(model);
    expect(await converse(model, session, ['a', 'b'])).toEqual(['one', 'two']);
    expect(session.observed().toolCalls.map((call) => call.turn)).toEqual([
      ...Array.from({ length: 9 }, () => 0),
      ...Array.from({ length: 9 }, () => 1),
    ]);
  });
});

describe('the calls of one reply', () => {
  it('run one after the other in listed order, each recorded', async () => {
    const seen: string[] = [];
    const slow = tool('slow', async (input) => {
      seen.push(`start ${JSON.stringify(input)}`);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      seen.push(`end ${JSON.stringify(input)}`);
      return { ok: true, text: `did ${JSON.stringify(input)}` };
    });
    const session = scripted([[calls(['slow', 1], ['slow', 2], ['slow', 3]), text('done')]], {
      tools: [slow],
    });
    await session.turn('go', 0);
    expect(seen).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
    expect(session.observed().toolCalls).toEqual(
      [1, 2, 3].map((given) => ({
        id: `c${given}`,
        name: 'slow',
        arguments: `${given}`,
        result: `did ${given}`,
        ok: true,
        turn: 0,
        startedAt: 0,
        durationMs: 0,
      })),
    );
  });

  it('are not merged when they are the same', async () => {
    const same: [string, { message: string }] = ['echo', { message: 'tick' }];
    const session = scripted([[calls(same, same), calls(same), text('done')]]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => [call.id, call.result])).toEqual([
      ['c1', 'tick'],
      ['c2', 'tick'],
      ['c1', 'tick'],
    ]);
  });

  it('are timed by the given clock', async () => {
    let now = 100;
    const wait = tool('wait', () => {
      now += 7;
      return { ok: true, text: 'waited' };
    });
    const session = scripted([[calls(['wait', {}], ['wait', {}]), text('done')]], {
      tools: [wait],
      clock: { elapsed: () => now },
    });
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => [call.startedAt, call.durationMs])).toEqual([
      [100, 7],
      [107, 7],
    ]);
  });

  it('carry canonical arguments: compact, keys sorted, text beyond ASCII as it is', async () => {
    const session = scripted([
      [calls(['echo', { z: 'é😀', a: { c: 1, b: [2] }, message: 'm' }]), text('done')],
    ]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls[0]?.arguments).toBe('{"a":{"b":[2],"c":1},"message":"m","z":"é😀"}');
  });

  it('carry canonical arguments also when the model wrote them otherwise', async () => {
    const input = '{ "b": 1.0, "a": {"d": "\\u00e9", "c": [] } }';
    const part = { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input } as const;
    const session = loopOver(replying([part], [{ type: 'text', text: 'done' }]));
    await session.turn('go', 0);
    expect(session.observed().toolCalls[0]?.arguments).toBe('{"a":{"c":[],"d":"é"},"b":1}');
  });
});

describe('the echo tool', () => {
  it.each([
    [{ message: 'hello' }, 'hello'],
    [{ message: '' }, '(no output)'],
    [{ message: 3 }, '(empty)'],
    [{ text: 'hello' }, '(empty)'],
    [{}, '(empty)'],
    [['hello'], '(empty)'],
    ['hello', '(empty)'],
    [42, '(empty)'],
    [null, '(empty)'],
  ])('given %j succeeds with %s', async (given, result) => {
    const session = scripted([[calls(['echo', given]), text('done')]]);
    await session.turn('go', 0);
    expect(session.observed().toolCalls[0]).toMatchObject({
      ok: true,
      result,
      arguments: JSON.stringify(given),
    });
  });
});

describe('a call that cannot be carried out is recorded as failed, and the loop goes on', () => {
  const throwing = (thrown: unknown): Tool =>
    tool('breaks', () => {
      throw thrown;
    });

  it.each<[string, Tool[], string]>([
    ['unknown tool', [echoTool], 'Unknown tool: breaks'],
    ['no tools at all', [], 'Unknown tool: breaks'],
    ['a tool that fails', [outcome('breaks', { ok: false, text: 'no such city' })], 'no such city'],
    ['a tool that throws', [throwing(new TypeError('of no use'))], 'Tool breaks failed: of no use'],
    ['a tool that throws no error', [throwing('a word')], 'Tool breaks failed: a word'],
    [
      'a tool that rejects',
      [tool('breaks', () => Promise.reject(new Error('later')))],
      'Tool breaks failed: later',
    ],
  ])('%s', async (_name, tools, result) => {
    const { model, prompts } = watched(
      new ScriptedModel('case', [
        [calls(['breaks', { a: 1 }], ['echo', { message: 'still here' }]), text('done')],
      ]),
    );
    const session = loopOver(model, { tools });
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed().toolCalls).toHaveLength(2);
    expect(session.observed().toolCalls[0]).toMatchObject({
      name: 'breaks',
      arguments: '{"a":1}',
      ok: false,
      result,
    });
    expect(prompts[1]?.at(-2)).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'c1', output: { type: 'error-text', value: `Error: ${result}` } }],
    });
    expect(session.observed().messages).toContainEqual(
      expect.objectContaining({ role: 'tool', toolCallId: 'c1', text: `Error: ${result}`, isError: true }),
    );
  });

  it('arguments that are no JSON, which never reach the tool', async () => {
    let asked = 0;
    const counting = tool('count', () => {
      asked += 1;
      return { ok: true, text: 'counted' };
    });
    const part = { type: 'tool-call', toolCallId: 'c1', toolName: 'count', input: '{"message": ' } as const;
    const model = replying([part], [{ type: 'text', text: 'done' }]);
    const session = loopOver(model, { tools: [counting] });
    expect(await session.turn('go', 0)).toBe('done');
    expect(asked).toBe(0);
    expect(session.observed().toolCalls).toEqual([
      expect.objectContaining({
        name: 'count',
        arguments: '{"message": ',
        ok: false,
        result: expect.stringContaining('Invalid arguments for count: not JSON'),
      }),
    ]);
  });

  it('well-formed arguments of any shape reach the tool unchanged', async () => {
    const got: unknown[] = [];
    const taking = tool('take', (input) => {
      got.push(input);
      return { ok: true, text: 'taken' };
    });
    const given = [{ wrong_key: { deep: [null] } }, ['a'], 'text', 0, false, null];
    const session = scripted(
      [[calls(...given.map((one): [string, typeof one] => ['take', one])), text('done')]],
      {
        tools: [taking],
      },
    );
    await session.turn('go', 0);
    expect(got).toEqual(given);
  });

  it('an empty output that is a success becomes (no output); an empty failure stays empty', async () => {
    const tools = [outcome('quiet', { ok: true, text: '' }), outcome('mute', { ok: false, text: '' })];
    const session = scripted([[calls(['quiet', {}], ['mute', {}]), text('done')]], { tools });
    await session.turn('go', 0);
    expect(session.observed().toolCalls.map((call) => [call.ok, call.result])).toEqual([
      [true, '(no output)'],
      [false, ''],
    ]);
  });

  it('a call that is denied is not recorded; the denial stands in the history', async () => {
    const { model, prompts } = watched(
      new ScriptedModel('case', [[calls(['echo', { message: 'a' }], ['shell', {}]), text('done')]]),
    );
    const session = loopOver(model, { approve: (name) => (name === 'shell' ? 'denied by policy' : null) });
    expect(await session.turn('go', 0)).toBe('done');
    expect(session.observed().toolCalls.map((call) => call.name)).toEqual(['echo']);
    expect(session.observed().messages).toContainEqual(
      expect.objectContaining({ role: 'tool', toolName: 'shell', text: 'denied by policy', isError: true }),
    );
    expect(JSON.stringify(prompts[1]?.at(-1))).toContain('denied by policy');
  });
});
