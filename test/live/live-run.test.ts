import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, calls, decidingModel, reportOf, run, says, scriptedModel, workplace } from './support.js';

const CONFIG = { eval: { live_allowed_tools: ['shell', 'file_read', 'file_write'] } };

const WRITE_NOTES = {
  model_name: 'notes',
  turns: [{ user_input: 'Copy in.txt to out.txt.' }],
  tools: ['file_write', 'file_read', 'content_search'],
  setup: { workspace_files: { 'in.txt': 'the text' } },
  expects: {
    tools_used: ['file_read', 'file_write'],
    exact_tool_calls: 2,
    all_tools_succeeded: true,
    tool_results_contain: [{ tool: 'file_read', needle: 'the text' }],
    workspace: { file_contains: { 'out.txt': ['the text'], 'in.txt': ['the text'] } },
    response_contains: ['Done'],
  },
};

const copying = [
  calls(['file_read', { path: 'in.txt' }]),
  calls(['file_write', { path: 'out.txt', content: 'the text' }]),
  says('Done.'),
];

describe('a live run of trace fixtures', () => {
  it('drives real tools in a real workspace with a model over HTTP', async () => {
    const { model, trial } = await scriptedModel(copying);
    const place = workplace({ 'assay.config.json': CONFIG, 'live/notes.json': WRITE_NOTES });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    expect(ended.stderr).not.toContain('warning');
    expect(ended.code).toBe(0);
    const [found] = [at(reportOf(ended), 'cases', 0)];
    expect(found).toMatchObject({
      passed: true,
      mode: 'live',
      provider_ref: model,
      tool_surface: {
        requested: ['file_read', 'file_write'],
        effective: ['file_read', 'file_write'],
        registered: ['file_read', 'file_write'],
      },
      sandbox: { autonomy: 'supervised', workspace_only: true },
    });
    const [first] = trial.exchanges;
    expect(first?.request?.tools.map((tool) => tool.name).toSorted()).toEqual(['file_read', 'file_write']);
    expect(readdirSync(place.tmp)).toEqual([]);
  });

  it('takes its model from eval.live_provider, and its mode from eval.mode', async () => {
    const { model } = await scriptedModel(copying);
    const config = { eval: { ...CONFIG.eval, mode: ' LIVE ', live_provider: ` ${model} ` } };
    const place = workplace({ 'assay.config.json': config, 'live/notes.json': WRITE_NOTES });
    expect((await run(place, ['live'])).code).toBe(0);
  });

  it('keeps what the model writes inside the workspace, without even making a directory', async () => {
    const { model } = await scriptedModel([
      calls(
        ['file_write', { path: '../made/out.txt', content: 'owned' }],
        ['file_read', { path: '/etc/passwd' }],
      ),
      says('I could not.'),
    ]);
    const fixture = {
      ...WRITE_NOTES,
      expects: {
        all_tools_succeeded: false,
        tool_results_contain: [
          { tool: 'file_write', needle: 'leaves the workspace' },
          { tool: 'file_read', needle: 'must be relative to the workspace' },
        ],
      },
    };
    const place = workplace({ 'assay.config.json': CONFIG, 'live/notes.json': fixture });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--keep-workspace']);
    expect(ended.stdout).toContain('1/1 cases passed');
    const [kept] = readdirSync(place.tmp);
    expect(readdirSync(join(place.tmp, kept ?? '')).toSorted()).toEqual(['home', 'tmp', 'workspace']);
    expect(ended.stderr).toContain(`kept notes, trial 1: ${join(place.tmp, kept ?? '')}`);
  });

  it('never runs a shell, whatever case and configuration say: the call is denied and goes on without it', async () => {
    const { model } = await scriptedModel([
      calls(['shell', { command: 'touch /tmp/owned' }]),
      calls(['file_write', { path: 'out.txt', content: 'x' }]),
      says('Done.'),
    ]);
    const fixture = {
      ...WRITE_NOTES,
      tools: ['shell', 'file_write'],
      expects: { tools_used: ['file_write'], tools_not_used: ['shell'], exact_tool_calls: 1 },
    };
    const place = workplace({ 'assay.config.json': CONFIG, 'live/notes.json': fixture });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    expect(ended.code).toBe(0);
    expect(at(reportOf(ended), 'cases', 0, 'tool_surface')).toEqual({
      requested: ['file_write', 'shell'],
      effective: ['file_write'],
      registered: ['file_write'],
    });
  });

  it('shows the denial to the model and in the transcript', async () => {
    const { model, seen } = await decidingModel((_body, count) =>
      count === 1 ? { calls: [['shell', { command: 'ls' }]] } : { text: 'Done.' },
    );
    const fixture = {
      ...WRITE_NOTES,
      tools: null,
      expects: { response_contains: ['Done'], exact_tool_calls: 0 },
    };
    const place = workplace({ 'live/notes.json': fixture });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    expect(ended.code).toBe(0);
    // With nothing granted there is echo, and nothing else.
    expect(at(reportOf(ended), 'cases', 0, 'tool_surface')).toEqual({
      requested: [],
      effective: [],
      registered: ['echo'],
    });
    const [, second] = seen;
    expect(JSON.stringify(at(second, 'messages'))).toContain(
      'Denied by policy: shell is not among the tools',
    );
    expect(JSON.stringify(at(seen[0], 'tools'))).toContain('"echo"');
  });

  it('keeps history across turns, and gives every trial a conversation of its own', async () => {
    const { model, seen } = await decidingModel((body) => {
      const { messages } = body;
      return { text: `I saw ${Array.isArray(messages) ? messages.length : 0} messages.` };
    });
    const fixture = {
      model_name: 'history',
      turns: [{ user_input: 'first' }, { user_input: 'second' }],
      repeat: 3,
      expects: { response_contains: ['I saw 3 messages'] },
    };
    const place = workplace({ 'live/history.json': fixture });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    expect(ended.code).toBe(0);
    expect(seen.length).toBe(6);
    expect(at(reportOf(ended), 'cases', 0, 'repeat')).toMatchObject({ k: 3, passes: 3, pass_hat_k: true });
  });

  it('makes an error of a case that scripts steps, and of no other', async () => {
    const { model } = await decidingModel(() => ({ text: 'yes' }));
    const one = { model_name: 'b', turns: [{ user_input: 'hi' }], expects: { response_contains: ['yes'] } };
    const scripted = {
      ...one,
      model_name: 'a',
      repeat: 2,
      turns: [{ user_input: 'hi', steps: [{ response: { type: 'text', content: 'yes' } }] }],
    };
    const place = workplace({ 'live/a.json': scripted, 'live/b.json': one });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    expect(ended.code).toBe(1);
    const report = reportOf(ended);
    expect(at(report, 'cases', 0, 'error')).toMatch(/turn 1 scripts the model's steps/);
    expect(at(report, 'cases', 0)).toMatchObject({ case_id: 'a', mode: 'live', passed: false, score: null });
    expect(at(report, 'cases', 1)).toMatchObject({ case_id: 'b', passed: true });
  });

  it('ends a turn that takes too long, and goes on with the other cases', async () => {
    const { model } = await decidingModel((body) =>
      JSON.stringify(body).includes('wait') ? 'silence' : { text: 'yes' },
    );
    const fixture = (name: string, text: string) => ({
      model_name: name,
      turns: [{ user_input: text }],
      expects: { response_contains: ['yes'] },
    });
    const place = workplace({
      'assay.config.json': { eval: { case_timeout_secs: 0.5 } },
      'live/a.json': fixture('a', 'wait'),
      'live/b.json': fixture('b', 'now'),
    });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model, '--json']);
    const report = reportOf(ended);
    expect(at(report, 'cases', 0, 'error')).toBe('turn 0 timed out after 0.5 s');
    expect(at(report, 'cases', 1, 'passed')).toBe(true);
    expect(ended.code).toBe(1);
    // Longer than a timer takes: no limit at all, rather than one that is over at once.
    const long = ['live', '--mode', 'live', '--model', model, '--case', 'b', '--timeout', '99999999'];
    expect((await run(place, long)).code).toBe(0);
    const cut = await run(place, ['live', '--mode', 'live', '--model', model, '--json', '--timeout', '0.3']);
    expect(at(reportOf(cut), 'cases', 0, 'error')).toBe('turn 0 timed out after 0.3 s');
  });
});

