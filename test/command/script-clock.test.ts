import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, TrialResult } from '../../src/core/index.js';
import { call, fixture, nodeAgent, replaySuite, say, temporary } from './support.js';

const MODULE = `export default async ({ model, prompt }) => {
  const reply = await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] });
  return reply.content.map((part) => part.text).join('');
};`;

const SECOND_AND_A_HALF = [
  { user_input: 'first', steps: [say('one', { duration_ms: 500 })] },
  { user_input: 'second', steps: [say('two is done', { duration_ms: 1000 })] },
];

async function timed(agent: JsonValue, limit: number, turns: JsonValue[]): Promise<TrialResult> {
  const expects: JsonObject = { response_contains: ['done'], budget: { max_duration_ms: limit } };
  const directory = await temporary({
    'agent.mjs': MODULE,
    'case.json': JSON.stringify(fixture('timed', { agent, turns, expects })),
  });
  const { trials } = await replaySuite(directory);
  const [trial] = trials;
  if (trial === undefined) throw new Error('nothing was run');
  return trial;
}

describe.each<[string, JsonValue]>([
  ['the loop', 'loop'],
  ['the loop with tools', { loop: { tools: ['file_read'] } }],
  ['a module', { module: 'agent.mjs' }],
  ['a program', nodeAgent()],
])('the clock of a replay of %s', (_what, agent) => {
  it.each([
    ['under', 1501, 'passed'],
    ['at', 1500, 'passed'],
    ['over', 1499, 'failed'],
  ])('goes by what the script says its replies took: %s the limit', async (_where, limit, status) => {
    const trial = await timed(agent, limit, SECOND_AND_A_HALF);
    expect(trial.error).toBeNull();
    expect(trial.recording?.durationMs).toBe(1500);
    expect(trial.status).toBe(status);
  });

  it('stands still where the script says nothing', async () => {
    const turns = SECOND_AND_A_HALF.map(({ user_input }) => ({ user_input, steps: [say('done')] }));
    expect((await timed(agent, 0, turns)).recording?.durationMs).toBe(0);
  });
});

describe('a tool call of a replay', () => {
  it('starts when the reply that asks for it is there', async () => {
    const ask = call(['a', 'echo', { message: 'hi' }]);
    const asked = { response: { ...(ask['response'] as JsonObject), duration_ms: 70 } };
    const trial = await timed('loop', 100, [
      { user_input: 'go', steps: [asked, say('done', { duration_ms: 30 })] },
    ]);
    expect(trial.recording?.toolCalls).toMatchObject([{ startedAt: 70, durationMs: 0 }]);
    expect(trial.status).toBe('passed');
  });
});

describe('the duration of a scripted reply', () => {
  it.each([-1, 1.5, '20'])('is a whole number of milliseconds, 0 or more; not %j', async (duration) => {
    const turns = [{ user_input: 'go', steps: [say('done', { duration_ms: duration })] }];
    await expect(timed('loop', 1, turns)).rejects.toMatchObject({
      problems: [{ key: 'turns[0].steps[0].response.duration_ms' }],
    });
  });
});
