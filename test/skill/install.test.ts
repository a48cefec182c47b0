import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyInstall, applyUninstall, planInstall, planUninstall } from '../../src/skill/index.js';
import { assay, project, type Ended, type Project } from '../cli/run-cli.js';
import { SKILL } from './workflow-file.js';

function place(files: Record<string, unknown> = {}): Project {
  const made = project({ 'assay.config.yaml': 'eval: {}\n', ...files });
  onTestFinished(() => made.remove());
  return made;
}

function run({ root }: Project, ...words: string[]): Promise<Ended> {
  return assay(root, ['skill', ...words], { environment: { HOME: join(root, 'home') } });
}

/** Every file below a directory, with its text. */
function tree(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function shipped(): Record<string, string> {
  return tree(SKILL);
}

function installed(made: Project, where = '.claude/skills/assay'): Record<string, string> {
  const { '.assay-skill.json': _, ...files } = tree(join(made.root, where));
  return files;
}

describe('assay skill install', () => {
  test.each([
    [['install'], '.claude/skills/assay'],
    [['install', '--agent', 'codex'], '.agents/skills/assay'],
    [['install', '--agent', 'gemini'], '.gemini/skills/assay'],
    [['install', '--user'], 'home/.claude/skills/assay'],
    [['install', '--directory', 'mine'], 'mine/assay'],
  ])('%s writes the skill to %s, and says every file', async (words, where) => {
    const made = place();
    const ended = await run(made, ...words);
    expect(ended.code).toBe(0);
    for (const name of Object.keys(shipped())) expect(ended.stdout).toContain(`  writes ${name}\n`);
    expect(installed(made, where)).toEqual(shipped());
  });

  test('goes to the project, also from a directory below it', async () => {
    const made = place({ '.git/HEAD': '', 'sub/dir/file': '' });
    made.write('assay.config.yaml', 'eval: {}\n');
    const ended = await assay(join(made.root, 'sub/dir'), [
      'skill',
      'install',
      '--config',
      '../../assay.config.yaml',
    ]);
    expect(ended.code).toBe(0);
    expect(installed(made)).toEqual(shipped());
  });

  test('--dry-run says the same and writes nothing', async () => {
    const made = place();
    const ended = await run(made, 'install', '--dry-run');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('  writes SKILL.md\n');
    expect(existsSync(join(made.root, '.claude'))).toBe(false);
  });

  test('a second time changes nothing', async () => {
    const made = place();
    await run(made, 'install');
    const before = tree(made.root);
    const ended = await run(made, 'install');
    expect(ended.stdout).toContain('  leaves SKILL.md\n');
    expect(tree(made.root)).toEqual(before);
  });

  test('does not touch an edited file, nor any other then, until it is forced', async () => {
    const made = place();
    await run(made, 'install');
    made.write('.claude/skills/assay/SKILL.md', 'mine\n');
    made.write('.claude/skills/assay/workflows/RunEval.md', 'also mine\n');
    const before = tree(made.root);
    const refused = await run(made, 'install');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/nothing was written: SKILL.md, workflows\/RunEval.md/);
    expect(tree(made.root)).toEqual(before);

    const dry = await run(made, 'install', '--dry-run');
    expect(dry.code).toBe(1);
    expect(dry.stdout).toContain('-mine\n');
    expect(dry.stdout).toContain('+# Assay\n');
    expect(tree(made.root)).toEqual(before);

    const forced = await run(made, 'install', '--force');
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain('replaces edited SKILL.md');
    expect(installed(made)).toEqual({
      ...shipped(),
      '.assay-backup/SKILL.md': 'mine\n',
      '.assay-backup/workflows/RunEval.md': 'also mine\n',
    });
  });

  test('does not take a skill of the same name for its own', async () => {
    const made = place({ '.claude/skills/assay/SKILL.md': "somebody else's\n" });
    const ended = await run(made, 'install');
    expect(ended.code).toBe(1);
    expect(installed(made)).toEqual({ 'SKILL.md': "somebody else's\n" });
  });

  test('is not led elsewhere by links', async () => {
    const outside = place();
    const made = place();
    symlinkSync(outside.root, join(made.root, '.claude'));
    const parent = await run(made, 'install');
    expect(parent.code).toBe(1);
    expect(parent.stderr).toMatch(/leads out of the project/);

    const inner = place();
    mkdirSync(join(inner.root, '.claude/skills'), { recursive: true });
    symlinkSync(outside.root, join(inner.root, '.claude/skills/assay'));
    expect((await run(inner, 'install')).code).toBe(1);

    const file = place({ '.claude/skills/assay/workflows/x': '' });
    symlinkSync(join(outside.root, 'target'), join(file.root, '.claude/skills/assay/SKILL.md'));
    expect((await run(file, 'install', '--force')).code).toBe(1);
    expect(Object.keys(tree(outside.root))).toEqual(['assay.config.yaml']);
  });

  test('refuses two places at once, and an agent it does not know', async () => {
    const made = place();
    expect((await run(made, 'install', '--user', '--directory', 'x')).code).toBe(2);
    expect((await run(made, 'install', '--agent', 'other')).code).toBe(2);
  });

  test('--json is one document', async () => {
    const made = place();
    const ended = await run(made, 'install', '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({
      schema: 'assay/skill-install/v1',
      directory: '.claude/skills/assay',
      written: true,
      files: Object.keys(shipped()).map((name) => ({ name, change: 'new' })),
    });
  });
});

