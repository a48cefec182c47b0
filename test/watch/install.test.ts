import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI, project, type Ended, type Project } from '../cli/run-cli.js';
import { loadConfig } from '../../src/config/index.js';
import { AssayError } from '../../src/core/index.js';
import {
  applySettings,
  hookAgent,
  installedLine,
  planInstall,
  planUninstall,
  shellLine,
  shellWords,
  type HookTarget,
} from '../../src/watch/index.js';
import { configured, entries, hook, payload, settled, start } from './support.js';

const CLAUDE = '.claude/settings.local.json';

function made(files: Record<string, unknown> = {}, name = 'assay.config.yaml'): Project {
  const created = project({ [name]: '{}\n', ...files });
  onTestFinished(created.remove);
  return created;
}

function command(target: Pick<Project, 'root'>, ...words: string[]): Promise<Ended> {
  return start(target, ['hook', ...words], { input: '' }).ended;
}

function textOf({ root }: Pick<Project, 'root'>, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function lines(target: Pick<Project, 'root'>, file: string, event: string): string[] {
  const settings: { hooks: Record<string, { hooks: { command: string }[] }[]> } = JSON.parse(
    textOf(target, file),
  );
  return (settings.hooks[event] ?? []).flatMap((group) => group.hooks.map((one) => one.command));
}

/** Settings as people leave them lying about; none of them has a hook of Assay's. */
const WRITTEN: [string, string][] = [
  ['nothing', ''],
  ['an empty object', '{}'],
  ['an empty object on two lines', '{\n}\n'],
  ['one line', '{"model":"opus"}'],
  ['one line with space', '{ "model": "opus" }\n'],
  ['four spaces', '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n'],
  ['tabs', '{\n\t"model": "opus"\n}\n'],
  ['Windows line ends', '{\r\n  "model": "opus"\r\n}\r\n'],
  ['no line feed at the end', '{\n  "model": "opus"\n}'],
  [
    'comments',
    '// mine\n{\n  // first\n  "model": "opus" // why, and "hooks": {\n  /* last, with a comma */\n}\n',
  ],
  ['a comma at the end', '{\n  "model": "opus",\n}\n'],
  ['an empty hooks object', '{\n  "hooks": {}\n}\n'],
  ['an empty list', '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n'],
  ['a comment in an empty list', '{\n  "hooks": {\n    "PostToolUse": [\n      // none yet\n    ]\n  }\n}\n'],
  [
    'other hooks',
    '{\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] }]\n  },\n  "model": "opus"\n}\n',
  ],
  [
    'another hook of the event',
    '{\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Write", "hooks": [{ "type": "command", "command": "prettier --write" }] } // ours\n    ]\n  }\n}\n',
  ],
  [
    'another hook and a comma',
    '{\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Write", "hooks": [] },\n    ],\n  },\n}\n',
  ],
  ['text that looks like code', '{ "x": "},{//\\"/*", "y": [1,2,{"hooks":[]}] }\n'],
];

/** Puts the hook into a settings file, without asking. */
async function install(target: HookTarget): Promise<void> {
  const plan = planInstall(target, '/usr/bin/assay hook --agent claude-code');
  if (plan.after !== plan.before) await applySettings(plan, 0);
}

async function uninstall(target: HookTarget): Promise<void> {
  await applySettings(planUninstall(target), 0);
}

function settingsWith(text: string): { target: HookTarget; now: () => string } {
  const { root } = made({ [CLAUDE]: text });
  const file = join(root, CLAUDE);
  const target: HookTarget = {
    agent: hookAgent('claude-code'),
    scope: 'local',
    file,
    installs: join(root, '.assay/installs'),
  };
  return { target, now: () => readFileSync(file, 'utf8') };
}

describe('the hook in settings', () => {
  it.each(WRITTEN)(
    'with %s is put there once, and taking it out gives back the same bytes',
    async (_what, text) => {
      const { target, now } = settingsWith(text);
      await install(target);
      const after = now();
      expect(installedLine(target)).toBe('/usr/bin/assay hook --agent claude-code');
      for (const comment of text.match(/\/\/ .*|\/\* .*\*\//g) ?? []) expect(after).toContain(comment);
      await install(target);
      expect(now()).toBe(after);
      await uninstall(target);
      expect(now()).toBe(text);
      expect(installedLine(target)).toBeNull();
    },
  );

  it.each(WRITTEN.slice(3))(
    'with %s is taken out alone when somebody has changed them since',
    async (_what, text) => {
      const { target, now } = settingsWith(text);
      await install(target);
      const mark = /"(?:model|hooks|x)"/.exec(text)?.[0] ?? '';
      const changed = (one: string): string => one.replace(mark, `"added": 1, ${mark}`);
      writeFileSync(target.file, changed(now()));
      await uninstall(target);
      const plain = (one: string): string =>
        one.replaceAll(/\s+/g, '').replaceAll(',', '').replaceAll('"hooks":{}', '');
      expect(plain(now())).toBe(plain(changed(text)));
    },
  );

  it('are not written when they have changed since the change was shown', async () => {
    const { target, now } = settingsWith('{}\n');
    const plan = planInstall(target, '/usr/bin/assay hook --agent claude-code');
    writeFileSync(target.file, '{"model": "opus"}\n');
    await expect(applySettings(plan, 0)).rejects.toThrow('has changed meanwhile');
    expect(now()).toBe('{"model": "opus"}\n');
  });

  it('keep the hooks of other programs that have a command named hook', async () => {
    const foreign = { type: 'command', command: 'othertool hook --agent claude-code' };
    const text = JSON.stringify({ hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [foreign] }] } });
    const { target, now } = settingsWith(text);
    expect(installedLine(target)).toBeNull();
    await install(target);
    expect(now()).toContain('othertool');
    writeFileSync(target.file, `${now()}\n`);
    await applySettings(planUninstall(target), 0);
    expect(JSON.parse(now())).toEqual(JSON.parse(text));
  });

  it.each([
    '/usr/bin/assay hook --agent claude-code',
    'npx assay@0.1.0 hook --agent claude-code',
    '"$HOME"/bin/assay hook --agent claude-code --config x',
    '/usr/bin/node /opt/assay/dist/cli/main.js hook --agent claude-code',
  ])('know %s as a line of Assay, also where its group was edited', (line) => {
    const group = { matcher: 'Write', hooks: [{ type: 'command', command: line, timeout: 5 }] };
    const { target } = settingsWith(JSON.stringify({ hooks: { PostToolUse: [group] } }));
    expect(installedLine(target)).toBe(line);
  });

  it('know the line of another program that was installed with --command', () => {
    const line = 'tools/evals.sh hook --agent claude-code';
    const group = hookAgent('claude-code').group(line);
    const { target } = settingsWith(JSON.stringify({ hooks: { PostToolUse: [group] } }));
    expect(installedLine(target)).toBe(line);
  });

  it('that share a group with others are left to a person', async () => {
    const { target, now } = settingsWith('{}');
    await install(target);
    const settings: { hooks: { PostToolUse: { hooks: unknown[] }[] } } = JSON.parse(now());
    settings.hooks.PostToolUse[0]?.hooks.push({ type: 'command', command: 'true' });
    writeFileSync(target.file, JSON.stringify(settings));
    expect(() => planUninstall(target)).toThrow('shares a group');
  });
});

