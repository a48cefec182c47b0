import { describe, expect, test } from 'vitest';
import { formatRunList, formatSuiteList } from '../../src/report/index.js';

describe('the list of runs', () => {
  const done = {
    runId: 'run_2_bbbbbb',
    suite: 'core',
    outcome: 'passed' as const,
    startedAt: '2026-01-02T03:04:05.000Z',
    cases: { passed: 1200, total: 1200 },
    problem: null,
  };

  test('shows one run a line in the order given, finished or not, readable or not', () => {
    const runs = [
      done,
      { ...done, runId: 'run_1_a', outcome: null, cases: null },
      {
        ...done,
        runId: 'run_0',
        suite: 'x',
        outcome: null,
        cases: null,
        startedAt: '',
        problem: 'journal is empty',
      },
    ];
    expect(formatRunList(runs, { color: false })).toBe(
      [
        'run           suite  outcome       cases        started',
        'run_2_bbbbbb  core   passed        1,200/1,200  2026-01-02T03:04:05.000Z',
        'run_1_a       core   not finished  -            2026-01-02T03:04:05.000Z',
        'run_0         x      unreadable    -                                      journal is empty',
        '',
      ].join('\n'),
    );
  });

  test('says when there is none', () => {
    expect(formatRunList([], { color: false })).toBe('no stored runs\n');
  });

  test('a hostile name stays in its line', () => {
    const text = formatRunList([{ ...done, suite: 'a\n\u001b[2Jb' }], { color: false });
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('a\\n\\u{1b}[2Jb');
  });
});

describe('the list of suites', () => {
  const suite = {
    name: 'core',
    path: 'evals/core.yaml',
    format: 'assertion' as const,
    kind: 'regression' as const,
    cases: 5,
    description: 'What it should always do',
    shadowedBy: null,
    problem: null,
  };

  test('shows one suite a line, with what is wrong or hidden', () => {
    const suites = [
      suite,
      { ...suite, path: 'bundled/core.yaml', description: null, shadowedBy: 'evals/core.yaml' },
      {
        ...suite,
        name: 'old',
        kind: 'capability' as const,
        cases: null,
        description: null,
        problem: 'no cases',
      },
    ];
    expect(formatSuiteList(suites, { color: false })).toBe(
      [
        'suite  kind        format     cases          path',
        'core   regression  assertion  5 cases        evals/core.yaml    What it should always do',
        'core   regression  assertion  5 cases        bundled/core.yaml  hidden by evals/core.yaml',
        'old    capability  assertion  does not load  evals/core.yaml    no cases',
        '',
      ].join('\n'),
    );
  });

  test('says when there is none', () => {
    expect(formatSuiteList([], { color: false })).toBe('no suites found\n');
  });
});
