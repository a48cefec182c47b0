import { describe, expect, it } from 'vitest';
import {
  AGENT_PRESETS,
  AssayError,
  isAgentPreset,
  presetFacts,
  type JsonObject,
  type JsonValue,
} from '../../src/core/index.js';
import { presetProgram, presetRecipe } from '../../src/agent/index.js';
import { loadSuite } from '../../src/run/index.js';
import { traceExtensions, type Case } from '../../src/suite/index.js';
import { call, fixture, say, temporary } from './support.js';

async function admitted(written: JsonObject): Promise<Case> {
  const directory = await temporary({ 'a.json': JSON.stringify(written, null, 2) });
  const [tested] = [...(await loadSuite(directory)).cases];
  if (tested === undefined) throw new Error('no case');
  return tested;
}

/** The problems of a fixture, each as its key and message. */
async function problems(written: JsonObject): Promise<string[]> {
  try {
    await admitted(written);
    return [];
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    for (const problem of error.problems) {
      expect(problem.line).toBeGreaterThan(0);
      expect(problem.fix).not.toBe('');
    }
    return error.problems.map((problem) => `${problem.key}: ${problem.message}`);
  }
}

const agent = { command: ['agent', '{{prompt}}'] };
const steps = [call(['a', 'shell', { command: 'ls' }]), say('done')];
const withMore = (more: JsonObject, own: JsonValue = agent): JsonObject =>
  fixture('case', { agent: own, steps, more });

describe('an agent that is a program', () => {
  it('is admitted with what may be written of it', async () => {
    const tested = await admitted(
      withMore(
        {},
        {
          command: ['python3', '{{suite}}/agent.py'],
          env: { MODEL: '{{model_url}}/x', WHERE: '{{ workspace }} {{home}} {{model_base}}' },
          environment: ['TERM'],
          stdin: '{{prompt}}',
          protocol: 'anthropic',
          network: 'open',
        },
      ),
    );
    expect(tested.agent).toMatchObject({
      type: 'command',
      protocol: 'anthropic',
      network: 'open',
      stdin: '{{prompt}}',
    });
  });

  it.each([
    ['an unknown key', { command: ['a'], workdir: '.' }, 'agent.workdir: unknown key'],
    ['no program', { command: [] }, 'agent.command: must have at least 1 entry'],
    ['a blank program', { command: [' '] }, 'agent.command[0]: must not be blank'],
    [
      'a placeholder nobody knows',
      { command: ['a', '{{promt}}'] },
      'agent.command[1]: {{promt}} stands for nothing here',
    ],
    [
      'one in a variable',
      { command: ['a'], env: { A: '{{url}}' } },
      'agent.env.A: {{url}} stands for nothing here',
    ],
    [
      'a variable named twice',
      { command: ['a'], env: { A: 'x' }, environment: ['A'] },
      'agent.environment[0]: A is named twice',
    ],
    [
      'a protocol nobody speaks',
      { command: ['a'], protocol: 'soap' },
      'agent.protocol: the text "soap" is not one of',
    ],
    ['a preset nobody knows', { preset: 'claude' }, 'agent.preset: there is no preset "claude"'],
    [
      'a protocol a preset does not speak',
      { preset: 'codex', protocol: 'gemini' },
      'agent.protocol: codex does not speak gemini',
    ],
    [
      'an address of another kind',
      { http: 'ftp://x' },
      'agent.http: "ftp://x" is not an address of a web server',
    ],
  ] as const)('is refused with %s', async (_name, own, expected) => {
    expect(await problems(withMore({}, own as JsonValue))).toContainEqual(expect.stringContaining(expected));
  });
});

