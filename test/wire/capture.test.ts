import { expect, test } from 'vitest';
import { fixedSource, isJsonObject, type JsonValue } from '../../src/core/index.js';
import { parseTraceFixture } from '../../src/suite/index.js';
import {
  captureLanes,
  fixtureFromCapture,
  scriptFromCapture,
  scriptFromTurns,
  startRecordingProxy,
  wireEvidence,
  type Capture,
  type CaptureHandle,
  type Protocol,
  type WireScript,
} from '../../src/wire/index.js';
import { ask, type AgentSetting } from './agent.js';
import { at, calls, closeLater, server, text } from './support.js';

/** Records what an agent does with a provider that plays a script. */
async function record(
  script: WireScript,
  play: (capture: CaptureHandle, setting: AgentSetting) => Promise<void>,
  protocol: Protocol = 'anthropic',
): Promise<Capture> {
  const upstream = await server();
  const trial = upstream.openTrial({ id: 'upstream', script });
  const proxy = await startRecordingProxy({
    upstreams: { [protocol]: trial.baseUrl },
    source: fixedSource(),
  });
  closeLater(() => proxy.close());
  const capture = proxy.openCapture({ id: 'recorded' });
  await play(capture, { baseUrl: capture.baseUrl, protocol, stream: true, tools: ['write', 'spawn'] });
  expect(trial.close().problems).toEqual([]);
  return capture.close();
}

const PLAIN = scriptFromTurns([
  {
    user: 'Say hi',
    steps: [calls(['c1', 'write', { message: 'hi' }]), text('I said hi to everyone here.\nAll done.')],
  },
  { user: 'And stop', steps: [text('Stopped as you asked me to.')] },
]);

test('finds the turns by the user messages when the driver does not say them', async () => {
  const capture = await record(PLAIN, async (_capture, setting) => {
    const first = await ask(setting, [], 'Say hi');
    await ask(setting, first.history, 'And stop');
  });
  expect(capture.users).toEqual([]);
  expect(scriptFromCapture(capture)).toEqual(PLAIN);
});

test('keeps an agent that begins anew each turn in one lane when the driver says the turns', async () => {
  const capture = await record(PLAIN, async (handle, setting) => {
    handle.beginTurn('Say hi');
    await ask(setting, [], 'Please: Say hi');
    handle.beginTurn('And stop');
    await ask(setting, [], 'Please: And stop');
  });
  expect(scriptFromCapture(capture)).toEqual(PLAIN);
});

test('writes a trace fixture that is admitted as one, with expects that hold and that an idle agent fails', async () => {
  const capture = await record(PLAIN, async (_capture, setting) => {
    const first = await ask(setting, [], 'Say hi');
    await ask(setting, first.history, 'And stop');
  });
  const { fixture, lanes, notes, requests } = fixtureFromCapture(capture, 'recorded run');
  const parsed = parseTraceFixture(fixture);
  expect(parsed?.model_name).toBe('recorded run');
  expect(
    parsed?.turns.map((turn) => [turn.user_input, turn.steps?.map((step) => step.response.type)]),
  ).toEqual([
    ['Say hi', ['tool_calls', 'text']],
    ['And stop', ['text']],
  ]);
  expect(at(fixture, 'turns', 0, 'steps', 0, 'response')).toEqual({
    type: 'tool_calls',
    tool_calls: [{ id: 'c1', name: 'write', arguments: { message: 'hi' } }],
    input_tokens: 20,
    output_tokens: 7,
  });
  expect(fixture['expects']).toEqual({
    response_contains: ['Stopped as you asked me to.'],
    tools_used: ['write'],
  });
  expect([lanes, notes]).toEqual([[], []]);
  expect(requests.map((request) => request.messages.map((message) => message.role))).toEqual([
    ['user'],
    ['tool'],
    ['user'],
  ]);
  expect(requests.map((request) => request.tools === null)).toEqual([false, true, true]);
});

test('expects nothing of a tool that was not offered or gave nothing back, and shortens long text between words', async () => {
  const long = 'word '.repeat(40).trim();
  const script = scriptFromTurns([{ user: 'Say hi', steps: [calls(['c1', 'fly', {}]), text(long)] }]);
  const capture = await record(script, async (_capture, setting) => {
    await ask(setting, [], 'Say hi');
  });
  const expects = fixtureFromCapture(capture, 'x').fixture['expects'];
  expect(expects).toEqual({ response_contains: [long.slice(0, 59)] });
});

const SUB_AGENTS: WireScript = {
  lanes: [
    {
      name: 'main',
      items: [{ type: 'turn', user: 'Say hi' }, calls(['p1', 'spawn', {}]), text('parent done and well')],
    },
    { name: 'left', match: { firstUser: 'do left' }, items: [calls(['l1', 'write', {}]), text('left done')] },
    { name: 'right', match: { firstUser: 'do right' }, items: [text('right done')] },
  ],
};

async function playSubAgents(setting: AgentSetting): Promise<void> {
  const run = async (call: { name: string }): Promise<string> => {
    if (call.name !== 'spawn') return 'ran';
    await ask({ ...setting, tools: [], system: 'You make titles.' }, [], 'Title for: Say hi');
    await ask(setting, [], 'Please do left');
    return (await ask(setting, [], 'Please do right')).text;
  };
  await ask({ ...setting, run }, [], 'Say hi');
}

