import { describe, expect, test } from 'vitest';
import { AssayError, type RunSummary } from '../../src/core/index.js';
import { createReporter, stringOutput } from '../../src/report/index.js';
import { check, erroredTrial, events, failedTrial, receipt, report, sampleCase, trial } from './samples.js';
import { parseXml } from './xml-tree.js';

const assertion: Partial<RunSummary> = {
  suite: 'core-dispositions',
  format: 'assertion',
  mode: 'live',
  gate: 'pass^k',
  threshold: 0.75,
  trials: 2,
};
const cases = [
  sampleCase('solid', [trial(), trial()], { negative: true }),
  sampleCase('flaky', [
    trial(),
    failedTrial({
      score: 0.5,
      checks: [check({ type: 'not-contains', outcome: 'fail', weight: 2, required: true })],
    }),
  ]),
  sampleCase('down', [trial(), erroredTrial()]),
];

describe('the JSON report of an assertion suite', () => {
  test('has the keys of the reference first', () => {
    const document = JSON.parse(report('json', events(cases, assertion)));
    expect(Object.keys(document).slice(0, 9)).toEqual([
      'schema',
      'suite',
      'type',
      'passed',
      'score',
      'pass_to_k',
      'pass_at_k',
      'summary',
      'run_id',
    ]);
    expect(Object.keys(document).slice(-2)).toEqual(['cases', 'detail']);
    expect(document).toMatchObject({
      schema: 'assay/assertion-report/v1',
      suite: 'core-dispositions',
      type: 'regression',
      passed: false,
      pass_to_k: 0.5,
      pass_at_k: 1,
      // Means 1, 0.75 and 1.
      summary: 'pass^k 50%, mean 91.7%, 2 trials',
      run_id: 'run_1_abcdef',
      outcome: 'error',
      exit_code: 1,
      errors: { script: 1 },
      balance: { should: 2, should_not: 1 },
      totals: { cases: 3, passed: 1, failed: 1, errored: 1, trials: 6, scored_trials: 5, passed_trials: 4 },
    });
  });

  test('gives each case its estimates, n, c, k and interval, and null where nothing is defined', () => {
    const document = JSON.parse(report('json', events(cases, assertion)));
    expect(document.cases[2]).toMatchObject({
      id: 'down',
      mean_score: 1,
      pass_to_k: null,
      pass_at_k: 1,
      n: 1,
      c: 1,
      k: 2,
      outcome: 'error',
      errors: { script: 1 },
    });
    // One of one: z^2/(1+z^2) leaves a lower end of 0.2065.
    expect(document.cases[2].interval.lo).toBeCloseTo(0.2065, 4);
    expect(document.cases[2].interval.hi).toBe(1);
  });

  test('gives each trial its asserts, its output and its error', () => {
    const { detail } = JSON.parse(report('json', events(cases, assertion)));
    expect(detail[1].trials[1]).toMatchObject({
      score: 0.5,
      passed: false,
      output: 'hello there',
      trial: 2,
      status: 'failed',
      asserts: [
        {
          type: 'not-contains',
          passed: false,
          score: 0,
          reason: 'found in "hello there"',
          weight: 2,
          required: true,
          outcome: 'fail',
        },
      ],
    });
    expect(detail[2].trials[1]).toMatchObject({
      score: null,
      passed: false,
      asserts: [],
      output: null,
      status: 'error',
      error: { kind: 'script', message: 'turn 1 asked for more than the script holds' },
    });
  });

  test('keeps what a judge said', () => {
    const judge = {
      model: 'claude-cli:opus',
      servedModel: 'claude-opus',
      promptHash: 'f'.repeat(64),
      replies: ['{"pass": true}'],
      inputTokens: 100,
      outputTokens: 20,
      cost: 0.01,
      cached: false,
    };
    const judged = sampleCase('judged', [
      trial({ checks: [check({ type: 'llm-rubric', judge, metric: 'tone' })] }),
    ]);
    const { detail } = JSON.parse(report('json', events([judged], assertion)));
    expect(detail[0].trials[0].asserts[0]).toMatchObject({
      metric: 'tone',
      judge: {
        model: 'claude-cli:opus',
        served_model: 'claude-opus',
        replies: ['{"pass": true}'],
        cost: 0.01,
      },
    });
  });

  test('graded outputs differ between two runs only in run_id and run', () => {
    const outputs = receipt({ mode: 'outputs' });
    const graded = [sampleCase('a', [trial({ receipt: outputs })], { durationMs: 5 })];
    const later = [
      sampleCase('a', [trial({ receipt: outputs, startedAt: '2031-01-01T00:00:00.000Z' })], {
        durationMs: 9,
      }),
    ];
    const one = JSON.parse(report('json', events(graded, { ...assertion, mode: 'outputs' })));
    const two = JSON.parse(
      report('json', events(later, { ...assertion, mode: 'outputs', runId: 'run_2_b', seed: 3 })),
    );
    expect({ ...two, run_id: one.run_id, run: one.run }).toEqual(one);
  });

  test('numbers that are not defined are null, and NaN never gets out', () => {
    const none = [sampleCase('down', [erroredTrial()], { meanScore: Number.NaN })];
    const text = report('json', events(none, { ...assertion, score: null, passAtK: null, passHatK: null }));
    expect(text).not.toContain('NaN');
    expect(JSON.parse(text)).toMatchObject({
      score: null,
      pass_to_k: null,
      pass_at_k: null,
      summary: 'pass^k n/a, mean n/a, 2 trials',
      cases: [{ mean_score: null, pass_to_k: null, interval: null }],
    });
  });

  test.each([
    [1, 1, 'pass^k 100%, mean 100.0%'],
    [0.999, 0.9999, 'pass^k 99%, mean 99.9%'],
    [0.995, 0.995, 'pass^k 99%, mean 99.5%'],
    [0.001, 0.0001, 'pass^k 1%, mean 0.1%'],
    [0, 0, 'pass^k 0%, mean 0.0%'],
    [2 / 3, 2 / 3, 'pass^k 67%, mean 66.7%'],
  ])(
    'pass^k %d and mean %d read "%s": rounding never makes all or nothing of some',
    (passHatK, score, text) => {
      const document = JSON.parse(report('json', events(cases, { ...assertion, passHatK, score })));
      expect(document.summary).toBe(`${text}, 2 trials`);
    },
  );
});