describe('before a live run anything is built', () => {
  const plain = { model_name: 'a', turns: [{ user_input: 'hi' }], expects: { response_contains: ['yes'] } };

  it.each([
    ['no model is named', {}, [], 'eval.live_provider is empty'],
    ['the model is blank', { live_provider: '   ' }, [], 'eval.live_provider is empty'],
    ['the time limit is 0', { case_timeout_secs: 0 }, ['--model', 'x'], 'eval.case_timeout_secs'],
    ['the mode is none', { mode: 'lve' }, [], 'eval.mode'],
    ['the model is no reference', {}, ['--model', 'gpt'], 'does not name a model'],
  ])('it is refused when %s', async (_name, block, words, said) => {
    const place = workplace({ 'assay.config.json': { eval: block }, 'live/a.json': plain });
    const ended = await run(place, ['live', '--mode', 'live', ...words]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(said);
    expect(existsSync(join(place.root, '.assay'))).toBe(false);
  });

  it.each(['claude-cli:sonnet', 'codex-cli:any', 'gemini-cli:any'])(
    'the program behind %s is refused as the model of the loop, and not started',
    async (model) => {
      const place = workplace({ 'live/a.json': plain });
      const program = model.split('-')[0] ?? '';
      place.write(`bin/${program}`, `#!/bin/sh\ntouch ${join(place.root, 'started')}\n`);
      chmodSync(join(place.root, 'bin', program), 0o755);
      const environment = { PATH: `${join(place.root, 'bin')}:${process.env['PATH'] ?? ''}` };
      const ended = await run(place, ['live', '--mode', 'live', '--model', model], environment);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(`${model}, the model, runs tools of its own`);
      expect(existsSync(join(place.root, 'started'))).toBe(false);
    },
  );

  it('such a program is refused as the fallback of a level as well, but not for a prompt agent', async () => {
    const { model } = await decidingModel(() => ({ text: 'yes' }));
    const suite = (agent: string): string =>
      `agent: ${agent}\ntrials: 1\ncases: [{ id: a, prompt: hi, assert: [{ type: contains, value: 'yes' }] }]\n`;
    const config = { levels: { medium: { model, fallback: 'claude-cli:opus' } } };
    const place = workplace({
      'assay.config.json': config,
      'loop.yaml': suite('loop'),
      'prompt.yaml': suite('prompt'),
      'bin/claude': '#!/bin/sh\nexit 1\n',
    });
    chmodSync(join(place.root, 'bin', 'claude'), 0o755);
    const environment = { PATH: `${join(place.root, 'bin')}:${process.env['PATH'] ?? ''}` };
    const refused = await run(place, ['loop.yaml'], environment);
    expect(refused.stderr).toContain(
      'claude-cli:opus, the fallback of the level medium, runs tools of its own',
    );
    expect(refused.code).toBe(1);
    expect((await run(place, ['prompt.yaml'], environment)).code).toBe(0);
  });
});

describe('repeat', () => {
  const yes = {
    model_name: 'a',
    turns: [{ user_input: 'hi', steps: [{ response: { type: 'text', content: 'yes' } }] }],
    expects: { response_contains: ['yes'] },
  };
  const live = { ...yes, turns: [{ user_input: 'hi' }] };

  it('is clamped to 1..50 in a live run, and says so', async () => {
    const { model, seen } = await decidingModel(() => ({ text: 'yes' }));
    const place = workplace({
      'live/a.json': { ...live, repeat: 0 },
      'live/b.json': { ...live, model_name: 'b', repeat: 51 },
      'live/c.json': { ...live, model_name: 'c', repeat: 2 },
    });
    const ended = await run(place, ['live', '--mode', 'live', '--model', model]);
    expect(ended.code).toBe(0);
    expect(seen.length).toBe(1 + 50 + 2);
    expect(ended.stderr).toContain('warning: a: repeat 0 is too few: 1 trial');
    expect(ended.stderr).toContain('warning: b: repeat 51 is more than a case may have: 50 trials');
    expect(ended.stderr).not.toContain('warning: c');
  });

  it('is ignored in a replay, and that is said', async () => {
    const place = workplace({ 's/a.json': { ...yes, repeat: 3 } });
    const ended = await run(place, ['s']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('warning: a: repeat 3 is ignored');
    expect((await run(place, ['s', '--quiet'])).stderr).toBe('');
  });

  it('goes on after a trial that could not be scored: each counts for itself', async () => {
    const { model } = await decidingModel((_body, count) => (count === 1 ? { text: '' } : { text: 'yes' }));
    const place = workplace({ 'live/a.json': { ...live, repeat: 3 } });
    const words = ['live', '--mode', 'live', '--model', model, '--json', '--concurrency', '1'];
    const ended = await run(place, words);
    expect(ended.code).toBe(1);
    expect(at(reportOf(ended), 'cases', 0, 'repeat')).toMatchObject({
      k: 3,
      passes: 2,
      completed: 2,
      truncated: true,
    });
  });
});
