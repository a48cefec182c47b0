import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemSource } from '../../src/core/index.js';
import { doctor, resolveModel, type ModelContext } from '../../src/model/index.js';
import { installStandIn, type Behaviour, type StandIn } from './stand-in.js';
import { ask, callModel, failureOf, testServices } from './support.js';

const standIns: StandIn[] = [];
const directories: string[] = [];

afterEach(async () => {
  for (const standIn of standIns.splice(0)) await standIn.remove();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function install(
  program: string,
  calls: Behaviour[],
  more: { loggedIn?: boolean; version?: string } = {},
) {
  const standIn = await installStandIn(calls, { program, ...more });
  standIns.push(standIn);
  return standIn;
}

async function home(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'assay-home-'));
  directories.push(directory);
  return directory;
}

function context(standIn: StandIn, more: Partial<ModelContext> = {}): ModelContext {
  return {
    directory: tmpdir(),
    environment: {
      PATH: standIn.directory,
      HOME: '/home/nobody',
      OPENAI_API_KEY: 'sk-x',
      GEMINI_API_KEY: 'x',
    },
    source: systemSource(),
    ...more,
  };
}

async function call(
  standIn: StandIn,
  reference: string,
  request = ask('hello', { system: 'Be "brief".\n' }),
  more = {},
) {
  return callModel(await resolveModel(reference, context(standIn, more)), request, testServices());
}

function lines(...events: unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

const message = (text: string) => ({
  type: 'item.completed',
  item: { id: 'item_1', type: 'agent_message', text },
});
const completed = {
  type: 'turn.completed',
  usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 9, reasoning_output_tokens: 3 },
};

describe('the codex command line', () => {
  test('is run without approvals, session and user settings; its last message is the answer', async () => {
    const raw = lines(
      { type: 'thread.started', thread_id: 't' },
      { type: 'turn.started' },
      message('thinking aloud'),
      message('the answer'),
      completed,
    );
    const standIn = await install('codex', [{ raw, stderr: 'Reading prompt from stdin...\n' }]);
    const answer = await call(standIn, 'codex-cli:gpt-5.4', undefined, { effort: 'high' });
    expect(answer).toMatchObject({
      text: 'the answer',
      usage: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 40, reasoningTokens: 3 },
      cost: null,
      servedModel: null,
    });
    const [received] = await standIn.calls();
    expect(received?.argv.slice(0, 3)).toEqual(['exec', '--json', '--ephemeral']);
    expect(received?.argv).toContain('--ignore-user-config');
    expect(received?.argv).toContain('model_reasoning_effort="high"');
    expect(received?.argv).toContain('developer_instructions="Be \\"brief\\".\\n"');
    expect(received?.argv.at(-1)).toBe('-');
    expect(received?.stdin).toBe('hello');
    expect(received?.env).not.toHaveProperty('OPENAI_API_KEY');
  });

  test('gets a system text that is too long for an argument as the first line of the conversation', async () => {
    const standIn = await install('codex', [{ raw: lines(message('ok'), completed) }]);
    const system = 'x'.repeat(100_001);
    const answer = await call(standIn, 'codex-cli:gpt-5.4', ask('hello', { system }));
    const [received] = await standIn.calls();
    expect(received?.argv.join(' ')).not.toContain('developer_instructions');
    expect(JSON.parse(received?.stdin.split('\n')[1] ?? '')).toEqual({ role: 'system', text: system });
    expect(answer.warnings).toContain('the system prompt was sent with the conversation');
  });

  test('that used tools of its own says so', async () => {
    const tool = { type: 'item.completed', item: { type: 'command_execution', command: 'ls', exit_code: 0 } };
    const standIn = await install('codex', [{ raw: lines(tool, message('ok'), completed) }]);
    expect((await call(standIn, 'codex-cli:gpt-5.4')).warnings).toContain(
      'codex used tools of its own: command_execution',
    );
  });

  const server = (status: number, text: string) =>
    JSON.stringify({ type: 'error', status, error: { type: 'x', message: text } });

  test.each<[string, Behaviour, Record<string, unknown>]>([
    [
      'a refused model',
      {
        raw: lines(
          { type: 'error', message: server(400, 'no such model (429)') },
          { type: 'turn.failed', error: { message: server(400, 'no such model (429)') } },
        ),
        exitCode: 1,
      },
      { kind: 'http', status: 400 },
    ],
    [
      'a limit, by status',
      { raw: lines({ type: 'turn.failed', error: { message: server(429, 'x') } }) },
      { kind: 'usage-limit', status: 429 },
    ],
    [
      'a limit, in words',
      { raw: lines({ type: 'error', message: "You've hit your usage limit. Upgrade." }), exitCode: 1 },
      { kind: 'usage-limit' },
    ],
    [
      'a lost login',
      {
        raw: lines({ type: 'turn.failed', error: { message: 'Your access token could not be refreshed' } }),
        exitCode: 1,
      },
      { kind: 'login-needed' },
    ],
    [
      'a message after which the turn failed',
      { raw: lines(message('half'), { type: 'turn.failed', error: { message: 'boom' } }) },
      { kind: 'exit', output: 'half' },
    ],
    ['a turn that was not completed', { raw: lines(message('half')) }, { kind: 'exit', output: 'half' }],
    [
      'a completed turn and a failed exit',
      { raw: lines(message('all'), completed), exitCode: 2 },
      { kind: 'exit', output: 'all' },
    ],
    ['no message', { raw: lines(completed) }, { kind: 'empty' }],
    ['no events', { raw: 'Usage: codex\n', exitCode: 2 }, { kind: 'non-json' }],
    ['nothing', { silent: true }, { kind: 'empty' }],
    [
      'nothing and a failed exit',
      { silent: true, exitCode: 1, stderr: "error: unexpected argument '--x'" },
      { kind: 'exit' },
    ],
  ])('with %s is told apart', async (_name, behaviour, expected) => {
    const error = await failureOf(call(await install('codex', [behaviour]), 'codex-cli:gpt-5.4'));
    expect(error).toMatchObject(expected);
    expect(error.tries).toHaveLength(1);
  });

  test('an error that was overcome is not a failure', async () => {
    const raw = lines(
      { type: 'error', message: 'stream disconnected, retrying 1/5' },
      message('ok'),
      completed,
    );
    expect((await call(await install('codex', [{ raw }]), 'codex-cli:gpt-5.4')).text).toBe('ok');
  });
});

