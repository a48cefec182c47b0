import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/core/index.js';
import {
  scriptFromTurns,
  wireEvidence,
  type LaneMatch,
  type WireScript,
  type WireTrial,
} from '../../src/wire/index.js';
import { ask, DIALECTS } from './agent.js';
import { at, calls, MODES, post, text, textAt, trialOf, type Answer } from './support.js';

const CLAUDE = DIALECTS.anthropic;

interface Asked {
  user?: string;
  system?: string;
  tools?: string[];
  headers?: { [name: string]: string };
  more?: JsonObject;
  history?: JsonValue[];
}

function once(trial: WireTrial, asked: Asked): Promise<Answer> {
  const history = asked.history ?? [CLAUDE.user(asked.user ?? 'Say hi')];
  const body = CLAUDE.body(asked.system ?? '', history, asked.tools ?? [], false);
  return post(`${trial.baseUrl}/v1/messages`, { ...body, ...asked.more }, asked.headers);
}

function said(answer: Answer): string {
  return answer.status === 200 ? CLAUDE.read(answer, false).text : `status ${answer.status}`;
}

const TITLE: Asked = {
  user: 'Write a title for: Say hi',
  system: 'You make titles.',
  more: {
    tools: [],
    output_config: {
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { isNewTopic: { type: 'boolean' }, title: { type: 'string' } },
          required: ['isNewTopic', 'title'],
        },
      },
    },
  },
};

const WITH_CALLS = scriptFromTurns([{ user: 'Say hi', steps: [calls(['c1', 'write', {}]), text('Done')] }]);

describe.each(MODES)('over $name', (mode) => {
  test('a title request before, beside and after the main one uses up no step', async () => {
    const trial = await trialOf(WITH_CALLS);
    const setting = { ...mode, baseUrl: trial.baseUrl, tools: ['write'] };
    const title = () => ask({ ...setting, tools: [], system: 'You make titles.' }, [], 'Title for: Say hi');
    await title();
    await ask({ ...setting, run: async () => (await title()).text }, [], 'Say hi');
    await ask({ ...setting, tools: [], system: 'You make other titles.' }, [], 'Title for: Say hi');
    const report = trial.close();
    expect(report.problems).toEqual([]);
    expect(report.steps).toBe(2);
    expect(report.sideRequests.map((side) => side.times)).toEqual([2, 1]);
    expect(report.notes).toHaveLength(3);
    expect(wireEvidence(trial).llmCalls).toBe(2);
  });

  test('sub-agents that race their parent and each other get the items of their own lanes', async () => {
    const child = (name: string) => ({
      name,
      match: { firstUser: `do ${name}` },
      items: [calls([`${name}-1`, 'write', { message: name }]), text(`${name} done`)],
    });
    const script: WireScript = {
      lanes: [
        {
          name: 'parent',
          items: [
            { type: 'turn', user: 'Say hi' },
            calls(['p1', 'spawn', {}]),
            calls(['p2', 'write', { message: 'parent' }]),
            text('parent done'),
          ],
        },
        child('left'),
        child('right'),
      ],
    };
    const trial = await trialOf(script);
    const setting = { ...mode, baseUrl: trial.baseUrl, tools: ['spawn', 'write'] };
    const children: Promise<{ text: string }>[] = [];
    const run = (call: { name: string }): string => {
      if (call.name === 'spawn') {
        children.push(ask(setting, [], 'Please do right now'), ask(setting, [], 'Please do left now'));
      }
      return `ran ${call.name}`;
    };
    const parent = await ask({ ...setting, run }, [], 'Say hi');
    const [right, left] = await Promise.all(children);
    expect([parent.text, left?.text, right?.text]).toEqual(['parent done', 'left done', 'right done']);
    const evidence = wireEvidence(trial);
    expect(evidence.toolCalls.map((call) => [call.lane, call.id])).toEqual([
      ['parent', 'p1'],
      ['parent', 'p2'],
      ['left', 'left-1'],
      ['right', 'right-1'],
    ]);
    expect(evidence.lanes.map((lane) => lane.name)).toEqual(['parent', 'left', 'right']);
    expect(evidence.messages.at(-1)?.text).toBe('parent done');
    expect(trial.close()).toMatchObject({ problems: [], retries: [] });
  });
});

