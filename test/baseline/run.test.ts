import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { assay, echoFixture, failingFixture, project, type Project } from '../cli/run-cli.js';

let current: Project | null = null;
function make(files: Record<string, unknown>): Project {
  current = project(files);
  return current;
}
afterEach(() => current?.remove());

const MIXED = { 's/a.json': echoFixture('a'), 's/b.json': failingFixture('b') };

/** A file of a project as JSON. */
function json(root: string, path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
}

describe('assay run --write-baseline and --baseline', () => {
  it('write with the code of the run, then gate only on what got worse', async () => {
    const { root, write } = make(MIXED);
    const written = await assay(root, ['run', 's', '--write-baseline', 'base/s.json']);
    expect(written.code).toBe(1);
    expect(written.stderr).toContain('wrote the baseline base/s.json');
    expect(await assay(root, ['run', 's', '--baseline', 'base/s.json'])).toMatchObject({ code: 0 });
    write('s/a.json', echoFixture('a', { turns: [{ user_input: 'x', steps: [] }] }));
    const errored = await assay(root, ['run', 's', '--baseline', 'base/s.json']);
    expect(errored.code).toBe(1);
    expect(errored.stdout).toContain('1 case could not be scored');
  });

  it('list an edited fixture, a new failing case and an empty baseline, and gate unless told otherwise', async () => {
    const { root, write } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'b.json', '-q']);
    write('s/a.json', echoFixture('a', { tags: ['x'], expects: { response_contains: ['alpha'] } }));
    write('s/c.json', failingFixture('c'));
    const strict = await assay(root, ['run', 's', '--baseline', 'b.json']);
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('a: differs in case_hash');
    expect(strict.stdout).toContain('1 case new and failing (--allow-new-failures lets them pass)');
    const allow = ['--allow-unverifiable', '--allow-new-failures'];
    const ended = await Promise.all(
      [allow.slice(0, 1), allow.slice(1), allow].map((flags) =>
        assay(root, ['run', 's', '--baseline', 'b.json', ...flags]),
      ),
    );
    expect(ended.map((one) => one.code)).toEqual([1, 1, 0]);
    write('empty.json', { schema: 'assay/baseline/v1', suite: 's', entries: [] });
    const empty = await assay(root, ['run', 's', '--case', 'a', '--baseline', 'empty.json']);
    expect(empty.code).toBe(1);
    expect(empty.stdout).toContain('the baseline is empty');
  });

  it('refuse a run that did not finish every case, and leave the old baseline', async () => {
    const { root, write } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'b.json']);
    const before = readFileSync(join(root, 'b.json'), 'utf8');
    write('s/a.json', echoFixture('a', { turns: [{ user_input: 'x', steps: [] }] }));
    const refused = await assay(root, ['run', 's', '--write-baseline', 'b.json']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('1 case could not be scored in full: "a"');
    expect(readFileSync(join(root, 'b.json'), 'utf8')).toBe(before);
    const bailed = await assay(root, ['run', 's', '--write-baseline', 'b.json', '--bail', '--filter', '*']);
    expect(bailed.code).toBe(2);
  });

  it('are errors of the command line when they do not fit together, and nothing is made', async () => {
    const { root } = make({ ...MIXED, 't/a.json': echoFixture('a') });
    const wrong = [
      ['s', '--baseline', 'b.json', '--write-baseline', 'c.json'],
      ['s', '--allow-unverifiable'],
      ['s', '--write-baseline', 'c.json', '--stop', 'gate'],
      ['s', '--write-baseline', 'c.json', '--allow-new-failures'],
      ['s', 't', '--write-baseline', 'c.json'],
      ['s', 't', '--baseline', 'c.json'],
      ['s', '--write-baseline', 'c.json', '--filter', 'a*'],
      ['s', '--dump-records', ''],
      ['s', '--suite-kind', 'other'],
    ];
    const ended = await Promise.all(wrong.map((words) => assay(root, ['run', ...words])));
    wrong.forEach((words, index) =>
      expect(ended[index], words.join(' ')).toMatchObject({ code: 2, stdout: '' }),
    );
    expect(readdirSync(root).toSorted()).toEqual(['s', 't']);
  });

  it('read the baseline before anything runs', async () => {
    const { root, write } = make(MIXED);
    write('b.json', { schema: 'assay/baseline/v9', entries: [] });
    const ended = await assay(root, ['run', 's', '--baseline', 'b.json', '--dump-records', 'd']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('b.json:2:');
    expect(ended.stderr).toContain('regenerate');
    expect(existsSync(join(root, '.assay'))).toBe(false);
    expect(existsSync(join(root, 'd'))).toBe(false);
  });

  it('say in one JSON document that the baseline is not valid', async () => {
    const { root, write } = make(MIXED);
    write('b.json', '{');
    const ended = await assay(root, ['run', 's', '--baseline', 'b.json', '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'error', error: { code: 'INPUT' } });
  });

  it('do not call a case removed that was not selected', async () => {
    const { root } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'b.json']);
    const ended = await assay(root, ['run', 's', '--baseline', 'b.json', '--case', 'a', '--json']);
    const { baseline } = JSON.parse(ended.stdout) as {
      baseline: { removed: string[]; not_compared: number };
    };
    expect(ended.code).toBe(0);
    expect(baseline).toMatchObject({ removed: [], not_compared: 1 });
  });

  it('give the same bytes in two replays', async () => {
    const { root } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'b.json']);
    for (const format of ['table', 'json', 'junit', 'markdown']) {
      const words = ['run', 's', '--no-store', '--baseline', 'b.json', '--format', format];
      const [first, second] = await Promise.all([assay(root, words), assay(root, words)]);
      expect(first.stdout.length, format).toBeGreaterThan(0);
      expect(second.stdout, format).toBe(first.stdout);
    }
  });
});