describe('the gemini command line', () => {
  const document = (more: Record<string, unknown> = {}) =>
    JSON.stringify(
      {
        session_id: 's',
        response: 'the answer',
        stats: {
          models: {
            'gemini-2.5-flash-lite': { tokens: { prompt: 5, candidates: 1 } },
            'gemini-2.5-pro': { tokens: { prompt: 100, candidates: 9, cached: 40, thoughts: 3 } },
          },
        },
        ...more,
      },
      null,
      2,
    );

  test('is run without tools and extensions; the model with most output is its author', async () => {
    const standIn = await install('gemini', [{ raw: document(), stderr: 'Loaded cached credentials.\n' }]);
    const answer = await call(
      standIn,
      'gemini-cli:gemini-2.5-pro',
      ask('/quit @/etc/passwd', { system: 'Be brief.' }),
    );
    expect(answer).toMatchObject({
      text: 'the answer',
      servedModel: 'gemini-2.5-pro',
      downgraded: false,
      usage: { inputTokens: 100, outputTokens: 12, cacheReadTokens: 40, reasoningTokens: 3 },
    });
    const [received] = await standIn.calls();
    expect(received?.argv).toEqual([
      '--model',
      'gemini-2.5-pro',
      '--output-format',
      'json',
      '--extensions',
      'none',
      '--skip-trust',
    ]);
    expect(received?.stdin).toBe('Message:\n/quit @\u2060/etc/passwd');
    expect(received?.env['GEMINI_SYSTEM_MD']).toContain(received?.cwd ?? 'nowhere');
    expect(received?.env).not.toHaveProperty('GEMINI_API_KEY');
  });

  test('that fell back to another tier is flagged', async () => {
    const stats = { models: { 'gemini-2.5-flash': { tokens: { prompt: 1, candidates: 9 } } } };
    const standIn = await install('gemini', [{ raw: `A notice\n${document({ stats })}` }]);
    expect(await call(standIn, 'gemini-cli:gemini-2.5-pro')).toMatchObject({
      downgraded: true,
      servedModel: 'gemini-2.5-flash',
    });
  });

  const failed = (code: number, text: string) =>
    JSON.stringify({ error: { type: 'Error', message: text, code } }, null, 2);

  test.each<[string, Behaviour, Record<string, unknown>]>([
    [
      'no login',
      { silent: true, exitCode: 41, stderr: 'Please set an Auth method' },
      { kind: 'login-needed' },
    ],
    [
      'a limit, reported on standard error',
      { silent: true, exitCode: 1, stderr: `noise\n${failed(429, 'Quota exceeded')}` },
      { kind: 'usage-limit', status: 429 },
    ],
    [
      'an error with a failed exit',
      { raw: failed(400, 'bad request, 429'), exitCode: 1 },
      { kind: 'http', status: 400 },
    ],
    ['an error with a good exit', { raw: document({ error: { message: 'x' } }) }, { kind: 'exit' }],
    [
      'a failed exit after a response',
      { raw: document(), exitCode: 53 },
      { kind: 'exit', output: 'the answer' },
    ],
    ['no response', { raw: document({ response: '' }) }, { kind: 'empty' }],
    ['no JSON', { raw: 'hello' }, { kind: 'non-json', output: 'hello' }],
    ['nothing', { silent: true }, { kind: 'empty' }],
  ])('with %s is told apart', async (_name, behaviour, expected) => {
    const error = await failureOf(call(await install('gemini', [behaviour]), 'gemini-cli:gemini-2.5-pro'));
    expect(error).toMatchObject(expected);
    expect(error.tries).toHaveLength(1);
  });

  test('an overloaded server is asked again', async () => {
    const standIn = await install('gemini', [{ raw: failed(503, 'x'), exitCode: 1 }, { raw: document() }]);
    expect((await call(standIn, 'gemini-cli:gemini-2.5-pro')).tries.map((entry) => entry.status)).toEqual([
      503,
      null,
    ]);
  });
});