test('gives conversations beside the main one lanes of their own, and leaves side requests out', async () => {
  const capture = await record(SUB_AGENTS, async (_capture, setting) => playSubAgents(setting));
  const lanes = captureLanes(capture);
  expect(lanes.sides).toHaveLength(1);
  expect(lanes.others.map((lane) => [lane.name, lane.match])).toEqual([
    ['lane-2', { firstUser: 'Please do left' }],
    ['lane-3', { firstUser: 'Please do right' }],
  ]);
  const { notes } = fixtureFromCapture(capture, 'x');
  expect(notes).toEqual(['Side request left out: Title for: Say hi']);
});

test('the replay of a recording with sub-agents uses up every item', async () => {
  const capture = await record(SUB_AGENTS, async (_capture, setting) => playSubAgents(setting));
  const replayed = (await server()).openTrial({ id: 'replay', script: scriptFromCapture(capture) });
  await playSubAgents({
    baseUrl: replayed.baseUrl,
    protocol: 'gemini',
    stream: false,
    tools: ['write', 'spawn'],
  });
  const evidence = wireEvidence(replayed);
  expect(evidence.turns).toEqual([{ user: 'Say hi', text: 'parent done and well' }]);
  expect(evidence.toolCalls.map((call) => [call.lane, call.id])).toEqual([
    ['main', 'p1'],
    ['lane-2', 'l1'],
  ]);
  expect(replayed.close().problems).toEqual([]);
});

test('a sub-agent with the words of its parent is told apart by its system prompt', async () => {
  const script: WireScript = {
    lanes: [
      { name: 'main', items: [calls(['p1', 'spawn', {}]), text('done')] },
      { name: 'child', match: { system: 'helper' }, items: [text('helped')] },
    ],
  };
  const capture = await record(script, async (_capture, setting) => {
    const run = async (): Promise<string> =>
      (await ask({ ...setting, system: 'You are a helper.' }, [], 'Say hi')).text;
    await ask({ ...setting, system: 'You lead.', run }, [], 'Say hi');
  });
  expect(captureLanes(capture).others[0]?.match).toEqual({
    firstUser: 'Say hi',
    system: 'You are a helper.',
  });
});

test('keeps reasoning, words beside calls, refusals and unusual ends, and says what the provider did not', async () => {
  const script = scriptFromTurns([
    {
      user: 'Say hi',
      steps: [
        { ...calls(['c1', 'write', {}]), reasoning: 'Because.', content: 'Well.', reasoningTokens: 2 },
        { ...calls(['c2', 'write', {}]), finishReason: 'length', cachedInputTokens: 3 },
        { type: 'refusal', content: 'I will not do that.', inputTokens: 0, outputTokens: 0 },
      ],
    },
  ]);
  const play = async (_capture: CaptureHandle, setting: AgentSetting): Promise<void> => {
    await ask({ ...setting, protocol: 'openai-responses' }, [], 'Say hi');
  };
  const capture = await record(script, play, 'openai-responses');
  const { fixture, notes } = fixtureFromCapture(capture, 'x');
  expect(parseTraceFixture(fixture)?.turns[0]?.steps).toEqual([
    {
      response: {
        type: 'tool_calls',
        content: 'Well.',
        tool_calls: [{ id: 'c1', name: 'write', arguments: {} }],
        input_tokens: 20,
        output_tokens: 7,
        reasoning: 'Because.',
        reasoning_tokens: 2,
      },
    },
    {
      response: {
        type: 'tool_calls',
        tool_calls: [{ id: 'c2', name: 'write', arguments: {} }],
        input_tokens: 20,
        output_tokens: 7,
        finish_reason: 'length',
        cached_input_tokens: 3,
      },
    },
    { response: { type: 'refusal', content: 'I will not do that.', input_tokens: 0, output_tokens: 0 } },
  ]);
  expect(notes).toEqual(['The provider did not say how many tokens some replies took; they count as 0.']);
});

test('lanes are written as a fixture with an agent of its own has them', async () => {
  const capture = await record(SUB_AGENTS, async (_capture, setting) => playSubAgents(setting));
  const { fixture, lanes } = fixtureFromCapture(capture, 'x');
  const parsed = parseTraceFixture({ ...fixture, agent: { command: ['true'] }, lanes });
  expect(parsed?.lanes?.map((lane) => [lane.name, lane.match, lane.steps.length])).toEqual([
    ['lane-2', { first_user: 'Please do left' }, 2],
    ['lane-3', { first_user: 'Please do right' }, 1],
  ]);
});

test('an empty capture makes an empty script and a fixture without turns', () => {
  const empty = { id: 'x', users: [], exchanges: [] };
  expect(scriptFromCapture(empty)).toEqual({ lanes: [] });
  expect(fixtureFromCapture(empty, 'x').fixture).toEqual({ model_name: 'x', turns: [], expects: {} });
});

test('a capture is plain JSON and the same each time it is taken', async () => {
  let handle: CaptureHandle | null = null;
  const capture = await record(PLAIN, async (opened, setting) => {
    handle = opened;
    const first = await ask(setting, [], 'Say hi');
    await ask(setting, first.history, 'And stop');
  });
  const again: JsonValue = JSON.parse(JSON.stringify(capture));
  expect(isJsonObject(again)).toBe(true);
  expect(again).toEqual(capture);
  expect(handle).not.toBeNull();
});
