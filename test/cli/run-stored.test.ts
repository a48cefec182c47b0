import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assay, type Ended, type Project } from './run-cli.js';
import { calls, runJson, suiteProject, yesCases } from './suite-project.js';

type Json = Record<string, unknown>;

function readJson(path: string): Json {
  const value: Json = JSON.parse(readFileSync(path, 'utf8'));
  return value;
}

/** The directories of the stored runs of the suite, oldest first. */
function runs({ root }: Project): string[] {
  const suite = join(root, '.assay/runs/s');
  return readdirSync(suite, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(suite, entry.name))
    .toSorted();
}

/** Stored lines about trials: `case trial status`. */
function journal(directory: string): string[] {
  return readFileSync(join(directory, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line))
    .filter((line) => line['type'] === 'trial')
    .map((line) => `${String(line['case'])} ${String(line['trial'])} ${String(line['status'])}`);
}

/**
 * Runs until the agent was called for every trial that can start, then sends a signal; the waiting answers come once
 * the command line has noticed.
 */
function interrupted(
  made: Project,
  words: readonly string[],
  signals: readonly NodeJS.Signals[],
  started: string,
): Promise<Ended> {
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  let sent = 0;
  const next = (): void => {
    const signal = signals[sent];
    sent += 1;
    if (signal !== undefined) kill(signal);
    else writeFileSync(join(made.root, 'go'), '');
  };
  const waiting = setInterval(() => {
    if (!existsSync(join(made.root, 'calls.log'))) return;
    if (!readFileSync(join(made.root, 'calls.log'), 'utf8').includes(started)) return;
    clearInterval(waiting);
    next();
  }, 5);
  return assay(made.root, ['run', '-s', 'evals/s.yaml', ...words], {
    onStart: (_, send) => {
      kill = send;
    },
    onStderr: (text) => {
      if (text.includes('stopping:')) next();
    },
  });
}