describe('assay skill uninstall', () => {
  test('leaves nothing behind', async () => {
    const made = place();
    const before = tree(made.root);
    await run(made, 'install');
    const dry = await run(made, 'uninstall', '--dry-run');
    expect(dry.stdout).toContain('  removes SKILL.md\n');
    expect(installed(made)).toEqual(shipped());
    const ended = await run(made, 'uninstall');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('  removed SKILL.md\n');
    expect(tree(made.root)).toEqual(before);
    expect(existsSync(join(made.root, '.claude/skills/assay'))).toBe(false);
  });

  test('puts back what a forced installation replaced, and leaves what is not its own', async () => {
    const theirs = { '.claude/skills/assay/SKILL.md': 'theirs\n', '.claude/skills/assay/more.md': 'more\n' };
    const made = place(theirs);
    await run(made, 'install', '--force');
    expect((await run(made, 'uninstall')).code).toBe(0);
    expect(installed(made)).toEqual({ 'SKILL.md': 'theirs\n', 'more.md': 'more\n' });
  });

  test('leaves what was edited since, and says so', async () => {
    const made = place();
    await run(made, 'install');
    made.write('.claude/skills/assay/SKILL.md', 'mine\n');
    const kept = await run(made, 'uninstall');
    expect(kept.code).toBe(1);
    expect(kept.stdout).toContain('left, because it was edited: SKILL.md');
    expect(installed(made)).toEqual({ 'SKILL.md': 'mine\n' });
    expect((await run(made, 'uninstall', '--force')).code).toBe(0);
    expect(existsSync(join(made.root, '.claude/skills/assay'))).toBe(false);
  });

  test('where nothing was installed says so', async () => {
    const made = place({ '.claude/skills/assay/SKILL.md': 'theirs\n' });
    const ended = await run(made, 'uninstall', '--force');
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/wrote nothing to/);
    expect(installed(made)).toEqual({ 'SKILL.md': 'theirs\n' });
  });

  test('trusts no note that names files outside of the skill', async () => {
    const made = place({
      'victim.txt': 'x',
      '.claude/skills/assay/.assay-skill.json': {
        schema: 'assay/skill-install/v1',
        version: '1',
        files: { '../../../victim.txt': '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' },
        replaced: {},
      },
    });
    expect((await run(made, 'uninstall', '--force')).code).toBe(1);
    expect(readFileSync(join(made.root, 'victim.txt'), 'utf8')).toBe('x');
  });
});

describe('a newer version of the skill', () => {
  test('replaces what nobody edited, removes what it no longer has, and can still be taken back', async () => {
    const made = place({
      'v1/SKILL.md': 'one',
      'v1/workflows/Old.md': 'old',
      'v1/workflows/Kept.md': 'kept',
      'v2/SKILL.md': 'two',
      'v2/workflows/Kept.md': 'kept',
      'v2/workflows/New.md': 'new',
    });
    const target = join(made.root, 'agent/assay');
    await applyInstall(planInstall(join(made.root, 'v1'), target), { version: '1', force: false });
    const plan = planInstall(join(made.root, 'v2'), target);
    expect(Object.fromEntries(plan.files.map(({ name, change }) => [name, change]))).toEqual({
      'SKILL.md': 'update',
      'workflows/Kept.md': 'unchanged',
      'workflows/New.md': 'new',
      'workflows/Old.md': 'stale',
    });
    await applyInstall(plan, { version: '2', force: false });
    expect(installed(made, 'agent/assay')).toEqual({
      'SKILL.md': 'two',
      'workflows/Kept.md': 'kept',
      'workflows/New.md': 'new',
    });
    applyUninstall(planUninstall(target, false));
    expect(existsSync(target)).toBe(false);
  });

  test('goes on where one that was cut short left off', async () => {
    const made = place({ 'v1/SKILL.md': 'one', 'v1/workflows/A.md': 'a' });
    const target = join(made.root, 'agent/assay');
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'SKILL.md'), 'one');
    const plan = planInstall(join(made.root, 'v1'), target);
    await applyInstall(plan, { version: '1', force: false });
    expect(installed(made, 'agent/assay')).toEqual({ 'SKILL.md': 'one', 'workflows/A.md': 'a' });
  });
});
