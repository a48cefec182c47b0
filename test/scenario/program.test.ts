import { join, resolve } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { AssayError, type Problem } from '../../src/core/index.js';
import { loadSuite } from '../../src/run/index.js';
import { defineScenario, type ScenarioDefinition, type Suite } from '../../src/suite/index.js';
import { at, decidingModel, reportOf, run, workplace } from '../live/support.js';
import { answersShown, say, stop, verdicts } from './support.js';

const DOOR = JSON.stringify(resolve(import.meta.dirname, '../../src/suite/index.js'));

/** What the reference's package exports, as far as a scenario needs it. */
const KIT = `
export const user = (content) => (_state, executor) => executor.user(content);
export const agent = (content) => (_state, executor) => executor.agent(content);
export const judge = (options) => async (_state, executor) => {
  await executor.judge(options);
};
export const proceed = (turns, onTurn) => async (_state, executor) => {
  await executor.proceed(turns, onTurn);
};
export const message = (given) => (_state, executor) => executor.message(given);
export const succeed = () => async (_state, executor) => {
  await executor.succeed();
};
export class UserSimulator {
  role = 'User';
  constructor(config) {
    this.config = config;
  }
}
export class Judge {
  role = 'Judge';
  constructor(config) {
    this.config = config;
    this.criteria = config.criteria;
  }
}
export const shop = {
  role: 'Agent',
  call({ messages, newMessages }) {
    const told = messages.some(({ role, content }) => role === 'user' && content.includes('4711'));
    if (!told) return 'Order number?';
    return [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { id: 4711 } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'text', value: 'found' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'In 30 days, ' + newMessages.length }] },
    ];
  },
};
`;

/** A module in the form of the reference with these members. */
function reference(members: string): Record<string, string> {
  return {
    'kit.mjs': KIT,
    'r.scenario.mjs': `
import { agent, judge, Judge, message, proceed, shop, succeed, user, UserSimulator } from './kit.mjs';
const criteria = ['It named 30 days.'];
export default {
  name: 'refund',
  description: 'Somebody with order 4711 wants to return it.',
  agents: [shop, new UserSimulator(), new Judge({ criteria })],
  ${members}
};`,
  };
}

function load(files: Record<string, string>, name = 'r.scenario.mjs'): Promise<Suite> {
  const place = workplace(files);
  return loadSuite(join(place.root, name), { cwd: place.root });
}

async function problems(files: Record<string, string>, name?: string): Promise<readonly Problem[]> {
  try {
    await load(files, name);
  } catch (error) {
    if (AssayError.isInstance(error)) return error.problems;
    throw error;
  }
  return [];
}

const FLAT = `
import { defineScenario } from ${DOOR};
const steps: string[] = ['Can I return it?', 'It is 4711.'];
export default defineScenario({
  system_prompt: 'You are a shop.',
  trials: 2,
  script: [...steps, { simulate: 1 }],
  persona: 'A customer.',
  goal: 'Return it.',
  criteria: ['It named 30 days.'],
  assert: [{ type: 'contains', value: '30' }],
  tags: ['shop'],
});
`;

describe('a scenario as a program', () => {
  it.each(['a.scenario.ts', 'a.scenario.mts'])('may be %s, types and all', async (name) => {
    const suite = await load({ [name]: FLAT }, name);
    const [made] = suite.cases;
    expect(suite).toMatchObject({ name: 'a', format: 'program', gate: 'all', trials: 2 });
    expect(made).toMatchObject({ id: 'a', systemPrompt: 'You are a shop.', tags: ['shop'] });
    expect(made?.scenario?.words).toEqual(['Can I return it?', 'It is 4711.', null]);
    expect(made?.checks.map(({ type }) => type)).toEqual(['contains', 'llm-assert']);
  });

  it.each(['a.scenario.js', 'a.scenario.mjs'])('may be %s, exported as scenario', async (name) => {
    const text = `export const scenario = { id: 'x', script: ['hi'], criteria: 'It was polite.' };`;
    const [made] = (await load({ [name]: text }, name)).cases;
    expect(made?.id).toBe('x');
  });

  it('may be a whole suite as well', async () => {
    const text = `export default { cases: [{ id: 'p', prompt: 'x', assert: [{ type: 'is-json' }] }] };`;
    expect((await load({ 'a.scenario.mjs': text }, 'a.scenario.mjs')).cases).toHaveLength(1);
  });

  it('is refused with all its faults at once, each under the key it was written as', async () => {
    const text = `export default { persona: 'p', gaol: 'g', max_turns: 0, criteria: ['c'], assert: [{ type: 'contians' }] };`;
    const found = await problems({ 'a.scenario.mjs': text }, 'a.scenario.mjs');
    expect(found.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['gaol', 'max_turns', 'assert[0].type']),
    );
    expect(found.find(({ key }) => key === 'gaol')?.fix).toBe('did you mean goal?');
  });

  it('is no scenario without an export', async () => {
    await expect(load({ 'a.scenario.mjs': 'export const x = 1;' }, 'a.scenario.mjs')).rejects.toThrow(
      'exports no scenario',
    );
  });

  it('has types that refuse what loading refuses', () => {
    expectTypeOf(defineScenario).parameter(0).toEqualTypeOf<ScenarioDefinition>();
    expectTypeOf<{ script: ['a']; criteria: ['c'] }>().toExtend<ScenarioDefinition>();
    expectTypeOf<{ script: [{ simulate: '2' }] }>().not.toExtend<ScenarioDefinition>();
  });
});