describe('assay hook install', () => {
  it.each([
    ['claude-code', CLAUDE, 'PostToolUse'],
    ['codex', '.codex/hooks.json', 'PostToolUse'],
    ['gemini', '.gemini/settings.json', 'AfterTool'],
  ])(
    'makes and removes the settings of %s, and doctor shows that its hook fires',
    async (agent, file, event) => {
      const target = configured();
      await command(target, 'install', '--agent', agent, '--yes');
      expect(lines(target, file, event)).toEqual([
        shellLine([
          process.execPath,
          CLI,
          'hook',
          '--agent',
          agent,
          '--config',
          join(target.root, 'assay.config.json'),
        ]),
      ]);
      const doctor = await command(target, 'doctor');
      expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('skip-probe') });
      expect(entries(target).map((entry) => entry['event'])).toEqual(['skip-probe']);
      expect(existsSync(join(target.root, '.assay/runs'))).toBe(false);
      await command(target, 'uninstall', '--agent', agent, '--yes');
      expect(existsSync(join(target.root, file))).toBe(false);
      expect(existsSync(join(target.root, file, '..'))).toBe(false);
      expect(await command(target, 'doctor')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('no hook is installed'),
      });
    },
  );

  it('shows the change and makes none unless it is confirmed', async () => {
    const target = made({ [CLAUDE]: '{}\n' });
    const ended = await command(target, 'install', '--agent', 'claude-code');
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('+  "hooks": {') });
    expect(ended.stderr).toContain('--yes carries it out');
    expect(textOf(target, CLAUDE)).toBe('{}\n');
  });

  it('keeps the file as it was, its mode, and a link in its place', async () => {
    const target = made({ 'dotfiles/settings.json': '{\n  "model": "opus"\n}\n' });
    mkdirSync(join(target.root, '.claude'));
    symlinkSync('../dotfiles/settings.json', join(target.root, CLAUDE));
    chmodSync(join(target.root, 'dotfiles/settings.json'), 0o600);
    const ended = await command(target, 'install', '--agent', 'claude-code', '--yes');
    expect(lstatSync(join(target.root, CLAUDE)).isSymbolicLink()).toBe(true);
    expect(statSync(join(target.root, CLAUDE)).mode & 0o777).toBe(0o600);
    const kept = /as it was before: (\S+)/.exec(ended.stderr)?.[1] ?? '';
    expect(textOf(target, kept)).toBe('{\n  "model": "opus"\n}\n');
  });

  it('refuses a link to nothing, a ring of links and a directory, and leaves them', async () => {
    const target = made();
    const settings = join(target.root, CLAUDE);
    mkdirSync(join(target.root, '.claude'));
    for (const to of ['../nowhere.json', 'settings.local.json', '..']) {
      symlinkSync(to, settings);
      const ended = await command(target, 'install', '--agent', 'claude-code', '--yes');
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toContain('settings.local.json cannot be read');
      expect(ended.stderr).not.toContain('unexpected');
      expect(readlinkSync(settings)).toBe(to);
      expect(existsSync(join(target.root, 'nowhere.json'))).toBe(false);
      rmSync(settings);
    }
  });

  it('replaces a hook that names another place, and uninstall still goes back to the beginning', async () => {
    const before = '{\n  "model": "opus"\n}\n';
    const target = made({ [CLAUDE]: before });
    await command(target, 'install', '--agent', 'claude-code', '--command', '/old/assay', '--yes');
    await command(target, 'install', '--agent', 'claude-code', '--yes');
    expect(lines(target, CLAUDE, 'PostToolUse')).toHaveLength(1);
    await command(target, 'uninstall', '--agent', 'claude-code', '--yes');
    expect(textOf(target, CLAUDE)).toBe(before);
  });

  it.each([
    ['a list', '[]', 'does not hold an object'],
    ['something that is not JSON', '{"model": }', 'cannot be edited'],
    ['hooks of another shape', '{"hooks": []}', '`hooks` is not an object'],
    ['an event of another shape', '{"hooks": {"PostToolUse": {}}}', '`hooks.PostToolUse` is not a list'],
    ['a key that is written twice', '{"hooks": {"A": []}, "hooks": {"B": []}}', 'written twice'],
    ['hooks that are switched off', '{"disableAllHooks": true}', 'runs no hooks here'],
  ])('refuses settings with %s and changes nothing', async (_what, text, why) => {
    const target = made({ [CLAUDE]: text });
    const ended = await command(target, 'install', '--agent', 'claude-code', '--yes');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(why);
    expect(ended.stderr).not.toContain('    at ');
    expect(textOf(target, CLAUDE)).toBe(text);
  });

  it('refuses where an agent runs no hooks by its other settings', async () => {
    const codex = made({ '.codex/config.toml': '[features]\nhooks = false\n' });
    expect((await command(codex, 'install', '--agent', 'codex', '--yes')).stderr).toContain(
      'features.hooks is false',
    );
    const gemini = made({ '.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' });
    expect((await command(gemini, 'install', '--agent', 'gemini', '--yes')).stderr).toContain(
      'hooksConfig.enabled',
    );
  });

  it('refuses agents and scopes without such a hook', async () => {
    const target = made();
    const known = await command(target, 'install', '--agent', 'opencode', '--yes');
    expect(known).toMatchObject({ code: 2, stderr: expect.stringContaining('assay watch') });
    expect(await command(target, 'install', '--agent', 'nobody', '--yes')).toMatchObject({ code: 2 });
    expect(
      (await command(target, 'install', '--agent', 'codex', '--scope', 'local', '--yes')).stderr,
    ).toContain('--scope project');
    expect(await command(target, 'instal')).toMatchObject({ code: 2 });
  });

  it('asks for a configuration before it puts a hook into the settings of the user', async () => {
    const target = project();
    onTestFinished(target.remove);
    expect(
      await command(target, 'install', '--agent', 'claude-code', '--scope', 'user', '--yes'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('assay init'),
    });
    const own = made();
    await command(own, 'install', '--agent', 'claude-code', '--scope', 'user', '--yes');
    expect(existsSync(join(own.root, '.claude/settings.json'))).toBe(true);
  });
});