describe('assay run --dump-records', () => {
  it('writes one private file a case, and a second run overwrites none', async () => {
    const { root } = make(MIXED);
    await assay(root, ['run', 's', '--dump-records', 'deep/dumps']);
    await assay(root, ['run', 's', '--dump-records', 'deep/dumps']);
    const folder = join(root, 'deep/dumps');
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'a_1.json', 'b.json', 'b_1.json']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600);
    expect(json(root, 'deep/dumps/a.json')).toMatchObject({
      case_id: 'a',
      record: { final_response: 'Echoed: alpha', tools_called: ['echo'], all_tools_succeeded: true },
    });
  });

  it('is refused through a link, before anything runs', async () => {
    const { root } = make(MIXED);
    symlinkSync(join(root, 's'), join(root, 'link'));
    const ended = await assay(root, ['run', 's', '--dump-records', 'link']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('symbolic link');
    expect(ended.stderr).toContain('--dump-records');
    expect(existsSync(join(root, '.assay'))).toBe(false);
    expect(readdirSync(join(root, 's')).toSorted()).toEqual(['a.json', 'b.json']);
  });
});

describe('history', () => {
  it('is written where the configuration says, and shown as a trend', async () => {
    const { root, write } = make({
      ...MIXED,
      'assay.config.yaml': 'eval: { suite_dir: s, history_dir: past }\n',
    });
    await assay(root, ['run']);
    write('s/b.json', echoFixture('b'));
    await assay(root, ['run', '--no-store']);
    expect(readdirSync(join(root, 'past/s'))).toHaveLength(2);
    const shown = await assay(root, ['history', 's']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('s: 2 runs');
    expect(shown.stdout.trimEnd().split('\n').at(-1)).toBe('▄█');
    const { suites } = JSON.parse((await assay(root, ['history', '--json', '--last', '1'])).stdout) as {
      suites: { suite: string; runs: Record<string, unknown>[] }[];
    };
    expect(suites).toMatchObject([{ suite: 's', runs: [{ passed: 2, scored: 2, pass_rate: 1 }] }]);
  });

  it('is switched off by an empty directory, and shows stored runs without one', async () => {
    const { root } = make({ ...MIXED, 'assay.config.yaml': 'eval: { history_dir: past }\n' });
    await assay(root, ['run', 's', '--history-dir', '']);
    expect(existsSync(join(root, 'past'))).toBe(false);
    expect((await assay(root, ['history', 's'])).stdout).toContain('s: 1 run,');
  });

  it('that cannot be written changes nothing but a note without a path', async () => {
    const { root, write } = make({ 's/a.json': echoFixture('a') });
    write('plain', 'a file');
    const ended = await assay(root, ['run', 's', '--history-dir', 'plain']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toBe('the history of this run could not be written\n');
    expect(readFileSync(join(root, 'plain'), 'utf8')).toBe('a file');
  });

  it('of an unknown suite, or before the first run, is an error', async () => {
    const { root } = make(MIXED);
    expect((await assay(root, ['history'])).stderr).toContain('there is no history yet');
    await assay(root, ['run', 'evals', '--no-store']);
    await assay(root, ['run', 's']);
    const misspelt = await assay(root, ['history', 'S']);
    expect(misspelt.code).toBe(1);
    expect(misspelt.stderr).toContain('Did you mean "s"?');
  });

  it('shows the other runs when one file is damaged', async () => {
    const { root } = make(MIXED);
    await assay(root, ['run', 's', '--no-store', '--history-dir', 'past']);
    writeFileSync(join(root, 'past/s/bad.json'), '{');
    const ended = await assay(root, ['history', '--history-dir', 'past']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('past/s/bad.json');
    expect(ended.stdout).toContain('s: 1 run,');
  });
});

describe('assay baseline', () => {
  it('shows what a baseline knows, with n and interval', async () => {
    const { root } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'b.json']);
    const shown = await assay(root, ['baseline', 'show', 'b.json']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('b.json: 1 of 2 cases passed, 50.0% [9.5%, 90.5%] (95 %)');
    expect(shown.stdout).toMatch(/^b +fail +0\/1 +0\/1 /m);
  });

  it('prints what changed from one to another', async () => {
    const { root, write } = make(MIXED);
    await assay(root, ['run', 's', '--write-baseline', 'old.json']);
    write('s/b.json', echoFixture('b'));
    write('s/c.json', echoFixture('c'));
    await assay(root, ['run', 's', '--write-baseline', 'new.json']);
    const shown = await assay(root, ['baseline', 'diff', 'old.json', 'new.json']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('b: differs in case_hash');
    const { cases } = JSON.parse(
      (await assay(root, ['baseline', 'diff', 'old.json', 'new.json', '--json'])).stdout,
    ) as {
      cases: { case_id: string; classification: string }[];
    };
    expect(cases.map((one) => [one.case_id, one.classification])).toEqual([
      ['a', 'unchanged'],
      ['b', 'unverifiable'],
      ['c', 'new'],
    ]);
  });

  it('refuses a file that is none', async () => {
    const { root, write } = make({});
    write('b.json', { schema: 'assay/baseline/v1', suite: 's', entries: [{}] });
    const ended = await assay(root, ['baseline', 'show', 'b.json']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('b.json:');
    expect(ended.stderr).toContain('entries[0].case_id: missing');
  });
});