test('a side request that asks for JSON gets JSON that its schema allows', async () => {
  const trial = await trialOf(WITH_CALLS);
  expect(JSON.parse(said(await once(trial, TITLE)))).toEqual({ isNewTopic: false, title: 'Session' });
});

test('without calls in the script, a side request that came first gives the step back when the main one comes', async () => {
  const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [text('Hello')] }]));
  await once(trial, { user: 'Summarise: Say hi', system: 'You make titles.' });
  expect(said(await once(trial, { tools: ['write'] }))).toBe('Hello');
  const report = trial.close();
  expect(report.problems).toEqual([]);
  expect(report.sideRequests).toMatchObject([{ number: 1, times: 1 }]);
});

test('a tool-less agent is the main conversation when the script calls nothing and its words come', async () => {
  const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [text('Hello')] }]));
  expect(said(await once(trial, { user: 'quota' }))).toBe('Session');
  expect(said(await once(trial, { user: 'Please:   Say\n hi' }))).toBe('Hello');
  expect(trial.close().problems).toEqual([]);
});

test('a tool-less request for JSON is the main one only when its words are the user alone, or the answer is JSON', async () => {
  const schema = TITLE.more ?? {};
  const plain = scriptFromTurns([{ user: 'Say hi', steps: [text('Hello')] }]);
  expect(said(await once(await trialOf(plain), { user: 'Route this: Say hi', more: schema }))).toContain(
    'Session',
  );
  expect(said(await once(await trialOf(plain), { user: 'Say hi', more: schema }))).toBe('Hello');
  const json = scriptFromTurns([{ user: 'Say hi', steps: [text('{"title":"x"}')] }]);
  expect(said(await once(await trialOf(json), { user: 'Route this: Say hi', more: schema }))).toBe(
    '{"title":"x"}',
  );
});

test('a request with tools that no lane wants is refused and fails the trial', async () => {
  const trial = await trialOf(WITH_CALLS);
  await ask({ baseUrl: trial.baseUrl, protocol: 'anthropic', stream: false, tools: ['write'] }, [], 'Say hi');
  const answer = await once(trial, { user: 'Extract memories', system: 'memory', tools: ['write', 'read'] });
  expect(answer.status).toBe(400);
  expect(textAt(answer.json, 'error', 'message')).toBe(
    'The script has no lane for this request (model "model-x", 2 tools, first user text "Extract memories"); its lanes are "main".',
  );
  await once(trial, { user: 'Extract memories', system: 'memory', tools: ['write', 'read'] });
  const report = trial.close();
  expect(report.unmatched).toMatchObject([{ times: 2 }]);
  expect(report.problems.map((problem) => problem.kind)).toEqual(['unmatched']);
});

test('requests that the script calls side requests are answered however often they come, tools or not', async () => {
  const trial = await trialOf({
    ...WITH_CALLS,
    sideAnswers: [
      { match: { firstUser: 'Extract memories' }, text: 'none' },
      { match: { system: 'router' } },
    ],
  });
  expect(said(await once(trial, { user: 'Extract memories: 1', tools: ['write'] }))).toBe('none');
  expect(said(await once(trial, { user: 'Extract memories: 2', tools: ['write'] }))).toBe('none');
  expect(said(await once(trial, { user: 'Say hi', system: 'a router', tools: ['write'] }))).toBe('Session');
  await ask({ baseUrl: trial.baseUrl, protocol: 'anthropic', stream: false, tools: ['write'] }, [], 'Say hi');
  const report = trial.close();
  expect(report.problems).toEqual([]);
  expect(report.sideRequests).toHaveLength(3);
});