describe('a stored run', () => {
  it('has run.json and latest.json with every key of the reference, and what the reference leaves out', async () => {
    const made = suiteProject(`trials: 2\n${yesCases(['a', 'b'])}`, { a: ['yes', 'no'], b: 'yes' });
    await runJson(made);
    const [directory = ''] = runs(made);
    expect(readdirSync(directory).toSorted()).toEqual(['journal.jsonl', 'run.json']);
    const result = readJson(join(directory, 'run.json'));
    const reference = {
      suite: 's',
      type: 'regression',
      passed: true,
      score: 0.75,
      pass_to_k: 0.5,
      pass_at_k: 1,
      summary: 'pass^k 50%, mean 75.0%, 2 trials',
      cases: [
        { id: 'a', mean_score: 0.5, pass_to_k: 0, pass_at_k: 1 },
        { id: 'b', mean_score: 1, pass_to_k: 1, pass_at_k: 1 },
      ],
    };
    expect(result).toMatchObject({
      ...reference,
      threshold: 0.75,
      trials: 2,
      gate: 'mean',
      outcome: 'passed',
      settings: { agentLevel: 'medium', judgeLevel: 'high', trials: null },
      detail: [
        {
          id: 'a',
          mean_score: 0.5,
          pass_at_k: 1,
          pass_to_k: 0,
          trials: [
            {
              score: 1,
              passed: true,
              output: 'yes',
              asserts: [
                { type: 'contains', passed: true, score: 1, weight: 1, reason: expect.stringMatching(/./) },
              ],
            },
            { score: 0, passed: false, output: 'no' },
          ],
        },
        { id: 'b' },
      ],
    });
    for (const key of [
      'run_id',
      'seed',
      'started_at',
      'finished_at',
      'duration_ms',
      'assay_version',
      'git',
    ]) {
      expect(result).toHaveProperty(key);
    }
    const latest = readJson(join(made.root, '.assay/runs/s/latest.json'));
    expect(latest).toMatchObject({ ...reference, ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    expect(latest).not.toHaveProperty('detail');
  });

  it('is shown by case and trial, and listed', async () => {
    const made = suiteProject(`trials: 2\n${yesCases(['a', 'b'])}`, { a: ['yes', 'never'], b: 'yes' });
    const { report } = await runJson(made);
    const id = String(report.run['run_id']);
    const overview = await assay(made.root, ['show']);
    expect(overview.stdout).toContain(`run ${id} of s`);
    expect(overview.stdout).toContain('a: passed, failed');
    const trial = await assay(made.root, ['show', id, 'a', '--trial', '2']);
    expect(trial.stdout).toContain('never');
    expect(trial.stdout).toContain('p-a');
    expect(trial.stdout).not.toContain('p-b');
    const missing = await assay(made.root, ['show', id, 'c']);
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    const listed = await assay(made.root, ['list']);
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).toMatch(/^.*\bs\b.*2 cases/m);
  });

  it('is not disturbed by another run of the same suite at the same time', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const made = suiteProject(
      `trials: 1\n${yesCases(ids)}`,
      Object.fromEntries(ids.map((id) => [id, 'yes'])),
    );
    const [one, two] = await Promise.all([runJson(made), runJson(made)]);
    expect([one.report.outcome, two.report.outcome]).toEqual(['passed', 'passed']);
    const directories = runs(made);
    expect(directories).toHaveLength(2);
    for (const directory of directories) {
      expect(new Set(journal(directory)).size).toBe(30);
      expect(readJson(join(directory, 'run.json'))['totals']).toMatchObject({ cases: 30, passed: 30 });
    }
  });

  it('is graded again with the assertions of today, and no agent is called', async () => {
    const made = suiteProject(`trials: 2\n${yesCases(['a', 'b'])}`, { a: ['yes', 'oh no'], b: 'yes' });
    const { report } = await runJson(made);
    expect(report.totals).toMatchObject({ passed: 1, failed: 1 });
    const before = calls(made);
    made.write(
      'evals/s.yaml',
      `agent: { module: ../agent.mjs }\ntrials: 9\ncases:
  - { id: a, prompt: p-a, assert: [{ type: contains-any, value: [yes, oh] }] }
  - { id: b, prompt: p-b, assert: [{ type: contains, value: nowhere }] }
`,
    );
    const graded = await assay(made.root, ['grade', 'latest', '--json']);
    const regraded: Json = JSON.parse(graded.stdout);
    expect(graded.code).toBe(1);
    expect(regraded['cases']).toMatchObject([
      { id: 'a', outcome: 'passed', n: 2, c: 2 },
      { id: 'b', outcome: 'failed', n: 2, c: 0 },
    ]);
    expect(calls(made)).toEqual(before);
    expect(runs(made)).toHaveLength(1);
  });
});

describe('a run that is interrupted', () => {
  const suite = `trials: 1\n${yesCases(['a', 'b', 'c', 'd'])}`;
  const waiting = { a: 'wait:go:yes', b: 'wait:go:yes', c: 'wait:go:yes', d: 'wait:go:yes' };

  it('by one Ctrl-C finishes what runs, starts nothing, ends with 130 and says how to go on', async () => {
    const made = suiteProject(suite, waiting);
    const ended = await interrupted(made, ['--concurrency', '2', '--seed', '1'], ['SIGINT'], '1\n');
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(/go on with: assay run --resume run_\w+/);
    const [directory = ''] = runs(made);
    const done = journal(directory);
    expect(done.length).toBe(calls(made).length);
    expect(done.length).toBeLessThan(4);
    expect(existsSync(join(directory, 'run.json'))).toBe(false);

    const graded = await assay(made.root, ['grade', '--json']);
    expect(graded.code).toBe(1);
    const regraded: unknown = JSON.parse(graded.stdout);
    expect(regraded).toMatchObject({
      passed: false,
      totals: { cases: 4, passed: done.length, errored: 4 - done.length },
    });

    const resumed = await assay(made.root, ['run', '--resume']);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`resuming: ${done.length} finished trial`);
    expect(resumed.stderr).toMatch(/ {2}a: (unchanged|not finished)/);
    expect(calls(made)).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
    expect(journal(directory).toSorted()).toEqual(['a 1 passed', 'b 1 passed', 'c 1 passed', 'd 1 passed']);
    expect(readJson(join(directory, 'run.json'))['totals']).toMatchObject({ cases: 4, passed: 4 });
    expect(runs(made)).toHaveLength(1);
  });

  it('by SIGTERM ends with 143', async () => {
    const made = suiteProject(suite, waiting);
    const ended = await interrupted(made, ['--concurrency', '1'], ['SIGTERM'], '1\n');
    expect(ended.code).toBe(143);
    expect(journal(runs(made)[0] ?? '')).toHaveLength(1);
  });

  it('by a second Ctrl-C ends at once and can still be resumed', async () => {
    const made = suiteProject(suite, waiting);
    const ended = await interrupted(made, ['--concurrency', '2'], ['SIGINT', 'SIGINT'], '1\n');
    expect(ended.code).toBe(130);
    expect(existsSync(join(made.root, 'go'))).toBe(false);
    made.write('go', '');
    const resumed = await assay(made.root, ['run', '--resume']);
    expect(resumed.code).toBe(0);
    const [directory = ''] = runs(made);
    expect(journal(directory).toSorted()).toEqual(['a 1 passed', 'b 1 passed', 'c 1 passed', 'd 1 passed']);
  });
});