describe('assay hook doctor', () => {
  it('says which line does not fire, and why', async () => {
    const target = configured();
    await command(target, 'install', '--agent', 'claude-code', '--command', '/no/such/assay', '--yes');
    const missing = await command(target, 'doctor');
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('ENOENT') });
    await command(target, 'install', '--agent', 'claude-code', '--command', 'echo hi; assay', '--yes');
    const shell = await command(target, 'doctor');
    expect(shell).toMatchObject({ code: 1, stdout: expect.stringContaining('needs a shell') });
  });

  it('fails when edits from here would count as those of a subagent, or the suite does not load', async () => {
    const target = configured({}, {}, { config_change_suite: 'nowhere' });
    await command(target, 'install', '--agent', 'claude-code', '--yes');
    const ended = await start(target, ['hook', 'doctor'], {
      input: '',
      environment: { CLAUDE_AGENT_TYPE: 'x' },
    }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('CLAUDE_AGENT_TYPE');
    expect(ended.stdout).toContain('nowhere');
  });
});

describe('assay hook log', () => {
  it('shows what fired, safe to print, and as it is stored', async () => {
    const target = configured();
    await hook(target, payload(target, 'x\u001b[2J\n.md'));
    await hook(target, payload(target, 'CLAUDE.md'));
    await settled(target);
    const shown = await command(target, 'log');
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(shown.stdout).not.toContain('\u001b');
    const stored = await command(target, 'log', '--json', '-n', '1');
    expect(JSON.parse(stored.stdout)).toMatchObject({ event: 'run' });
  });
});

