import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { assay, echoFixture, failingFixture, project, type Project } from '../cli/run-cli.js';

let current: Project | null = null;
function make(files: Record<string, unknown>): Project {
  current = project(files);
  return current;
}
afterEach(() => current?.remove());

/** A file of a project as JSON. */
function json(root: string, path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
}

/** A module agent that answers `bad` the first `n` times it is asked after `count` was reset, then `good`. */
const FLAKY = `
import { readFileSync, writeFileSync } from 'node:fs';
const file = new URL('./calls.txt', import.meta.url);
const bad = new URL('./bad.txt', import.meta.url);
export default async function agent() {
  const calls = Number(readFileSync(file, 'utf8')) + 1;
  writeFileSync(file, String(calls));
  return readFileSync(bad, 'utf8').split(',').includes(String(calls)) ? 'bad' : 'good';
}
`;

const LIVE = {
  'agent.mjs': FLAKY,
  'calls.txt': '0',
  'bad.txt': '',
  'live.yaml':
    'name: live\ncases:\n  - id: one\n    prompt: say good\n    agent: { module: ./agent.mjs }\n    assert:\n      - { type: contains, value: good }\n',
};

describe('a regressed case of a live run', () => {
  async function afterBaseline(bad: string, flags: string[]): Promise<{ root: string; words: string[] }> {
    const { root, write } = make(LIVE);
    const common = ['run', 'live.yaml', '--concurrency', '1', ...flags];
    const written = await assay(root, [...common, '--write-baseline', 'b.json']);
    expect(written, written.stdout + written.stderr).toMatchObject({ code: 0 });
    write('calls.txt', '0');
    write('bad.txt', bad);
    return { root, words: [...common, '--baseline', 'b.json', '--json'] };
  }
  const baselineIn = (stdout: string): { flaky_unconfirmed: string[]; confirmed_regressions: string[] } =>
    (JSON.parse(stdout) as { baseline: { flaky_unconfirmed: string[]; confirmed_regressions: string[] } })
      .baseline;

  it('is run once more, and does not gate when it passes', async () => {
    const { root, words } = await afterBaseline('1', ['-t', '1']);
    const ended = await assay(root, words);
    expect(ended.code).toBe(0);
    expect(baselineIn(ended.stdout)).toMatchObject({ flaky_unconfirmed: ['one'], confirmed_regressions: [] });
    expect(ended.stderr).toContain('running 1 regressed case once more');
    expect(readFileSync(join(root, 'calls.txt'), 'utf8')).toBe('2');
    // The second run is stored, and is not taken for the newest run.
    expect(readdirSync(join(root, '.assay/retries/runs/live')).some((name) => name.startsWith('run_'))).toBe(
      true,
    );
    expect((await assay(root, ['show', 'latest'])).stdout).toContain('one: failed');
  });

  it('gates when it fails again', async () => {
    const { root, words } = await afterBaseline('1,2', ['-t', '1']);
    const ended = await assay(root, words);
    expect(ended.code).toBe(1);
    expect(baselineIn(ended.stdout)).toMatchObject({ flaky_unconfirmed: [], confirmed_regressions: ['one'] });
  });

  it('is run under its own number of trials: 4 of 5 excuse nothing', async () => {
    const { root, words } = await afterBaseline('1,7', ['-t', '5']);
    const ended = await assay(root, words);
    expect(ended.code).toBe(1);
    expect(readFileSync(join(root, 'calls.txt'), 'utf8')).toBe('10');
    expect(baselineIn(ended.stdout).confirmed_regressions).toEqual(['one']);
  });

  it('is excused by 5 of 5, and JUnit skips it', async () => {
    const { root, words } = await afterBaseline('1', ['-t', '5']);
    const ended = await assay(root, [...words.filter((word) => word !== '--json'), '--format', 'junit']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('failures="0" errors="0" skipped="1"');
    expect(ended.stdout).toContain('<skipped message="flaky');
  });
});

it('a regressed case of a replay is never run again', async () => {
  const { root, write } = make({ 's/a.json': echoFixture('a') });
  await assay(root, ['run', 's', '--write-baseline', 'b.json']);
  const base = json(root, 'b.json') as { entries: Record<string, unknown>[] };
  write('s/a.json', failingFixture('a'));
  // The baseline of the edited fixture, had it passed: the only way a replay can regress is by the harness itself.
  await assay(root, ['run', 's', '--write-baseline', 'edited.json']);
  const edited = json(root, 'edited.json') as { entries: Record<string, unknown>[] };
  const passing = { ...edited.entries[0], verdict: 'pass', checks: [], repeat: { k: 1, passes: 1 } };
  write('b.json', { ...base, entries: [passing] });
  const ended = await assay(root, ['run', 's', '--baseline', 'b.json']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).not.toContain('once more');
  expect(ended.stdout).toContain('1 confirmed regression');
});