test.each<[string, LaneMatch, Asked, Asked]>([
  [
    'what the user said first',
    { firstUser: 'deep\ndive' },
    { user: 'a  deep dive' },
    { user: 'a shallow dive' },
  ],
  [
    'the system prompt',
    { system: 'You review' },
    { system: 'You   review code.' },
    { system: 'You write code.' },
  ],
  ['the model', { model: 'small' }, { more: { model: 'small' } }, { more: { model: 'smaller' } }],
  ['tools that are all offered', { tools: ['a', 'b'] }, { tools: ['b', 'c', 'a'] }, { tools: ['a', 'c'] }],
  ['no tools', { tools: [] }, { tools: [] }, { tools: ['a'] }],
  [
    'a header',
    { header: { 'X-Agent': 'rev' } },
    { headers: { 'x-agent': 'reviewer' } },
    { headers: { 'x-agent': 'x' } },
  ],
  ['any value of a header', { header: { 'x-agent': true } }, { headers: { 'x-agent': '' } }, {}],
  ['a sub-agent', { role: 'subagent' }, { headers: { 'x-claude-code-agent-id': '7' } }, {}],
  [
    'a child session',
    { role: 'subagent' },
    { headers: { 'x-parent-session-id': 'p' } },
    { headers: { 'x-session-id': 'p' } },
  ],
  ['the main agent', { role: 'main' }, {}, { headers: { 'x-claude-code-agent-id': '7' } }],
  [
    'the name an agent gives its part',
    { role: 'explorer' },
    { headers: { 'x-codex-turn-metadata': '{"agent_name":"explorer"}' } },
    { headers: { 'x-codex-turn-metadata': '{"agent_name":' } },
  ],
  [
    'several things at once',
    { model: 'm', tools: ['a'] },
    { more: { model: 'm' }, tools: ['a'] },
    { more: { model: 'm' }, tools: ['b'] },
  ],
])('a lane can be matched by %s', async (_name, match, fits, misses) => {
  const script: WireScript = {
    lanes: [
      { name: 'main', items: [text('default')] },
      { name: 'special', match, items: [text('special')] },
    ],
  };
  const tools = { tools: ['other'] };
  expect(said(await once(await trialOf(script), { ...tools, ...fits }))).toBe('special');
  expect(said(await once(await trialOf(script), { ...tools, ...misses }))).toBe('default');
});

test('a header that names the sender is stronger than a history that was copied from the parent', async () => {
  const trial = await trialOf({
    lanes: [
      { name: 'main', items: [calls(['c1', 'fork', {}]), text('parent done')] },
      { name: 'fork', match: { role: 'subagent' }, items: [text('fork done')] },
    ],
  });
  const first = await once(trial, { tools: ['fork'] });
  const history = [CLAUDE.user('Say hi'), ...CLAUDE.read(first, false).entries];
  const result = CLAUDE.results(CLAUDE.read(first, false).calls, ['forked']);
  const headers = { 'x-claude-code-agent-id': '1' };
  const fork = await once(trial, {
    history: [...history, ...result, CLAUDE.user('Go')],
    tools: ['fork'],
    headers,
  });
  const parent = await once(trial, { history: [...history, ...result], tools: ['fork'] });
  expect([said(fork), said(parent)]).toEqual(['fork done', 'parent done']);
  expect(trial.close().problems).toEqual([]);
});

test('two lanes that match alike take one conversation each', async () => {
  const lane = (name: string) => ({
    name,
    match: { firstUser: 'child' },
    items: [text(`${name} one`), text(`${name} two`)],
  });
  const trial = await trialOf({ lanes: [lane('a'), lane('b')] });
  const first = await once(trial, { user: 'child 1', tools: ['x'] });
  const second = await once(trial, { user: 'child 2', tools: ['x'] });
  const next = (user: string, answer: Answer) =>
    once(trial, {
      tools: ['x'],
      history: [CLAUDE.user(user), ...CLAUDE.read(answer, false).entries, CLAUDE.user('on')],
    });
  expect([said(await next('child 1', first)), said(await next('child 2', second))]).toEqual([
    'a two',
    'b two',
  ]);
  expect(trial.close().problems).toEqual([]);
});

