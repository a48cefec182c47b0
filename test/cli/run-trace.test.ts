import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { assay, CLI, echoFixture, failingFixture, project, type Project } from './run-cli.js';

let current: Project | null = null;
function make(files: Record<string, unknown>): Project {
  current = project(files);
  return current;
}
afterEach(() => current?.remove());

describe('assay run on trace fixtures', () => {
  it('exits 0 when every case passes and prints the result on stdout only', async () => {
    const { root } = make({ 'evals/regression/a.json': echoFixture('a') });
    const ended = await assay(root, ['run']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('✓ a (a.json) 2/2 checks');
    expect(ended.stdout).toContain('1/1 cases passed ✓');
  });

  it('exits 1 when one case of several fails, and shows the failing check', async () => {
    const { root } = make({ 's/a.json': echoFixture('a'), 's/b.json': failingFixture('b') });
    const ended = await assay(root, ['run', '--suite', 's']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('✗ b (b.json) 0/1 checks');
    expect(ended.stdout).toContain('response_contains("omega")');
    expect(ended.stdout).toContain('1/2 cases passed (1 failed)');
  });

  it('takes assay eval run as a synonym', async () => {
    const { root } = make({ 's/a.json': echoFixture('a') });
    const [plain, synonym] = await Promise.all([
      assay(root, ['run', 's']),
      assay(root, ['eval', 'run', 's']),
    ]);
    expect(synonym.code).toBe(0);
    expect(synonym.stdout).toBe(plain.stdout);
  });

  it('gives the same bytes in two replays, in every format', async () => {
    const { root } = make({ 's/a.json': echoFixture('a'), 's/b.json': failingFixture('b') });
    for (const format of ['table', 'json', 'junit', 'markdown']) {
      const [first, second] = [
        await assay(root, ['run', 's', '--no-store', '--format', format]),
        await assay(root, ['run', 's', '--no-store', '--format', format]),
      ];
      expect(second.stdout, format).toBe(first.stdout);
      expect(first.stdout.length).toBeGreaterThan(0);
    }
  });

  it('prints exactly one JSON document with the reference keys', async () => {
    const { root } = make({ 's/a.json': echoFixture('a') });
    const { stdout } = await assay(root, ['run', 's', '--json']);
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      passed: 1,
      failed: 0,
      total: 1,
      all_passed: true,
      suite_kind: 'regression',
      exit_code: 0,
    });
    expect(report['cases']).toMatchObject([
      {
        name: 'a',
        source: 'a.json',
        passed: true,
        error: null,
        score: 1,
        mode: 'replay',
        provider_ref: 'scripted',
      },
    ]);
  });

  it('is one JSON document also when the suite cannot be loaded', async () => {
    const { root } = make({ 's/a.json': '{' });
    const ended = await assay(root, ['run', 's', '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'error', error: { code: 'SUITE_INVALID' } });
  });

  it('writes the result to a file with --out and leaves stdout empty', async () => {
    const { root } = make({ 's/a.json': echoFixture('a') });
    const ended = await assay(root, ['run', 's', '--format', 'junit', '--out', 'out/r.xml']);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(root, 'out/r.xml'), 'utf8')).toMatch(/^<\?xml[\s\S]*tests="1"/);
    expect(readdirSync(join(root, 'out'))).toEqual(['r.xml']);
  });

  it('runs the suite that comes with Assay where the project has none, and says so', async () => {
    const { root } = make({});
    const ended = await assay(root, ['run', '--no-store']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('running the suite that comes with Assay');
    expect(ended.stdout).toMatch(/(\d+)\/\1 cases passed ✓/);
  });

  it('does not fall back to the bundled suite when the configuration names a directory', async () => {
    const { root } = make({ 'assay.config.yaml': 'eval: { suite_dir: evals/mine }\n' });
    const ended = await assay(root, ['run']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('suite not found: evals/mine');
  });

  it('refuses what never passes: a missing suite, an empty one, a filter that selects nothing', async () => {
    const { root } = make({ 's/a.json': echoFixture('a'), 'empty/readme.txt': 'x' });
    const missing = await assay(root, ['run', './nowhere']);
    const empty = await assay(root, ['run', 'empty']);
    const filtered = await assay(root, ['run', 's', '--filter', 'zzz*']);
    const misspelt = await assay(root, ['run', 's', '--case', 'A']);
    const tagless = await assay(root, ['run', 's', '--tag', 'x']);
    expect([missing, empty, filtered, misspelt, tagless].map((ended) => ended.code)).toEqual([1, 1, 1, 1, 1]);
    expect(missing.stderr).toContain('suite not found');
    expect(empty.stderr).toContain('an empty suite never passes');
    expect(filtered.stderr).toContain('a run of nothing never passes');
    expect(misspelt.stderr).toContain('did you mean "a"?');
  });

  it('selects cases by glob, id and tag, and counts only those', async () => {
    const { root } = make({
      's/a.json': echoFixture('alpha-1', { tags: ['quick'] }),
      's/b.json': echoFixture('alpha-2'),
      's/c.json': failingFixture('omega'),
    });
    const byGlob = await assay(root, ['run', 's', '--filter', 'alpha-?']);
    const byId = await assay(root, ['run', 's', '--case', 'alpha-2']);
    const byTag = await assay(root, ['run', 's', '--tag', 'quick']);
    expect(byGlob).toMatchObject({ code: 0 });
    expect(byGlob.stdout).toContain('2/2 cases passed');
    expect(byId.stdout).toContain('1/1 cases passed');
    expect(byTag.stdout).toContain('alpha-1');
    expect(byTag.stdout).not.toContain('alpha-2');
  });

  it('stops at the first failure with --bail and does not pass', async () => {
    const { root } = make({ 's/a.json': failingFixture('a'), 's/b.json': echoFixture('b') });
    const ended = await assay(root, ['run', 's', '--bail', '--json']);
    expect(ended.code).toBe(1);
    const report = JSON.parse(ended.stdout) as { cases: { name: string }[]; not_run: number };
    expect(report.cases.map((entry) => entry.name)).toEqual(['a']);
    expect(report.not_run).toBe(1);
  });

  it('ends at once with a clear message in live mode without a provider', async () => {
    const { root } = make({ 's/a.json': echoFixture('a') });
    const ended = await assay(root, ['run', 's', '--mode', 'live']);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(/live/);
  });

  it('verifies determinism by running every case twice', async () => {
    const { root } = make({ 's/a.json': echoFixture('a') });
    const twice = await assay(root, ['run', 's', '--verify-determinism']);
    expect(twice).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/determinism: 1 trial run twice, with the same/),
    });
  });

  it('refuses a case that an idle agent passes, before anything runs, and names its checks', async () => {
    const { root } = make({
      's/a.json': echoFixture('a'),
      's/b.json': echoFixture('b', { expects: { max_tool_calls: 5, response_not_contains: ['error'] } }),
    });
    const ended = await assay(root, ['run', 's']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('s/b.json');
    expect(ended.stderr).toContain('response_not_contains("error"), max_tool_calls(5)');
    expect(existsSync(join(root, '.assay'))).toBe(false);
    const proven = await assay(root, ['suite', 'prove', 's']);
    expect(proven.code).toBe(1);
    expect(proven.stdout).toContain('b');
  });

  it('does not gate a capability suite on failures, but on errors', async () => {
    const { root } = make({
      'capability/a.json': failingFixture('a'),
      'broken/capability/a.json': echoFixture('a', { turns: [{ user_input: 'x', steps: [] }] }),
    });
    const failing = await assay(root, ['run', 'capability']);
    expect(failing.stdout).toContain('(1 failed)');
    expect(failing.code).toBe(0);
    expect(await assay(root, ['run', 'broken/capability'])).toMatchObject({ code: 1 });
    expect(await assay(root, ['run', 'capability', '--suite-kind', 'regression'])).toMatchObject({ code: 1 });
  });

  it('reports every suite of several in one document and takes the worst exit code', async () => {
    const { root } = make({ 's/a.json': echoFixture('a'), 't/b.json': failingFixture('b') });
    const ended = await assay(root, ['run', 's', 't', '--json']);
    expect(ended.code).toBe(1);
    const report = JSON.parse(ended.stdout) as { schema: string; outcome: string; suites: unknown[] };
    expect(report).toMatchObject({ schema: 'assay/run/v1', outcome: 'failed' });
    expect(report.suites).toHaveLength(2);
  });

  it('keeps the transcript of every case and shows it', async () => {
    const { root } = make({ 's/a.json': failingFixture('a') });
    await assay(root, ['run', 's']);
    const shown = await assay(root, ['show', 'latest', 'a']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('Echo alpha.');
    expect(shown.stdout).toContain('Echoed: alpha');
    const listed = await assay(root, ['list', 'runs']);
    expect(listed.stdout).toContain('failed');
  });
});

describe('the command line itself', () => {
  it('exits 2 for what it does not understand, and suggests', async () => {
    const { root } = make({});
    const option = await assay(root, ['run', '--formt', 'json']);
    const command = await assay(root, ['rn']);
    const value = await assay(root, ['run', '--concurrency', '0']);
    const choice = await assay(root, ['run', '--format', 'xml']);
    expect([option, command, value, choice].map((ended) => ended.code)).toEqual([2, 2, 2, 2]);
    expect(option.stderr).toContain('--format');
    expect(command.stderr).toContain('run');
    expect(value.stderr).toContain('1 or more');
  });

  it('shows no stack unless asked', async () => {
    const { root } = make({});
    const plain = await assay(root, ['run', './nowhere']);
    const debug = await assay(root, ['run', './nowhere', '--debug']);
    expect(plain.stderr).not.toContain('    at ');
    expect(debug.stderr).toContain('    at ');
  });

  it('never lets a case name reach the terminal as an escape sequence', async () => {
    const { root } = make({
      's/a.json': echoFixture('a\u001b[31mred', { expects: { response_contains: ['\u001b]0;x\u0007'] } }),
    });
    const ended = await assay(root, ['run', 's']);
    expect(ended.stdout).not.toContain('\u001b');
    expect(ended.stdout).toContain('\\u{1b}[31mred');
  });

  it('ends quietly when its reader goes away', async () => {
    const { root } = make({});
    const code = await new Promise((done) => {
      const child = spawn('sh', ['-c', '"$0" "$1" explain | head -n 1; exit 0', process.execPath, CLI], {
        cwd: root,
      });
      let noise = '';
      child.stderr.on('data', (text) => (noise += String(text)));
      child.on('close', () => done(noise));
    });
    expect(code).toBe('');
  });

  it('prints JSON Schemas that name the keys people write', async () => {
    const { root } = make({});
    for (const kind of ['trace', 'suite', 'config']) {
      const { code, stdout } = await assay(root, ['schema', kind]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
      });
    }
  });

  it('explains a check by its assertion name and by its fixture name', async () => {
    const { root } = make({});
    expect((await assay(root, ['explain', 'contains'])).stdout).toContain('contains');
    expect((await assay(root, ['explain', 'response_matches'])).stdout).toContain('response_matches');
    expect((await assay(root, ['explain', 'not-contains'])).stdout).toMatch(/^contains passes when /);
    expect(JSON.parse((await assay(root, ['explain', 'contains', '--json'])).stdout)).toMatchObject({
      name: 'contains',
      check: 'contains',
    });
    const unknown = await assay(root, ['explain', 'contain']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('did you mean contains?');
  });

  it('names the checks in a key of expects that is no check itself', async () => {
    const { root } = make({});
    const budget = await assay(root, ['explain', 'budget']);
    expect(budget).toMatchObject({ code: 1, stdout: '' });
    expect(budget.stderr).toContain('max_duration_ms');
    expect(budget.stderr).not.toContain('file_exists');
  });

  it('writes a first project in which every suite that it lists loads', async () => {
    const { root } = make({});
    const { stdout: written } = await assay(root, ['init']);
    expect(written).toContain('evals/ci/github-actions.yml');
    const listed = await assay(root, ['list', 'suites']);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain('evals/regression');
    expect(listed.stdout).not.toContain('does not load');
    expect(listed.stdout).not.toContain('github-actions');
  });

  it('writes a first project that passes, and refuses to overwrite it', async () => {
    const { root } = make({});
    expect(await assay(root, ['init'])).toMatchObject({ code: 0 });
    expect(await assay(root, ['run'])).toMatchObject({ code: 0 });
    const again = await assay(root, ['init']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('assay.config.yaml');
  });

  it('names every problem of the configuration with its place', async () => {
    const { root } = make({
      'assay.config.yaml': 'eval:\n  suite_dirs: x\n  mode: reply\n  case_timeout_secs: 0\n',
    });
    const ended = await assay(root, ['run']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      'assay.config.yaml:2:3 eval.suite_dirs: unknown key; did you mean suite_dir?',
    );
    expect(ended.stderr).toContain('assay.config.yaml:3:');
    expect(ended.stderr).toContain('assay.config.yaml:4:');
  });

  it('reads the configuration as JSON and TOML too, and flags win over it', async () => {
    const { root, write } = make({ 's/a.json': echoFixture('a'), 't/b.json': failingFixture('b') });
    write('assay.config.json', { eval: { suite_dir: 't' } });
    expect((await assay(root, ['run'])).code).toBe(1);
    expect((await assay(root, ['run', '--suite', 's'])).code).toBe(0);
    write('other.toml', '[eval]\nsuite_dir = "s"\n');
    expect((await assay(root, ['run', '--config', 'other.toml'])).code).toBe(0);
  });
});