describe('lanes, faults and recorded requests', () => {
  const lane = { name: 'child', match: { first_user: 'sub' }, steps: [say('child is done')] };

  it('are admitted, and named as what only Assay reads', async () => {
    const written = withMore({
      lanes: [lane],
      faults: [
        { fault: 'status', status: 429, retry_after: 0 },
        { fault: 'drop', turn: 0, step: 2 },
        { fault: 'cut', lane: 'child', step: 0, after_events: 2 },
      ],
    });
    const tested = await admitted(written);
    expect(tested.lanes?.map(({ name }) => name)).toEqual(['child']);
    expect(tested.faults?.map(({ fault, step }) => [fault.fault, step])).toEqual([
      ['status', 0],
      ['drop', 2],
      ['cut', 0],
    ]);
    expect(traceExtensions(written)).toEqual(['agent', 'lanes', 'faults']);
  });

  it.each([
    ['a lane of the same name', { lanes: [lane, lane] }, 'lanes[1].name: "child" is used twice'],
    [
      'a lane named main',
      { lanes: [{ ...lane, name: 'main' }] },
      'lanes[0].name: main is the conversation of the turns',
    ],
    [
      'a lane that matches everything',
      { lanes: [{ ...lane, match: {} }] },
      'lanes[0].match: matches every request',
    ],
    [
      'a lane without replies',
      { lanes: [{ ...lane, steps: [] }] },
      'lanes[0].steps: must have at least 1 entry',
    ],
    [
      'a fault before a step that is not there',
      { faults: [{ fault: 'drop', step: 3 }] },
      'faults[0].step: there is no step 3',
    ],
    [
      'a fault with nothing to spoil',
      { faults: [{ fault: 'cut', step: 2 }] },
      'faults[0].step: there is no step 2 for it to spoil',
    ],
    [
      'a fault in a turn that is not there',
      { faults: [{ fault: 'drop', turn: 1 }] },
      'faults[0].turn: there is no turn 1',
    ],
    [
      'a fault in a lane that is not there',
      { faults: [{ fault: 'drop', lane: 'x' }] },
      'faults[0].lane: there is no lane "x"',
    ],
    [
      'a status that is no error',
      { faults: [{ fault: 'status', status: 200 }] },
      'faults[0].status: must be at least 400',
    ],
    ['an empty list', { faults: [] }, 'faults: must have at least 1 entry'],
    [
      'a mask that is no pattern',
      {
        recorded: { requests: [{ protocol: 'gemini', model: 'm', messages: [] }], overlook: { mask: ['('] } },
      },
      'recorded.overlook.mask[0]: the regular expression does not compile',
    ],
  ] as const)('are refused with %s', async (_name, more, expected) => {
    expect(await problems(withMore(more as unknown as JsonObject))).toContainEqual(
      expect.stringContaining(expected),
    );
  });

  it('are refused where nothing would read them', async () => {
    const written = withMore({ faults: [{ fault: 'drop' }] }, 'loop');
    expect(await problems(written)).toEqual([
      'faults: needs an agent that asks its model over the wire; nothing would ever read it here',
    ]);
  });

  it('change the hash, and their absence changes nothing', async () => {
    const plain = await admitted(withMore({}));
    const faulty = await admitted(withMore({ faults: [{ fault: 'drop' }] }));
    expect(faulty.hash).not.toBe(plain.hash);
    expect((await admitted(withMore({}))).hash).toBe(plain.hash);
  });
});

describe('roles of tools', () => {
  const roles = (own: JsonValue): JsonObject =>
    fixture('roles', {
      agent: own,
      steps: [
        call(['s', '@shell', { command: 'ls' }], ['w', '@write', { path: 'a', content: 'b' }]),
        say('done'),
      ],
      expects: {
        tools_used: ['@shell', '@write'],
        tool_arguments_contain: [{ tool: '@write', needle: 'b' }],
        assert: [{ type: 'tool-used', value: '@shell' }],
      },
    });

  it.each([
    ['claude-code', 'Bash', { command: 'ls' }, 'Write', { file_path: 'a', content: 'b' }],
    ['opencode', 'bash', { command: 'ls' }, 'write', { filePath: 'a', content: 'b' }],
    ['gemini-cli', 'run_shell_command', { command: 'ls' }, 'write_file', { file_path: 'a', content: 'b' }],
    [
      'copilot',
      'bash',
      { command: 'ls', description: 'Run a command' },
      'create',
      { path: 'a', file_text: 'b' },
    ],
    ['continue', 'Bash', { command: 'ls' }, 'Write', { filepath: 'a', content: 'b' }],
  ])('stand for the tools of %s', async (preset, shell, shellInput, write, writeInput) => {
    const tested = await admitted(roles({ preset }));
    expect(tested.turns[0]?.steps?.[0]).toMatchObject({
      toolCalls: [
        { name: shell, arguments: shellInput },
        { name: write, arguments: writeInput },
      ],
    });
    expect(JSON.stringify(tested.checks)).not.toContain('@');
  });

  it('are refused for an agent that has no such tool', async () => {
    expect(await problems(roles({ preset: 'codex' }))).toContainEqual(
      expect.stringContaining('the agent has no tool for "@write"'),
    );
  });

  it('are refused for an agent whose tools nobody knows', async () => {
    expect(await problems(roles(agent))).toContainEqual(
      expect.stringContaining('"@shell" is a role, and only the agent of a preset has roles'),
    );
  });
});

describe.each(Object.keys(AGENT_PRESETS).filter(isAgentPreset))('the recipe of %s', (preset) => {
  it.each(presetFacts(preset).protocols)(
    'points the agent at its model over %s and gives it the prompt',
    (protocol) => {
      const recipe = presetRecipe(preset, protocol, 'some-model');
      const text = JSON.stringify(recipe);
      expect(recipe.program).toBe(presetProgram(preset).program);
      expect(recipe.arguments).toContain('{{prompt}}');
      expect(text).toMatch(/\{\{model_(url|base)\}\}/);
      expect(text).toContain('some-model');
      for (const path of Object.keys(recipe.files)) expect(path).not.toMatch(/^\/|\.\.\//);
    },
  );
});