test('two requests that are the same and wait together are two, the same one later is a retry', async () => {
  const slow = { type: 'fault', fault: 'slow', firstByteMs: 150 } as const;
  const lane = (name: string) => ({ name, match: { firstUser: 'child' }, items: [slow, text(name)] });
  const trial = await trialOf({ lanes: [lane('a'), lane('b')] });
  const asked = { user: 'child', tools: ['x'] };
  const both = await Promise.all([once(trial, asked), once(trial, asked)]);
  expect(both.map(said).toSorted()).toEqual(['a', 'b']);
  expect(['a', 'b']).toContain(said(await once(trial, asked)));
  expect(trial.close()).toMatchObject({ problems: [], retries: [{ times: 1 }], steps: 2 });
});

test('a turn never borrows from the next', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'first', steps: [calls(['c1', 'write', {}])] },
      { user: 'second', steps: [text('two')] },
    ]),
  );
  const first = await once(trial, { user: 'first', tools: ['write'] });
  const history = [CLAUDE.user('first'), ...CLAUDE.read(first, false).entries];
  const results = CLAUDE.results(CLAUDE.read(first, false).calls, ['done']);
  const more = await once(trial, { history: [...history, ...results], tools: ['write'] });
  expect(more.status).toBe(400);
  expect(textAt(more.json, 'error', 'message')).toContain('turn 1 of lane "main" has no more steps');
  const next = await once(trial, {
    history: [...history, ...results, CLAUDE.user('the second')],
    tools: ['write'],
  });
  expect(said(next)).toBe('two');
  expect(trial.close().problems.map((problem) => [problem.kind, problem.turn])).toEqual([['exhausted', 0]]);
});

test('when the next user text comes early, the rest of the turn is left over and the next turn is played', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'first', steps: [text('one'), text('never')] },
      { user: 'second', steps: [text('two')] },
    ]),
  );
  const first = await once(trial, { user: 'first', tools: ['write'] });
  const history = [CLAUDE.user('first'), ...CLAUDE.read(first, false).entries, CLAUDE.user('second')];
  expect(said(await once(trial, { history, tools: ['write'] }))).toBe('two');
  const report = trial.close();
  expect(report.leftovers).toEqual([{ lane: 'main', turn: 0, items: [text('never')] }]);
  expect(wireEvidence(trial).turns).toEqual([
    { user: 'first', text: 'one' },
    { user: 'second', text: 'two' },
  ]);
});

test('other words in the middle of a turn get the next step of that turn', async () => {
  const trial = await trialOf(scriptFromTurns([{ user: 'first', steps: [text('one'), text('more')] }]));
  const first = await once(trial, { user: 'first', tools: ['write'] });
  const history = [CLAUDE.user('first'), ...CLAUDE.read(first, false).entries, CLAUDE.user('continue')];
  expect(said(await once(trial, { history, tools: ['write'] }))).toBe('more');
  expect(trial.close().problems).toEqual([]);
});

test('a driver that says when a turn ends needs no words, and what the turn has left is left over', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'not sent as such', steps: [text('one'), text('never')] },
      { user: 'not sent either', steps: [text('two')] },
      { user: 'nor this', steps: [text('three')] },
    ]),
  );
  const asked = { user: 'something else', tools: ['write'] };
  const texts: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    texts.push(said(await once(trial, asked)));
    trial.endTurn();
  }
  expect(texts).toEqual(['one', 'two', 'three']);
  expect(trial.close().leftovers).toEqual([{ lane: 'main', turn: 0, items: [text('never')] }]);
});

test('a turn that ends without a request is left over whole', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'first', steps: [text('one')] },
      { user: 'second', steps: [text('two')] },
    ]),
  );
  trial.endTurn();
  expect(said(await once(trial, { user: 'whatever', tools: ['write'] }))).toBe('two');
  trial.endTurn();
  expect(trial.close().leftovers).toEqual([{ lane: 'main', turn: 0, items: [text('one')] }]);
});

test('an agent that sends its memory as one growing text stays in its lane', async () => {
  const trial = await trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: [text('Action: look'), text('Final: hi')] }]),
  );
  const start = 'Task: Say hi\n';
  expect(said(await once(trial, { user: start }))).toBe('Action: look');
  expect(said(await once(trial, { user: `${start}Action: look\nObservation: nothing\n` }))).toBe('Final: hi');
  expect(trial.close()).toMatchObject({ problems: [], steps: 2 });
});

