import { expect, test } from 'vitest';
import { AssayError } from '../../src/core/index.js';
import {
  admitScript,
  scriptFromTurns,
  scriptProblems,
  type WireItem,
  type WireScript,
  type WireStep,
} from '../../src/wire/index.js';
import { calls, server, text } from './support.js';

function lane(...items: WireItem[]): WireScript {
  return { lanes: [{ name: 'main', items }] };
}

function keysOf(script: WireScript): string[] {
  return scriptProblems(script, 'case').map((problem) => problem.key);
}

const UNKNOWN_REASON = 'lenght' as WireStep['finishReason'];

test.each<[string, WireScript, string[]]>([
  ['no lane', { lanes: [] }, ['lanes']],
  ['an empty lane', lane(), ['lanes[0].items']],
  ['a lane without a name', { lanes: [{ name: '', items: [text('x')] }] }, ['lanes[0].name']],
  [
    'two lanes of one name',
    {
      lanes: [
        { name: 'a', items: [text('x')] },
        { name: 'a', match: { model: 'm' }, items: [text('x')] },
      ],
    },
    ['lanes[1].name'],
  ],
  [
    'two default lanes',
    {
      lanes: [
        { name: 'a', items: [text('x')] },
        { name: 'b', items: [text('x')] },
      ],
    },
    ['lanes[1]'],
  ],
  [
    'a match that matches everything',
    { lanes: [{ name: 'a', match: {}, items: [text('x')] }] },
    ['lanes[0].match'],
  ],
  [
    'a blank match',
    { lanes: [{ name: 'a', match: { firstUser: ' ' }, items: [text('x')] }] },
    ['lanes[0].match.firstUser'],
  ],
  [
    'no header in a match',
    { lanes: [{ name: 'a', match: { header: {} }, items: [text('x')] }] },
    ['lanes[0].match.header'],
  ],
  [
    'a credential in a match',
    { lanes: [{ name: 'a', match: { header: { 'X-Api-Key': 'k' } }, items: [text('x')] }] },
    ['lanes[0].match.header["X-Api-Key"]'],
  ],
  [
    'a side answer for everything',
    { ...lane(text('x')), sideAnswers: [{ match: {} }] },
    ['sideAnswers[0].match'],
  ],
  ['a turn without a reply', lane({ type: 'turn', user: 'a' }), ['lanes[0].items[0]']],
  [
    'a turn without a reply before another',
    lane({ type: 'turn', user: 'a' }, { type: 'turn', user: 'b' }, text('x')),
    ['lanes[0].items[0]'],
  ],
  [
    'items before the first turn',
    lane(text('x'), { type: 'turn', user: 'a' }, text('y')),
    ['lanes[0].items[0]'],
  ],
  [
    'a status that is none',
    lane({ type: 'fault', fault: 'status', status: 200 }),
    ['lanes[0].items[0].status'],
  ],
  [
    'a wait below zero',
    lane({ type: 'fault', fault: 'status', status: 429, retryAfter: -1 }),
    ['lanes[0].items[0].retryAfter'],
  ],
  ['a cut with nothing to cut', lane({ type: 'fault', fault: 'cut', afterEvents: 1 }), ['lanes[0].items[0]']],
  [
    'a cut of a step of the next turn',
    lane(
      { type: 'turn', user: 'a' },
      { type: 'fault', fault: 'cut', afterEvents: 1 },
      { type: 'turn', user: 'b' },
      text('x'),
    ),
    ['lanes[0].items[1]'],
  ],
  [
    'a cut after part of an event',
    lane({ type: 'fault', fault: 'cut', afterEvents: 0.5 }, text('x')),
    ['lanes[0].items[0].afterEvents'],
  ],
  [
    'a wait without end',
    lane({ type: 'fault', fault: 'slow', firstByteMs: Number.POSITIVE_INFINITY }, text('x')),
    ['lanes[0].items[0].firstByteMs'],
  ],
  ['tokens below zero', lane(text('x', { inputTokens: -1 })), ['lanes[0].items[0].inputTokens']],
  [
    'a finish reason that is none',
    lane({ ...text('x'), finishReason: UNKNOWN_REASON } as WireStep),
    ['lanes[0].items[0].finishReason'],
  ],
  ['a call without a name', lane(calls(['c', '', {}])), ['lanes[0].items[0].toolCalls[0].name']],
])('refuses %s', (_name, script, keys) => {
  expect(keysOf(script)).toEqual(keys);
});

test.each<[string, WireScript]>([
  ['one text', lane(text(''))],
  ['a fault at the end', lane(text('x'), { type: 'fault', fault: 'drop' })],
  ['only a status', lane({ type: 'fault', fault: 'status', status: 599 })],
  ['a cut before the first event', lane({ type: 'fault', fault: 'cut', afterEvents: 0 }, text('x'))],
  ['no tools as a match', { lanes: [{ name: 'a', match: { tools: [] }, items: [text('x')] }] }],
  [
    'a turn with only a fault',
    lane({ type: 'turn', user: '' }, { type: 'fault', fault: 'status', status: 400 }),
  ],
])('takes %s', (_name, script) => {
  expect(keysOf(script)).toEqual([]);
});

test('says everything that is wrong at once, and what was probably meant', () => {
  const script: WireScript = {
    lanes: [
      { name: 'a', items: [text('x', { outputTokens: 0.5 })] },
      { name: 'a', items: [{ ...text('x'), finishReason: UNKNOWN_REASON } as WireStep] },
    ],
  };
  let thrown: unknown = null;
  try {
    admitScript(script, 'case 7');
  } catch (error) {
    thrown = error;
  }
  if (!AssayError.isInstance(thrown)) throw new Error('nothing was refused');
  expect(thrown.code).toBe('SCRIPT');
  expect(thrown.problems.map((problem) => problem.key)).toEqual([
    'lanes[0].items[0].outputTokens',
    'lanes[1].name',
    'lanes[1]',
    'lanes[1].items[0].finishReason',
  ]);
  expect(thrown.problems.at(-1)?.fix).toBe('did you mean "length"?');
  expect(thrown.problems[0]?.file).toBe('case 7');
});

test('a trial whose script cannot be played is not opened, and its id stays free', async () => {
  const started = await server();
  expect(() => started.openTrial({ id: 'a', script: lane() })).toThrow(/cannot be played/);
  expect(started.openTrial({ id: 'a', script: lane(text('x')) }).close().leftovers).toHaveLength(1);
});

test('a plain fixture becomes one default lane, turn by turn', () => {
  expect(
    scriptFromTurns([
      { user: 'a', steps: [text('x'), text('y')] },
      { user: 'b', steps: [text('z')] },
    ]),
  ).toEqual({
    lanes: [
      {
        name: 'main',
        items: [{ type: 'turn', user: 'a' }, text('x'), text('y'), { type: 'turn', user: 'b' }, text('z')],
      },
    ],
  });
  expect(keysOf(scriptFromTurns([{ user: 'a', steps: null }]))).toEqual(['lanes[0].items[0]']);
  expect(keysOf(scriptFromTurns([]))).toEqual(['lanes[0].items']);
});