describe('assay run --resume', () => {
  it('says for every case why, and never mixes an edited case with its old trials', async () => {
    const made = suiteProject(`trials: 2\n${yesCases(['same', 'edited', 'flaky', 'gone'])}`, {
      same: 'yes',
      edited: 'yes',
      flaky: ['yes', 'throw:down'],
      gone: 'yes',
      new: 'yes',
    });
    expect((await runJson(made)).report.outcome).toBe('error');
    made.write('answers.json', { same: 'no', edited: 'no', flaky: 'yes', gone: 'yes', new: 'yes' });
    made.write(
      'evals/s.yaml',
      `agent: { module: ../agent.mjs }\ntrials: 2\n${yesCases(['same', 'flaky', 'new'])}` +
        '  - { id: edited, prompt: another, assert: [{ type: contains, value: yes }] }\n',
    );
    const before = calls(made).length;
    const { report, ended } = await runJson(made, ['--resume', '--seed', '3']);
    for (const line of [
      'same: unchanged; reuses 2 trials',
      'flaky: errored; reuses 1 trial, runs 1 trial',
      'new: new; runs 2 trials',
      'edited: content changed; runs 2 trials',
      'gone: removed from suite',
    ]) {
      expect(ended.stderr).toContain(`  ${line}`);
    }
    expect(calls(made)).toHaveLength(before + 5);
    // Only the edited case saw the answers of today: its old trials, which passed, are in no figure.
    expect(report.cases).toMatchObject([
      { id: 'same', n: 2, c: 2 },
      { id: 'flaky', n: 2, c: 2 },
      { id: 'new', n: 2, c: 2 },
      { id: 'edited', n: 2, c: 0 },
    ]);
    expect(report.totals).toMatchObject({ cases: 4, trials: 8 });
    expect(report.run).toMatchObject({ reused_trials: 3 });
  });

  it('keeps the numbers of trials that cases have of their own', async () => {
    const made = suiteProject(
      'trials: 1\ncases:\n  - { id: a, trials: 3, prompt: p, assert: [{ type: contains, value: yes }] }\n',
      { a: ['yes', 'throw:down', 'yes'] },
    );
    await runJson(made);
    made.write('answers.json', { a: 'yes' });
    const resumed = await assay(made.root, ['run', '--resume', '--json']);
    const report: Json = JSON.parse(resumed.stdout);
    expect(report['cases']).toMatchObject([{ n: 3, c: 3, k: 3 }]);
    expect(calls(made)).toHaveLength(4);
  });

  it('without a run to go on with, or without a store, says so', async () => {
    const made = suiteProject(`trials: 1\n${yesCases(['a'])}`, { a: 'yes' });
    const none = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--resume']);
    expect([none.code, none.stdout]).toEqual([1, '']);
    const storeless = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--resume', '--no-store']);
    expect(storeless.code).toBe(2);
  });
});