describe('a line for a shell', () => {
  it('gives back the words it was made of', () => {
    for (const words of [
      ['a'],
      ['/usr/bin/node', '/a b/main.js', 'hook'],
      ["it's", '$HOME', '`x`', 'a;b', '"q"', ''].filter((one) => one !== ''),
    ]) {
      expect(shellWords(shellLine(words, 'linux'), 'linux')).toEqual(words);
    }
  });

  it('is not taken apart where a shell would do more', () => {
    for (const line of [
      'a; b',
      'a && b',
      'a $HOME',
      'a "$HOME"',
      'a `b`',
      'a > b',
      'a *',
      "a 'b",
      'a | b',
      '',
    ]) {
      expect(shellWords(line, 'linux'), line).toBeNull();
    }
  });
});

describe('the configuration', () => {
  it.each([
    ['sentinels: []', 'sentinels'],
    ["sentinels: ['preset:lifeoss']", 'preset:lifeos'],
    ["sentinels: ['!CLAUDE.md']", 'globs know'],
    ["sentinels: ['{a,b}.md']", 'globs know'],
    ["sentinels: ['../x.md']", 'no ..'],
    ["sentinels: ['a//b']", 'plain path'],
    ["sentinels: ['prompts/']", 'plain path'],
    ['quiet_secs: -1', 'quiet_secs'],
    ['{ quiet_secs: 60, max_wait_secs: 30 }', 'max_wait_secs'],
    ['alpha: 0', 'alpha'],
    ['notify: { webhook: "ftp://x" }', 'http'],
    ['notify: { command: [] }', 'command'],
    ['notify: { desk: true }', 'desktop'],
    ['keep_environment: ["A=B"]', 'name of a variable'],
  ])('refuses %s', async (block, why) => {
    const target = made({
      'assay.config.yaml': `config_change: ${block.startsWith('{') ? block : `{ ${block} }`}\n`,
    });
    const problem = await loadConfig(target.root).catch((error: unknown) => error);
    const text = AssayError.isInstance(problem) ? problem.describe() : '';
    expect(text).toMatch(/assay\.config\.yaml:\d+:\d+ config_change/);
    expect(text).toContain(why);
  });
});
