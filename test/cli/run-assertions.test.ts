import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assay } from './run-cli.js';
import { calls, comparable, outputsProject, runJson, suiteProject, yesCases } from './suite-project.js';

const GIVEN = ['--outputs', 'out.jsonl'];
const OUTPUTS = 'agent: prompt\ntrials: 1\n';

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

describe('assay run with answers produced elsewhere', () => {
  it('grades each answer by its id and trial, and asks no agent', async () => {
    const made = suiteProject(
      `${OUTPUTS.replace('1', '2')}gate: pass^k\n${yesCases(['a', 'b'])}`,
      {},
      {
        'out.jsonl': lines([
          { id: 'a', trial: 1, output: 'yes' },
          { id: 'a', trial: 2, output: 'oh yes' },
          { id: 'b', trial: 1, output: 'yes' },
          { id: 'b', trial: 2, output: 'no' },
        ]),
      },
    );
    const { report, ended } = await runJson(made, ['--outputs', 'out.jsonl']);
    expect([ended.code, report.outcome, report.pass_to_k]).toEqual([1, 'failed', 0.5]);
    expect(report.cases).toMatchObject([
      { id: 'a', n: 2, c: 2, pass_to_k: 1, pass_at_k: 1, mean_score: 1 },
      { id: 'b', n: 2, c: 1, pass_to_k: 0, pass_at_k: 1, mean_score: 0.5 },
    ]);
  });

  it('makes an error of a missing answer and of a check on tools, and a failure of an empty answer', async () => {
    const made = suiteProject(
      `${OUTPUTS}cases:
  - { id: absent, prompt: p, assert: [{ type: contains, value: yes }] }
  - { id: empty, prompt: p, assert: [{ type: not-contains, value: no }, { type: contains, value: yes }] }
  - { id: tools, prompt: p, assert: [{ type: not-tool-used, value: rm }, { type: contains, value: yes }] }
`,
      {},
      {
        'out.jsonl': lines([
          { id: 'empty', trial: 1, output: '  ' },
          { id: 'tools', trial: 1, output: 'yes' },
        ]),
      },
    );
    const { report, ended } = await runJson(made, ['--outputs', 'out.jsonl']);
    expect([ended.code, report.passed]).toEqual([1, false]);
    expect(report.cases).toMatchObject([
      { id: 'absent', outcome: 'error', n: 0, mean_score: null, errors: { setup: 1 } },
      { id: 'empty', outcome: 'failed', n: 1, c: 0 },
      { id: 'tools', outcome: 'error', n: 0, errors: { grader: 1 } },
    ]);
  });

  it('refuses a file that is not there before anything is graded', async () => {
    const made = suiteProject(OUTPUTS + yesCases(['a']), {});
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--outputs', 'gone.jsonl']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('gone.jsonl');
  });
});

describe('assay run with cases from a data file', () => {
  const template = (from: string): string =>
    `${OUTPUTS}cases:\n  from: ${from}\n  template:\n    id: "{{id}}"\n    prompt: "{{ask}}"\n    assert: [{ type: contains, value: "{{want}}" }]\n`;
  const rows = [
    { id: 'r1', ask: 'q1', want: 'one' },
    { id: 'r2', ask: 'q2', want: 'two' },
  ];
  it.each([
    ['rows.csv', 'id,ask,want\nr1,q1,one\nr2,q2,two\n'],
    ['rows.jsonl', lines(rows)],
    ['rows.json', rows],
  ])('reads %s', async (name, content) => {
    const made = suiteProject(
      template(name),
      {},
      {
        [`evals/${name}`]: content,
        'out.jsonl': lines([
          { id: 'r1', trial: 1, output: 'one' },
          { id: 'r2', trial: 1, output: 'three' },
        ]),
      },
    );
    const { report } = await runJson(made, ['--outputs', 'out.jsonl']);
    expect(report.cases).toMatchObject([
      { id: 'r1', outcome: 'passed' },
      { id: 'r2', outcome: 'failed' },
    ]);
  });
});