describe("a module in the reference's form", () => {
  it('becomes a scenario: description the goal, judge the criteria, steps the script', async () => {
    const suite = await load(
      reference(
        `script: [user('Hi'), agent(), judge({ criteria: ['It asked.'] }), user(), agent(), proceed(2), judge()],`,
      ),
    );
    const [made] = suite.cases;
    expect(made?.id).toBe('r');
    expect(made?.agent).toMatchObject({ type: 'module', exportName: 'default' });
    expect(made?.scenario).toMatchObject({
      goal: 'Somebody with order 4711 wants to return it.',
      words: ['Hi', null, null, null],
    });
    expect(made?.checks.map(({ label }) => label)).toEqual([
      'turns[0].criteria("It asked.")',
      'criteria("It named 30 days.")',
    ]);
  });

  it('without a script has as many turns as it says, or 10', async () => {
    const [plain] = (await load(reference(''))).cases;
    expect(plain?.scenario?.words).toHaveLength(10);
    const [three] = (await load(reference('maxTurns: 3,'))).cases;
    expect(three?.scenario?.words).toHaveLength(3);
    const [rest] = (await load(reference(`maxTurns: 5, script: [user('Hi'), agent(), proceed()],`))).cases;
    expect(rest?.scenario?.words).toEqual(['Hi', null, null, null, null]);
  });

  it('takes who is speaking from the simulator', async () => {
    const [made] = (
      await load(
        reference(
          `agents: [shop, new UserSimulator({ systemPrompt: 'You are in a hurry.' }), new Judge({ criteria })],`,
        ),
      )
    ).cases;
    expect(made?.scenario?.persona).toBe('You are in a hurry.');
  });

  it('is run: its own call() answers, with the tools it reports', async () => {
    const simulator = await decidingModel((body) => (answersShown(body) < 2 ? say('4711') : stop('reached')));
    const judge = await decidingModel((body) => verdicts(body, 'TRUE'));
    const place = workplace(reference(`script: [user('Hi'), agent(), user(), agent(), judge()],`));
    const words = ['--simulator', simulator.model, '--judge', judge.model, '-t', '1', '--json'];
    const ended = await run(place, ['r.scenario.mjs', ...words]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const trial = at(reportOf(ended), 'detail', 0, 'trials', 0);
    expect(at(trial, 'turns')).toEqual([
      { user: 'Hi', simulated: false, agent: 'Order number?' },
      { user: '4711', simulated: true, agent: 'In 30 days, 1' },
    ]);
    expect(at(trial, 'tool_calls')).toBe(1);
  });

  it.each([
    [`script: [user('a'), agent('b')],`, 'script[1]', 'puts words into the mouth of the agent'],
    [`script: [user('a'), user('b'), agent()],`, 'script[1]', 'before the agent has answered'],
    [`script: [user('a')],`, 'script', 'before the agent has answered'],
    [`script: [agent()],`, 'script[0]', 'before anybody has spoken'],
    [`script: [user('a'), agent(), succeed()],`, 'script[2]', 'succeed()'],
    [`script: [user('a'), agent(), () => console.log('x')],`, 'script[2]', 'code of its own'],
    [
      `script: [(s, executor) => { globalThis.ran = fetch('http://x'); executor.user('a'); }],`,
      'script[0]',
      'code of its own',
    ],
    [`script: [proceed(2, () => {})],`, 'script[0]', 'callbacks'],
    [`script: [message({ role: 'assistant', content: 'x' })],`, 'script[0]', 'message()'],
    [`script: [user('a'), agent(), judge(), user(), agent()],`, 'script[2]', 'steps follow'],
    [`description: '',`, 'description', 'missing'],
    [`cacheKey: 'x',`, 'cacheKey', 'has no twin'],
    [`agents: [new UserSimulator()],`, 'agents', 'no agent under test'],
    [`agents: [shop, shop],`, 'agents[1]', 'second agent under test'],
    [`agents: [{ role: 'Agent' }],`, 'agents[0]', 'has no call()'],
    [`agents: [shop, { role: 'Critic' }],`, 'agents[1].role', 'no role'],
  ])('is refused by name where it has no twin: %s', async (members, key, says) => {
    const found = await problems(reference(members));
    expect(found.map((one) => one.key)).toContain(key);
    expect(found.map((one) => one.message).join('\n')).toContain(says);
  });
});
