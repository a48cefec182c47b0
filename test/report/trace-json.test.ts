import { describe, expect, test } from 'vitest';
import {
  check,
  erroredTrial,
  events,
  failedTrial,
  receipt,
  recording,
  report,
  sampleCase,
  trial,
} from './samples.js';

describe('the JSON report of a trace suite', () => {
  const mixed = [
    sampleCase('greets', [trial()]),
    sampleCase('refuses', [
      failedTrial({
        score: 0.5,
        checks: [
          check({ label: 'tools_used("echo")', category: 'tool', evidence: 'called echo' }),
          check({ outcome: 'fail', evidence: 'not in "bye"' }),
          check({
            label: 'judge:tone',
            category: 'judge',
            outcome: 'unknown',
            diagnostic: true,
            evidence: 'UNKNOWN',
          }),
        ],
      }),
    ]),
    sampleCase('broken', [erroredTrial()]),
  ];

  test('has the reference keys and additions, totals first, cases last', () => {
    const document = JSON.parse(report('json', events(mixed)));
    expect(Object.keys(document)).toEqual([
      'schema',
      'suite',
      'passed',
      'failed',
      'total',
      'all_passed',
      'suite_kind',
      'exit_code',
      'repeat_ci',
      'outcome',
      'reason',
      'errored',
      'not_run',
      'errors',
      'mode',
      'cases',
    ]);
    expect(document).toMatchObject({
      schema: 'assay/trace-report/v1',
      passed: 1,
      failed: 2,
      total: 3,
      all_passed: false,
      suite_kind: 'regression',
      exit_code: 1,
      repeat_ci: null,
      errored: 1,
      errors: { script: 1 },
    });
  });

  test('gives a failing case its grades in order, its score and its totals by category', () => {
    const document = JSON.parse(report('json', events(mixed)));
    expect(document.cases[1]).toEqual({
      name: 'refuses',
      source: 'refuses.json',
      passed: false,
      error: null,
      grades: [
        {
          check: 'tools_used("echo")',
          passed: true,
          detail: 'called echo',
          category: 'tool',
          diagnostic: false,
          outcome: 'pass',
        },
        {
          check: 'response_contains("hello")',
          passed: false,
          detail: 'not in "bye"',
          category: 'response',
          diagnostic: false,
          outcome: 'fail',
        },
        {
          check: 'judge:tone',
          passed: false,
          detail: 'UNKNOWN',
          category: 'judge',
          diagnostic: true,
          outcome: 'unknown',
        },
      ],
      score: 0.5,
      category_totals: {
        judge: { passed: 0, total: 1 },
        response: { passed: 0, total: 1 },
        tool: { passed: 1, total: 1 },
      },
      outcome: 'failed',
      schema: 'assay/recording/v1',
      mode: 'replay',
      case_id: 'refuses',
      case_hash: 'a'.repeat(64),
      provider_ref: 'scripted',
      tool_surface: { requested: [], effective: ['echo'], registered: ['echo'] },
      sandbox: { autonomy: 'supervised', workspace_only: false },
      total_tokens: 15,
    });
  });

  test('an errored case keeps its receipt, has no score and no tokens in place of missing ones', () => {
    const { cases } = JSON.parse(report('json', events(mixed)));
    expect(cases[2]).toMatchObject({
      error: 'turn 1 asked for more than the script holds',
      error_kind: 'script',
      grades: [],
      score: null,
      category_totals: {},
      outcome: 'error',
      case_id: 'broken',
    });
    expect(cases[2]).not.toHaveProperty('total_tokens');
  });

  test('names the judge only when the case has one', () => {
    const judged = trial({ receipt: receipt({ judgeRef: 'claude-cli:opus' }) });
    const { cases } = JSON.parse(
      report('json', events([sampleCase('a', [judged]), sampleCase('b', [trial()])])),
    );
    expect(cases[0].judge_ref).toBe('claude-cli:opus');
    expect(cases[1]).not.toHaveProperty('judge_ref');
  });

  test('a replay says nothing of run, clock or machine, so two runs give the same bytes', () => {
    const one = report('json', events(mixed));
    const two = report(
      'json',
      events(mixed, {
        runId: 'run_2_zzzzzz',
        startedAt: '2030-01-01T00:00:00.000Z',
        finishedAt: '2030-01-01T00:00:09.000Z',
        directory: '/elsewhere/.assay/runs/x/run_2_zzzzzz',
        seed: 99,
      }),
    );
    expect(two).toBe(one);
    expect(one).not.toContain('run_1_abcdef');
  });

  test('a live run is named, in one place', () => {
    const document = JSON.parse(
      report('json', events(mixed, { mode: 'live', directory: '/store/run_1_abcdef' })),
    );
    expect(document.run).toMatchObject({
      run_id: 'run_1_abcdef',
      started_at: '2026-01-02T03:04:05.000Z',
      finished_at: '2026-01-02T03:04:06.000Z',
      directory: '/store/run_1_abcdef',
    });
  });

  test('a repeated case has every key of the repeat block, computed over its scored trials', () => {
    const trials = [
      trial({
        recording: recording({ usage: { inputTokens: 10, outputTokens: 2, cost: null }, durationMs: 100 }),
      }),
      failedTrial({
        recording: recording({ usage: { inputTokens: 20, outputTokens: 4, cost: null }, durationMs: 300 }),
      }),
      trial({
        recording: recording({ usage: { inputTokens: 30, outputTokens: 6, cost: null }, durationMs: 200 }),
      }),
    ];
    const { cases } = JSON.parse(report('json', events([sampleCase('flaky', trials)], { mode: 'live' })));
    const { attempts, interval, ...rest } = cases[0].repeat;
    // Tokens 12, 24, 36: mean 24, sample deviation 12. Durations 100, 300, 200: mean 200, sample deviation 100.
    expect(rest).toEqual({
      k: 3,
      passes: 2,
      completed: 3,
      truncated: false,
      error: null,
      pass_at_k: true,
      pass_hat_k: false,
      token_mean: 24,
      token_stddev: 12,
      duration_mean_ms: 200,
      duration_stddev_ms: 100,
      check_flips: { 'response_contains("hello")': 1 },
      suspect: false,
      low_signal: false,
    });
    // Wilson's interval of 2 of 3, from the textbook.
    expect(interval.lo).toBeCloseTo(0.2077, 4);
    expect(interval.hi).toBeCloseTo(0.9385, 4);
    expect(attempts[1]).toEqual({
      attempt: 2,
      outcome: 'failed',
      input_tokens: 20,
      output_tokens: 4,
      duration_ms: 300,
      llm_calls: 1,
      checks: [{ check: 'response_contains("hello")', passed: false, diagnostic: false }],
      error: null,
    });
    // The failing trial stands for the case.
    expect(cases[0].grades[0].passed).toBe(false);
    expect(cases[0].total_tokens).toBe(24);
  });

  test('a repeated case that broke keeps its finished trials and says how far it came', () => {
    const trials = [trial(), erroredTrial()];
    const { cases, repeat_ci: bar } = JSON.parse(report('json', events([sampleCase('down', trials)])));
    expect(cases[0].error).toBe(
      '1 of 2 trials completed, pass^2 not established: turn 1 asked for more than the script holds',
    );
    expect(cases[0].repeat).toMatchObject({
      k: 2,
      passes: 1,
      completed: 1,
      truncated: true,
      error: 'turn 1 asked for more than the script holds',
      pass_hat_k: false,
      token_stddev: null,
    });
    expect(cases[0].repeat.attempts[1]).toMatchObject({
      outcome: 'error',
      input_tokens: null,
      duration_ms: null,
    });
    expect(bar).toEqual({
      pass_rate: null,
      lower: null,
      upper: null,
      repeated_cases: 0,
      total_cases: 1,
      independent_units: 0,
      sem: null,
      small_sample: null,
    });
  });

  test('a label that occurs twice in a case flips on its own', () => {
    const twice = (first: 'pass' | 'fail', second: 'pass' | 'fail') =>
      failedTrial({
        checks: [check({ label: 'x', outcome: first }), check({ label: 'x', outcome: second })],
      });
    const trials = [twice('pass', 'fail'), twice('pass', 'pass'), twice('pass', 'fail')];
    const { cases } = JSON.parse(report('json', events([sampleCase('twice', trials)])));
    expect(cases[0].repeat.check_flips).toEqual({ 'x #2': 1 });
  });

  test('the error bar over repeated cases counts a family once and leaves single runs out', () => {
    const half = [trial(), failedTrial()];
    const cases = [
      sampleCase('a', half, { cluster: 'family' }),
      sampleCase('b', [trial(), trial()], { cluster: 'family' }),
      sampleCase('c', [failedTrial(), failedTrial()]),
      sampleCase('single', [trial()]),
    ];
    const { repeat_ci: bar } = JSON.parse(report('json', events(cases)));
    // Units 0.75 and 0: mean 0.375, SEM 0.375, t(1) = 12.706, so the interval is cut to 0..1.
    expect(bar).toEqual({
      pass_rate: 0.375,
      lower: 0,
      upper: 1,
      repeated_cases: 3,
      total_cases: 4,
      independent_units: 2,
      sem: 0.375,
      small_sample: { lo: 0, hi: 1 },
    });
  });

  test('no pass in twenty trials is suspect, in nineteen not yet', () => {
    const never = (count: number) => Array.from({ length: count }, () => failedTrial());
    const cases = [sampleCase('twenty', never(20)), sampleCase('nineteen', never(19))];
    const document = JSON.parse(report('json', events(cases)));
    expect(document.cases.map((one: { repeat: { suspect: boolean } }) => one.repeat.suspect)).toEqual([
      true,
      false,
    ]);
  });

  test('trials stand in their order, whatever order they finished in', () => {
    const done = sampleCase('late', [trial(), failedTrial(), trial()]);
    const mixedUp = { ...done, trials: done.trials.toReversed() };
    expect(report('json', events([mixedUp]))).toBe(report('json', events([done])));
  });
});