describe('the gate of an assertion suite', () => {
  const answers = { a: 'yes', b: 'yes', c: 'yes', d: ['yes', 'no'] };
  // Mean score (1 + 1 + 1 + 0.5) / 4 = 0.875; pass^2 3 of 4 = 0.75.
  it.each([
    ['mean', 0.87, 'passed', 0],
    ['mean', 0.88, 'failed', 1],
    ['pass^k', 0.75, 'passed', 0],
    ['pass^k', 0.76, 'failed', 1],
    ['all', 0.1, 'failed', 1],
  ])('%s against %d is %s', async (gate, threshold, outcome, code) => {
    const suite = `gate: ${gate}\npass_threshold: ${threshold}\ntrials: 2\n${yesCases(['a', 'b', 'c', 'd'])}`;
    const { report, ended } = await runJson(suiteProject(suite, answers));
    expect([report.outcome, ended.code]).toEqual([outcome, code]);
    expect([report.score, report.pass_to_k]).toEqual([0.875, 0.75]);
  });

  it('does not pass while a trial could not be scored', async () => {
    const suite = `trials: 2\n${yesCases(['a', 'b'])}`;
    const { report, ended } = await runJson(suiteProject(suite, { a: 'yes', b: ['yes', 'throw:down'] }));
    expect([report.outcome, ended.code]).toEqual(['error', 1]);
    expect(report.cases).toMatchObject([{ n: 2 }, { n: 1, c: 1, pass_to_k: null, errors: { agent: 1 } }]);
  });
});

describe('criteria and metrics', () => {
  const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
  const all = Object.fromEntries(ids.map((id) => [id, 'yes']));
  const suite = (threshold: number): string =>
    `trials: 1\ncriteria: [{ metric: pass_rate, threshold: ${threshold} }]\n${yesCases(ids)}`;

  // 20 of 20: the exact one-sided 95 % lower bound is 0.86089166; 19 of 20: upper bound 0.9974.
  it.each([
    [0.86, all, 'pass', 'passed', 0],
    [0.87, all, 'inconclusive', 'inconclusive', 1],
    [0.999, { ...all, c7: 'no' }, 'fail', 'failed', 1],
    [0.99, { ...all, c7: 'no' }, 'inconclusive', 'inconclusive', 1],
  ])(
    'a pass rate of %d is met by its lower bound only',
    async (threshold, answers, verdict, outcome, code) => {
      const { report, ended } = await runJson(outputsProject(suite(threshold), answers), GIVEN);
      expect(report.criteria).toMatchObject([{ metric: 'pass_rate', threshold, units: 20, verdict }]);
      expect([report.outcome, ended.code]).toEqual([outcome, code]);
    },
  );

  it('are in the table, in Markdown, in run.json and in latest.json', async () => {
    const made = outputsProject(suite(0.86), all);
    const table = await assay(made.root, ['run', '-s', 'evals/s.yaml', ...GIVEN]);
    expect(table.stdout).toContain(
      'criterion pass_rate at least 0.86: pass, 1.000, bounds [0.861, 1.000] each one-sided 95 %, over 20 independent units',
    );
    const markdown = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--format', 'markdown', ...GIVEN]);
    expect(markdown.stdout).toMatch(/pass_rate.*at least 0\.86.*\*\*pass\*\*/);
    const latest: unknown = JSON.parse(readFileSync(join(made.root, '.assay/runs/s/latest.json'), 'utf8'));
    expect(latest).toMatchObject({ criteria: [{ metric: 'pass_rate', verdict: 'pass' }] });
  });

  it('a metric is the weighted mean of its assertions', async () => {
    const made = suiteProject(
      `trials: 1
criteria: [{ metric: tone, threshold: 0.99 }]
cases:
  - id: a
    prompt: p
    assert:
      - { type: contains, value: yes, weight: 3, metric: tone }
      - { type: contains, value: please, metric: tone }
      - { type: contains, value: yes, weight: 9 }
  - { id: b, prompt: p, assert: [{ type: contains, value: yes }] }
`,
      { a: 'yes', b: 'yes' },
    );
    const { report } = await runJson(made);
    expect(report.metrics).toMatchObject([{ metric: 'tone', score: 0.75, cases: 1 }]);
    expect(report.cases).toMatchObject([{ metrics: { tone: 0.75 } }, { id: 'b' }]);
    expect(report.cases[1]).not.toHaveProperty('metrics');
    expect(report.criteria).toMatchObject([{ metric: 'tone', units: 1, verdict: 'inconclusive' }]);
  });
});