describe('the doctor', () => {
  async function examine(
    program: 'claude' | 'codex' | 'gemini',
    standIn: StandIn,
    more: { home?: string; probe?: boolean } = {},
  ) {
    // The other two must not be found on the machine that runs the tests.
    const programs = {
      claude: '/nonexistent',
      codex: '/nonexistent',
      gemini: '/nonexistent',
      [program]: standIn.path,
    };
    const environment = { PATH: standIn.directory, HOME: more.home ?? (await home()) };
    const reports = await doctor(
      { directory: tmpdir(), environment, source: systemSource(), config: { programs } },
      { version: 'test', probe: more.probe ?? false },
    );
    expect(reports.map((report) => report.program)).toEqual(['claude', 'codex', 'gemini']);
    for (const report of reports) {
      if (report.program === program) continue;
      expect(report).toMatchObject({
        installed: null,
        answers: 'not-asked',
        fix: expect.stringContaining('npm install -g'),
      });
    }
    return reports.find((report) => report.program === program);
  }

  test('says where a program is, its version, and that it is logged in, without asking it anything', async () => {
    const standIn = await install('claude', [{}]);
    expect(await examine('claude', standIn)).toEqual({
      program: 'claude',
      kind: 'claude-cli',
      installed: { path: standIn.path, version: '2.1.300' },
      login: { state: 'yes', evidence: 'claude auth status' },
      answers: 'not-asked',
      problem: '',
      fix: '',
    });
    expect(await standIn.calls()).toEqual([]);
  });

  test('says that nobody is logged in and what to do, and does not probe', async () => {
    const standIn = await install('claude', [{}], { loggedIn: false });
    expect(await examine('claude', standIn, { probe: true })).toMatchObject({
      login: { state: 'no' },
      answers: 'not-asked',
      fix: 'log in with: claude auth login',
    });
    expect(await standIn.calls()).toEqual([]);
  });

  test('looks at the credentials of a version that has no status command, and never runs words it would take as a prompt', async () => {
    const standIn = await install('claude', [{}], { version: '2.0.10 (Claude Code)' });
    const directory = await home();
    await mkdir(join(directory, '.claude'));
    const credentials = join(directory, '.claude', '.credentials.json');
    await writeFile(
      credentials,
      JSON.stringify({ claudeAiOauth: { accessToken: 'secret', refreshToken: 'secret', expiresAt: 1 } }),
    );
    const report = await examine('claude', standIn, { home: directory });
    expect(report?.login).toEqual({ state: 'yes', evidence: 'credentials file' });
    expect(JSON.stringify(report)).not.toContain('secret');
    await writeFile(credentials, JSON.stringify({ claudeAiOauth: { accessToken: 'secret', expiresAt: 1 } }));
    expect((await examine('claude', standIn, { home: directory }))?.login.state).toBe('no');
    expect(await standIn.calls()).toEqual([]);
  });

  test('asks only when a probe is wanted, and says why there was no answer', async () => {
    const good = await install('claude', [{}]);
    expect(await examine('claude', good, { probe: true })).toMatchObject({ answers: 'yes', problem: '' });
    expect((await good.calls())[0]?.argv).toContain('haiku');
    const bad = await install('claude', [
      { envelope: { is_error: true, api_error_status: 429, result: 'limit' } },
    ]);
    expect(await examine('claude', bad, { probe: true })).toMatchObject({
      answers: 'no',
      problem: expect.stringContaining('limit'),
    });
    expect(await bad.calls()).toHaveLength(1);
  });

  test('knows the logins of codex by its file, else by its status command', async () => {
    const standIn = await install('codex', [{}], { loggedIn: false });
    expect((await examine('codex', standIn))?.login.state).toBe('no');
    const directory = await home();
    await mkdir(join(directory, '.codex'));
    await writeFile(
      join(directory, '.codex', 'auth.json'),
      JSON.stringify({ tokens: { access_token: 'x' } }),
    );
    expect((await examine('codex', standIn, { home: directory }))?.login).toEqual({
      state: 'yes',
      evidence: 'auth.json',
    });
    const other = await install('codex', [{}]);
    expect((await examine('codex', other))?.login).toEqual({ state: 'yes', evidence: 'codex login status' });
  });

  test('knows the sign-in of gemini by its files, and says unknown where it cannot be known', async () => {
    const standIn = await install('gemini', [{}]);
    const directory = await home();
    const folder = join(directory, '.gemini');
    const state = async () => (await examine('gemini', standIn, { home: directory }))?.login.state;
    expect(await state()).toBe('no');
    await mkdir(folder);
    await writeFile(join(folder, 'google_accounts.json'), JSON.stringify({ active: 'a@b.test' }));
    expect(await state()).toBe('unknown');
    await writeFile(
      join(folder, 'settings.json'),
      JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    );
    expect(await state()).toBe('no');
    await writeFile(join(folder, 'oauth_creds.json'), JSON.stringify({ refresh_token: 'x' }));
    expect(await state()).toBe('yes');
  });
});