test('an agent that shortens its memory stays in its lane', async () => {
  const trial = await trialOf(WITH_CALLS);
  await once(trial, { tools: ['write'] });
  const history = [CLAUDE.user('Say hi'), { role: 'assistant', content: 'I wrote.' }, CLAUDE.user('go on')];
  expect(said(await once(trial, { history, tools: ['write'] }))).toBe('Done');
});

test('results come only once: those of earlier requests are not counted again', async () => {
  const trial = await trialOf(
    scriptFromTurns([
      { user: 'Say hi', steps: [calls(['c1', 'write', {}]), calls(['c2', 'write', {}]), text('Done')] },
    ]),
  );
  let count = 0;
  const run = (): string => `result ${(count += 1)}`;
  await ask(
    { baseUrl: trial.baseUrl, protocol: 'openai-chat', stream: false, tools: ['write'], run },
    [],
    'Say hi',
  );
  expect(trial.exchanges.map((exchange) => exchange.fresh.map((message) => message.text))).toEqual([
    ['Say hi'],
    ['result 1'],
    ['result 2'],
  ]);
  expect(wireEvidence(trial).toolCalls.map((call) => call.result)).toEqual(['result 1', 'result 2']);
  expect(at(trial.exchanges[2]?.request.messages.length)).toBe(5);
});

test('an agent that goes on asking at the end of its script is one problem', async () => {
  const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [text('Hello')] }]));
  const first = await once(trial, { tools: ['write'] });
  for (const words of ['more', 'and more']) {
    const history = [CLAUDE.user('Say hi'), ...CLAUDE.read(first, false).entries, CLAUDE.user(words)];
    expect((await once(trial, { history, tools: ['write'] })).status).toBe(400);
  }
  const report = trial.close();
  expect(report.problems).toMatchObject([{ kind: 'exhausted', lane: 'main', turn: 0 }]);
  expect(report.exhausted).toHaveLength(2);
});

test('calls of a lane without turns belong to the turn in which they are made', async () => {
  const trial = await trialOf({
    lanes: [
      {
        name: 'main',
        items: [{ type: 'turn', user: 'first' }, text('one'), { type: 'turn', user: 'second' }, text('two')],
      },
      { name: 'child', match: { firstUser: 'child' }, items: [calls(['c1', 'write', {}]), text('done')] },
    ],
  });
  const setting = { baseUrl: trial.baseUrl, protocol: 'anthropic', stream: false, tools: ['write'] } as const;
  const first = await ask({ ...setting, tools: ['write'] }, [], 'first');
  await ask({ ...setting, tools: ['write'] }, first.history, 'second');
  await ask({ ...setting, tools: ['write'] }, [], 'child');
  expect(wireEvidence(trial).toolCalls).toMatchObject([{ lane: 'child', turn: 1 }]);
});

test('headers that change with every try do not hide a retry', async () => {
  const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: [text('one'), text('two')] }]));
  const headers = (turn: number) => ({ 'x-codex-turn-metadata': `{"turn_id":"${turn}"}` });
  const texts = [];
  for (const turn of [1, 2])
    texts.push(said(await once(trial, { tools: ['write'], headers: headers(turn) })));
  expect(texts).toEqual(['one', 'one']);
});

test('a lane for the main agent does not take what a conversation of another lane says next', async () => {
  const trial = await trialOf({
    lanes: [
      { name: 'main', match: { role: 'main', firstUser: 'hi' }, items: [text('main')] },
      { name: 'other', match: { system: 'other' }, items: [text('one'), text('two')] },
    ],
  });
  const asked = { user: 'start', system: 'other', tools: ['x'] };
  const first = await once(trial, asked);
  const history = [CLAUDE.user('start'), ...CLAUDE.read(first, false).entries, CLAUDE.user('hi')];
  expect(said(first)).toBe('one');
  expect(said(await once(trial, { ...asked, history }))).toBe('two');
});