describe('trials', () => {
  it('-t overrides suite and cases, and results do not depend on concurrency or order', async () => {
    const suite = `trials: 2\n${yesCases(['a', 'b', 'c'])}`;
    const made = suiteProject(suite, { a: ['yes', 'no', 'yes'], b: 'yes', c: ['no', 'no', 'yes'] });
    const one = await runJson(made, ['-t', '3', '--concurrency', '1', '--seed', '1']);
    const many = await runJson(made, ['-t', '3', '--concurrency', '7', '--seed', '99']);
    expect(one.report.cases.map((found) => [found['id'], found['c'], found['n']])).toEqual([
      ['a', 2, 3],
      ['b', 3, 3],
      ['c', 1, 3],
    ]);
    expect(comparable(many.report)).toEqual(comparable(one.report));
    expect([one.report.run['seed'], many.report.run['seed']]).toEqual([1, 99]);
  });

  it('the seed alone decides the order in which they start', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const order = async (seed: string): Promise<string> => {
      const made = suiteProject(
        `trials: 2\n${yesCases(ids)}`,
        Object.fromEntries(ids.map((id) => [id, 'yes'])),
      );
      await runJson(made, ['--seed', seed, '--concurrency', '1']);
      return readFileSync(join(made.root, 'calls.log'), 'utf8');
    };
    const [first, again, other] = [await order('5'), await order('5'), await order('6')];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('--fail-fast starts no case after the first that does not pass', async () => {
    const made = suiteProject(`trials: 1\n${yesCases(['a', 'b', 'c'])}`, { a: 'no', b: 'no', c: 'no' });
    const { report, ended } = await runJson(made, ['--fail-fast', '--concurrency', '1']);
    expect([ended.code, calls(made).length]).toEqual([1, 1]);
    expect(report.totals).toMatchObject({ cases: 3, failed: 1, not_run: 2 });
  });

  it('--curtail comes to the verdict of the full run with fewer calls and an unbiased rate', async () => {
    const suite = `gate: pass^k\ntrials: 5\n${yesCases(['a', 'b'])}`;
    const answers = { a: ['yes', 'yes', 'no', 'no', 'yes'], b: 'yes' };
    const full = await runJson(suiteProject(suite, answers));
    const made = suiteProject(suite, answers);
    const { report } = await runJson(made, ['--curtail', '--concurrency', '8']);
    expect([report.outcome, report.pass_to_k]).toEqual([full.report.outcome, full.report.pass_to_k]);
    expect(calls(made)).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3', 'b 4', 'b 5']);
    // Stopped at the first failure after two passes: passes / (trials - 1).
    expect(report.cases).toMatchObject([
      { id: 'a', curtailed: true, curtailed_rate: 1, n: 3, c: 2 },
      { id: 'b', curtailed: false, curtailed_rate: null, n: 5 },
    ]);
    const table = await assay(made.root, ['run', '-s', 'evals/s.yaml', '--curtail']);
    expect(table.stdout).toContain('stopped early after 3 of 5 trials: the verdict could no longer change');
  });

  it('--curtail stops nothing where the gate needs every score, and says so', async () => {
    const made = suiteProject(`trials: 3\n${yesCases(['a'])}`, { a: ['no', 'yes', 'yes'] });
    const { report, ended } = await runJson(made, ['--curtail']);
    expect(report.cases).toMatchObject([{ n: 3, c: 2, curtailed: false }]);
    expect(ended.stderr).toContain('--curtail stops nothing here, gate mean needs every score');
  });
});

describe('what a suite is told', () => {
  it('a legacy suite gives its named error and nothing runs', async () => {
    const made = suiteProject('tasks:\n  - { id: a }\n  - { id: b }\n', {});
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/legacy v1 format.*2 tasks/is);
  });

  it('warnings are on stderr and stop nothing', async () => {
    const made = suiteProject(
      'trials: 1\nvars: { unused: 1 }\ncases:\n  - { id: a, prompt: p, assert: [{ type: contains, value: yes }] }\n',
      { a: 'yes' },
    );
    const { ended } = await runJson(made);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^warning: evals\/s\.yaml:\d+:\d+ vars\.unused: /m);
    expect((await runJson(made, ['--quiet'])).ended.stderr).toBe('');
  });

  it('files of the project may be named, others may not', async () => {
    const suite = (path: string): string => `agent: { module: ${path} }\ntrials: 1\n${yesCases(['a'])}`;
    const inside = await runJson(suiteProject(suite('../agent.mjs'), { a: 'yes' }));
    expect(inside.ended.code).toBe(0);
    const outside = suiteProject(suite('../../agent.mjs'), { a: 'yes' });
    const ended = await assay(outside.root, ['run', '-s', 'evals/s.yaml']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('keep the file inside that directory');
  });

  it('a suite that hides another of its name says so', async () => {
    const made = suiteProject(
      `trials: 1\n${yesCases(['a'])}`,
      { a: 'yes' },
      {
        'assay.config.yaml': 'eval: { user_suites: mine, project_suites: evals }\n',
      },
    );
    made.write('mine/s.yaml', `agent: { module: ../agent.mjs }\ntrials: 1\n${yesCases(['a'])}`);
    const ended = await assay(made.root, ['run', '-s', 's']);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('suite s is taken from mine/s.yaml; it hides evals/s.yaml');
  });

  it('a case that is expected to fail and passes is reported, and decides nothing', async () => {
    const made = suiteProject(
      `trials: 1\n${yesCases(['a'])}  - { id: x, expected: failing, prompt: p, assert: [{ type: contains, value: yes }] }\n`,
      { a: 'yes', x: 'yes' },
    );
    const ended = await assay(made.root, ['run', '-s', 'evals/s.yaml']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('unexpected passes, marked as expected to fail: x');
  });

  it('--update writes golden files, which then hold', async () => {
    const made = suiteProject(
      'trials: 1\ncases:\n  - { id: a, prompt: p, assert: [{ type: matches-file, value: golden/a.txt }] }\n',
      { a: 'the text' },
    );
    expect((await runJson(made, ['--update'])).ended.code).toBe(0);
    expect(readFileSync(join(made.root, 'evals/golden/a.txt'), 'utf8').trim()).toBe('the text');
    expect((await runJson(made)).ended.code).toBe(0);
    made.write('answers.json', { a: 'another text' });
    expect((await runJson(made)).report.outcome).toBe('failed');
  });

  it('a table does not grow with the number of cases', async () => {
    const ids = Array.from({ length: 400 }, (_, index) => `c${index}`);
    const answers = Object.fromEntries(ids.map((id) => [id, 'no']));
    const { root } = outputsProject(`trials: 1\n${yesCases(ids)}`, answers);
    const ended = await assay(root, ['run', '-s', 'evals/s.yaml', ...GIVEN]);
    expect(ended.stdout.split('\n').length).toBeLessThan(150);
    expect(ended.stdout).toMatch(/and \d+ more \(\d+ failed\): assay show run_\w+ --failed/);
  });
});
