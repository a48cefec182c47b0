import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, cleanEnvironment, type Project } from '../cli/run-cli.js';
import {
  calls,
  configured,
  entries,
  hook,
  lockOwners,
  payload,
  readTexts,
  settled,
  until,
  waiting,
} from './support.js';

const QUIET = { code: 0, signal: null, stdout: '' };

function state({ root }: Project): string | null {
  const path = join(root, '.assay/config-change/config-eval-state.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

describe('an edit of a sentinel', () => {
  it('by Write runs the suite once, and the log says what the store says', async () => {
    const made = configured();
    expect(await hook(made, payload(made, 'CLAUDE.md'))).toMatchObject({ ...QUIET, stderr: '' });
    await settled(made);
    const runs = entries(made, 'run');
    expect(runs).toHaveLength(1);
    const latest: Record<string, unknown> = JSON.parse(
      readFileSync(join(made.root, '.assay/runs/s/latest.json'), 'utf8'),
    );
    const { passed, score, pass_to_k: passToK, summary } = latest;
    expect(runs[0]).toMatchObject({
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      trigger: join(made.root, 'CLAUDE.md'),
      passed,
      score,
      pass_to_k: passToK,
      summary,
      run_id: latest['run_id'],
      verdict: 'good',
    });
    expect(passed).toBe(true);
    expect(lockOwners(made.root)).toMatchObject([{ released: true }]);
    expect(entries(made, 'notify')).toEqual([]);
    expect(JSON.parse(state(made) ?? '{}')).toMatchObject({ last_fire: expect.any(String) });
  });

  it('by Edit runs it too, in any directory of the project', async () => {
    const made = configured({}, { 'sub/dir/CLAUDE.md': 'below' });
    await hook(made, payload(made, 'sub/dir/CLAUDE.md', { tool_name: 'Edit' }));
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ trigger: join(made.root, 'sub/dir/CLAUDE.md') }]);
  });

  it('by a patch of Codex runs it once for all its files', async () => {
    const made = configured({}, { 'AGENTS.md': 'x' });
    const command =
      '*** Begin Patch\n*** Update File: AGENTS.md\n@@\n-x\n+y\n*** Update File: other.txt\n*** Move to: sub/CLAUDE.md\n*** End Patch\n';
    await hook(
      made,
      payload(made, 'CLAUDE.md', { tool_name: 'apply_patch', tool_input: { command }, tool_response: 'ok' }),
    );
    await settled(made);
    expect(entries(made, 'queued').map((entry) => entry['trigger'])).toEqual([
      join(made.root, 'AGENTS.md'),
      join(made.root, 'sub/CLAUDE.md'),
    ]);
    expect(entries(made, 'run')).toMatchObject([{ edits: 2 }]);
  });

  it('by a tool of Gemini CLI runs it', async () => {
    const made = configured({}, { 'GEMINI.md': 'x' });
    const more = {
      hook_event_name: 'AfterTool',
      tool_name: 'replace',
      tool_response: { llmContent: 'done' },
    };
    await hook(made, payload(made, 'GEMINI.md', more));
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('is a regression when the suite fails afterwards, and the weakest case is named', async () => {
    const made = configured();
    writeFileSync(join(made.root, 'CLAUDE.md'), 'yes, whatever');
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([
      { passed: false, verdict: 'regression', weakest: 'says-please', score: 0.5 },
    ]);
    const [notified] = entries(made, 'notify');
    expect(notified?.['message']).toMatch(
      /^regression after an edit of CLAUDE\.md: suite s, pass\^k 50%, mean 50\.0%; .*Summary: pass\^k 50%, mean 50\.0%, 1 trial; weakest case says-please/,
    );
  });

  it('that cannot be tested is told as such, and tested again after the next edit', async () => {
    const made = configured({}, { 'evals/s.yaml': 'cases: []\n' });
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toEqual([]);
    expect(entries(made, 'error')).toMatchObject([
      { trigger: join(made.root, 'CLAUDE.md'), error: expect.stringContaining('s.yaml') },
    ]);
    expect(entries(made, 'notify')[0]?.['message']).toMatch(
      /^Assay could not run s after an edit of CLAUDE\.md: .*\. The change is unverified\.$/,
    );
    expect(state(made)).toBeNull();
    made.write(
      'evals/s.yaml',
      'agent: { module: ../agent.mjs }\ntrials: 1\ncases:\n  - { id: a, prompt: p, assert: [{ type: contains, value: yes }] }\n',
    );
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('of a suite that is not there is told as such', async () => {
    const made = configured({}, {}, { config_change_suite: 'nowhere' });
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'error')).toMatchObject([
      { suite: 'nowhere', error: expect.stringContaining('nowhere') },
    ]);
  });

  it('in a project whose configuration is broken is told as such', async () => {
    const made = configured();
    made.write('assay.config.json', { eval: { config_change_suit: 's' }, config_change: {} });
    expect(await hook(made, payload(made, 'CLAUDE.md'))).toMatchObject(QUIET);
    await settled(made);
    expect(entries(made, 'error')).toMatchObject([
      { error: expect.stringMatching(/not a valid configuration.*config_change_suit/) },
    ]);
  });
});

describe('no suite is run, and the log says why, after', () => {
  it.each<[string, string, (made: Project) => string]>([
    ['skip-not-sentinel', 'an edit of another file', (made) => payload(made, 'README.md')],
    [
      'skip-not-sentinel',
      'a file whose name only ends like a sentinel',
      (made) => payload(made, 'NOT-CLAUDE.md'),
    ],
    [
      'skip-tool-failed',
      'a Write that failed',
      (made) => payload(made, 'CLAUDE.md', { tool_response: { success: false } }),
    ],
    [
      'skip-tool-failed',
      'a tool that reports an error',
      (made) => payload(made, 'CLAUDE.md', { tool_response: { error: 'denied' } }),
    ],
    ['skip-other-tool', 'a Read', (made) => payload(made, 'CLAUDE.md', { tool_name: 'Read' })],
    [
      'skip-other-event',
      'the event before a tool is used',
      (made) => payload(made, 'CLAUDE.md', { hook_event_name: 'PreToolUse' }),
    ],
    [
      'skip-no-path',
      'a payload without a path',
      (made) => payload(made, 'CLAUDE.md', { tool_input: { content: 'x' } }),
    ],
    [
      'skip-no-path',
      'a path that is no text',
      (made) => payload(made, 'CLAUDE.md', { tool_input: { file_path: 7 } }),
    ],
    [
      'skip-no-path',
      'a path with a NUL',
      (made) => payload(made, 'CLAUDE.md', { tool_input: { file_path: 'CLAUDE.md\0' } }),
    ],
    [
      'skip-subagent',
      "a subagent's edit by its id",
      (made) => payload(made, 'CLAUDE.md', { agent_id: 'a1' }),
    ],
    [
      'skip-subagent',
      "a subagent's edit by its type",
      (made) => payload(made, 'CLAUDE.md', { agent_type: 'reviewer' }),
    ],
    [
      'skip-subagent',
      'a forked session',
      () => JSON.stringify({ hook_event_name: 'SessionStart', source: 'fork' }),
    ],
    ['skip-invalid-input', 'no input', () => ''],
    ['skip-invalid-input', 'something that is not JSON', () => '{"tool_input": '],
    ['skip-invalid-input', 'a list', () => '[]'],
    ['skip-invalid-input', 'bytes that are no text', () => '\u0000\uFFFD\u001b[2J'],
  ])('%s: %s', async (event, _what, input) => {
    const made = configured();
    expect(await hook(made, input(made))).toMatchObject(QUIET);
    expect(entries(made)).toMatchObject([{ event, reason: expect.any(String) }]);
    expect(waiting(made)).toEqual([]);
    expect(state(made)).toBeNull();
    expect(lockOwners(made.root)).toEqual([]);
  });

  it('more input than anybody needs', async () => {
    const made = configured();
    const content = 'x'.repeat(17 * 1024 * 1024);
    expect(
      await hook(made, payload(made, 'CLAUDE.md', { tool_input: { file_path: 'CLAUDE.md', content } })),
    ).toMatchObject(QUIET);
    expect(entries(made)).toMatchObject([{ event: 'skip-oversized-input', trigger: null }]);
  });

  it.each<[string, Record<string, string>]>([
    ['CLAUDE_AGENT_TYPE', { CLAUDE_AGENT_TYPE: 'x' }],
    ['CLAUDE_CODE_SUBAGENT_NAME', { CLAUDE_CODE_SUBAGENT_NAME: 'x' }],
    ['CLAUDE_CODE_SUBAGENT_TYPE', { CLAUDE_CODE_SUBAGENT_TYPE: 'x' }],
    ['CLAUDE_AGENT_SDK', { CLAUDE_AGENT_SDK: '1' }],
  ])('an edit where the variable %s tells of a subagent', async (name, environment) => {
    const made = configured();
    await hook(made, payload(made, 'CLAUDE.md'), environment);
    expect(entries(made)).toMatchObject([{ event: 'skip-subagent', reason: expect.stringContaining(name) }]);
  });

  it('an edit from inside a run', async () => {
    const made = configured();
    await hook(made, payload(made, 'CLAUDE.md'), { ASSAY_CONFIG_CHANGE: 'token' });
    expect(entries(made)).toMatchObject([{ event: 'skip-recursion', trigger: join(made.root, 'CLAUDE.md') }]);
  });
});

describe('the hook', () => {
  it('takes a feature flag for no subagent', async () => {
    const made = configured();
    await hook(made, payload(made, 'CLAUDE.md'), {
      CLAUDE_CODE_FORK_SUBAGENT: '1',
      CLAUDE_AGENT_SDK: '0',
      CLAUDE_AGENT_TYPE: '',
    });
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('tests the edits of subagents where the configuration says so', async () => {
    const made = configured({ subagents: 'test' });
    await hook(made, payload(made, 'CLAUDE.md', { agent_id: 'a1' }));
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('ends with exit code 0 and nothing on stdout when its own command line is wrong', async () => {
    const made = configured();
    expect(await hook(made, payload(made, 'CLAUDE.md'), {}, ['--no-such-option'])).toMatchObject(QUIET);
    expect(await hook(made, payload(made, 'CLAUDE.md'), {}, ['--config'])).toMatchObject(QUIET);
  });

  it('ends with exit code 0 when nothing can be written', async () => {
    const made = configured({}, { '.assay': 'a file in the way' });
    const ended = await hook(made, payload(made, 'CLAUDE.md'));
    expect(ended).toMatchObject(QUIET);
    expect(ended.stderr).toContain('.assay');
  });

  it('has an edit tested and told when only the log cannot be written, and says so', async () => {
    const made = configured(
      {},
      { '.assay/config-change/config-eval-fires.jsonl/x': 'a directory in the way' },
    );
    const ended = await hook(made, payload(made, 'CLAUDE.md'));
    expect(ended).toMatchObject(QUIET);
    expect(ended.stderr).toContain('the log cannot be written');
    await until('the edit is tested', () => calls(made).length > 0);
    await settled(made);
  });

  it('takes a payload with a byte order mark', async () => {
    const made = configured();
    await hook(made, `\u{FEFF}${payload(made, 'CLAUDE.md')}`);
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('takes the edit of a session whose directory was removed, for the configuration that its line names', async () => {
    const made = configured();
    const line = `mkdir gone && cd gone && rmdir ../gone && exec "$@"`;
    const words = [process.execPath, CLI, 'hook', '--config', join(made.root, 'assay.config.json')];
    const ended = spawnSync('/bin/sh', ['-c', line, 'sh', ...words], {
      cwd: made.root,
      input: payload(made, 'CLAUDE.md'),
      env: cleanEnvironment({ HOME: made.root }),
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' });
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
  });

  it('passes names with line feeds and escape sequences on as data', async () => {
    const name = 'a\n{"event":"run"}\u001b[31m/CLAUDE.md';
    const made = configured();
    made.write('CLAUDE.md', 'nothing good');
    await hook(made, payload(made, name));
    await settled(made);
    expect(entries(made, 'run')).toMatchObject([{ trigger: join(made.root, name) }]);
    const message = String(entries(made, 'notify')[0]?.['message']);
    expect(message).toContain('a\\n{"event":"run"}\\u{1b}[31m/CLAUDE.md');
    expect(message).not.toContain('\n');
    expect(message).not.toContain('\u001b');
  });

  it('gives the run no key, no address and no mark of the session, except those that are asked for', async () => {
    const made = configured({ keep_environment: ['MINE_API_KEY'] });
    await hook(made, payload(made, 'CLAUDE.md'), {
      ANTHROPIC_API_KEY: 'k1',
      ANTHROPIC_AUTH_TOKEN: 'k2',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_API_KEY: 'k3',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      MINE_API_KEY: 'k4',
      OTHER: 'stays',
    });
    await settled(made);
    const environment = calls(made)[0]?.['environment'] as Record<string, string>;
    const names = Object.keys(environment);
    expect(names.filter((name) => /^ANTHROPIC|^OPENAI|^CLAUDE/.test(name))).toEqual([]);
    expect(environment).toMatchObject({
      OTHER: 'stays',
      MINE_API_KEY: 'k4',
      ASSAY_CONFIG_CHANGE: expect.any(String),
    });
  });

  it('is not set off by what its own run does', async () => {
    const made = configured(
      {},
      {
        'agent.mjs': `
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
export default async function agent() {
  const path = new URL('CLAUDE.md', import.meta.url).pathname;
  writeFileSync(path, 'changed by the run');
  const input = JSON.stringify({ tool_name: 'Write', tool_input: { file_path: path } });
  const ended = spawnSync(process.execPath, [${JSON.stringify(CLI)}, 'hook'], { cwd: new URL('.', import.meta.url).pathname, input });
  return 'yes please ' + ended.status;
}`,
      },
    );
    await hook(made, payload(made, 'CLAUDE.md'));
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
    expect(entries(made, 'queued')).toHaveLength(1);
    expect(entries(made, 'skip-recursion')).toHaveLength(2);
  });

  it('matches the sentinels of the configuration: globs, presets and the files of the prompt', async () => {
    const made = configured(
      { sentinels: ['prompts/**/*.txt', 'preset:lifeos'] },
      { 'voice.md': 'x' },
      { system_prompt_files: ['voice.md'] },
    );
    const queued = ['prompts/a/b.txt', 'tools/x.hook.ts', 'CONFIG/OPERATIONAL_RULES.md', 'voice.md'];
    const skipped = ['prompts/a/b.md', 'OPERATIONAL_RULES.md', 'AGENTS.md'];
    for (const file of [...queued, ...skipped]) await hook(made, payload(made, file));
    await settled(made);
    expect(entries(made, 'queued').map((entry) => entry['trigger'])).toEqual(
      queued.map((file) => join(made.root, file)),
    );
    expect(entries(made, 'skip-not-sentinel')).toHaveLength(skipped.length);
  });

  it('reads the configuration that its line names, wherever the session is', async () => {
    const made = configured();
    const elsewhere = configured();
    await hook(elsewhere, payload(made, 'CLAUDE.md'), {}, [
      '--agent',
      'codex',
      '--config',
      join(made.root, 'assay.config.json'),
    ]);
    await settled(made);
    expect(entries(made, 'run')).toHaveLength(1);
    expect(entries(elsewhere)).toEqual([]);
    expect(readTexts(made)).toEqual(['yes please', 'yes please']);
  });
});