describe('one document, whatever happens', () => {
  const traced = events([sampleCase('greets', [trial()])], { suite: 'traces' });
  const asserted = events(cases, assertion);

  test('several suites stand in one document, each as it would alone', () => {
    const document = JSON.parse(report('json', [...traced, ...asserted], { suites: 2 }));
    expect(Object.keys(document)).toEqual(['schema', 'outcome', 'exit_code', 'suites']);
    expect(document).toMatchObject({ schema: 'assay/run/v1', outcome: 'error', exit_code: 1 });
    expect(document.suites).toEqual([
      JSON.parse(report('json', traced)),
      JSON.parse(report('json', asserted)),
    ]);
  });

  test('several passing suites are a passing run', () => {
    const document = JSON.parse(report('json', [...traced, ...traced], { suites: 2 }));
    expect(document).toMatchObject({ outcome: 'passed', exit_code: 0 });
  });

  test('announcing the formats changes nothing but the work', () => {
    const formats = ['trace', 'assertion'] as const;
    expect(report('json', [...traced, ...asserted], { suites: 2, formats })).toBe(
      report('json', [...traced, ...asserted], { suites: 2 }),
    );
  });

  test('a wrong announcement is refused rather than leaving cases out', () => {
    expect(() => report('json', traced, { formats: ['assertion'] })).toThrow('another format');
  });

  test('a run that was refused is a document with every problem', () => {
    const output = stringOutput();
    const reporter = createReporter('json', output, { color: false, suites: 1 });
    const problem = {
      file: 'a.json',
      line: 3,
      column: 5,
      key: 'turns',
      message: 'is empty',
      fix: 'write a turn',
    };
    reporter.finish(
      new AssayError('SUITE_INVALID', 'does not load', { fix: 'repair it', problems: [problem] }),
    );
    expect(JSON.parse(output.text())).toEqual({
      schema: 'assay/run/v1',
      outcome: 'error',
      exit_code: 1,
      error: { code: 'SUITE_INVALID', message: 'does not load', fix: 'repair it', problems: [problem] },
      suites_not_run: 1,
      suites: [],
    });
  });

  test('a suite that broke off is in the document as an error beside the finished one', () => {
    const output = stringOutput();
    const reporter = createReporter('json', output, { color: false, suites: 2 });
    for (const event of [...traced, ...asserted.slice(0, -1)]) reporter.event(event);
    reporter.finish(new AssayError('STORE', 'the disk is full'));
    const document = JSON.parse(output.text());
    expect(document).toMatchObject({ outcome: 'error', exit_code: 1, error: { code: 'STORE' } });
    expect(document.suites[0].passed).toBe(1);
    expect(document.suites[1]).toEqual({
      suite: 'core-dispositions',
      outcome: 'error',
      reason: 'the run broke off: the disk is full',
      cases_finished: 3,
      cases_planned: 3,
    });
  });

  test('a single suite that broke off is an error too, whoever noticed', () => {
    const output = stringOutput();
    const reporter = createReporter('json', output, { color: false, suites: 1 });
    for (const event of traced.slice(0, -1)) reporter.event(event);
    reporter.finish();
    expect(JSON.parse(output.text())).toMatchObject({
      schema: 'assay/run/v1',
      outcome: 'error',
      exit_code: 1,
      suites: [{ suite: 'traces', outcome: 'error', reason: 'the run broke off', cases_finished: 1 }],
    });
  });

  test('a suite that was announced and never began is no passing run', () => {
    const document = JSON.parse(report('json', traced, { suites: 2 }));
    expect(document).toMatchObject({ outcome: 'inconclusive', exit_code: 1, suites_not_run: 1 });
    expect(document.suites).toHaveLength(1);
    expect(report('table', traced, { suites: 2 })).toContain('\n1 suite not run\n');
    expect(report('markdown', traced, { suites: 2 })).toContain('\n**1 suite not run.**\n');
    const root = parseXml(report('junit', traced, { suites: 2 }));
    expect(root.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1', skipped: '0' });
  });

  test('nothing run is an error', () => {
    expect(JSON.parse(report('json', []))).toMatchObject({ outcome: 'error', exit_code: 1, suites: [] });
  });

  test('text of any kind and size comes back as it was', () => {
    const evil = '\ud800"\\\u2028\u0000</script>\u001b[2J😀\n'.repeat(20_000);
    const one = sampleCase('evil', [trial({ checks: [check({ evidence: evil })] })]);
    const document = JSON.parse(report('json', events([one, sampleCase('after', [trial()])])));
    expect(document.cases[0].grades[0].detail).toBe(evil);
    expect(document.cases[1].name).toBe('after');
  });
});
