import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/index.js';
import { check, erroredTrial, events, failedTrial, report, sampleCase, trial } from './samples.js';

const assertion: Partial<RunSummary> = {
  suite: 'dispositions',
  format: 'assertion',
  mode: 'live',
  gate: 'pass^k',
  threshold: 0.75,
  trials: 3,
  directory: '.assay/runs/dispositions/run_1_abcdef',
  agentModel: 'claude-cli:sonnet',
  judgeModel: 'claude-cli:opus',
  cost: 0.1234,
};

describe('the table of an assertion suite', () => {
  test('shows every rate with its n and its interval, the failing checks and where the transcript is', () => {
    const missed = check({
      label: 'not-contains("as an AI")',
      outcome: 'fail',
      required: true,
      weight: 2,
      evidence: 'found "as an AI" at 14',
    });
    const cases = [
      sampleCase('solid', [trial(), trial(), trial()]),
      sampleCase('it breaks', [trial(), failedTrial({ score: 0.25, checks: [check(), missed] }), trial()], {
        negative: true,
      }),
    ];
    const text = report(
      'table',
      events(cases, { ...assertion, reason: 'pass^k 50 % over 2 cases is below 75 %' }),
    );
    expect(text).toBe(
      [
        '',
        'dispositions: 2 cases, intervals are 95 %',
        '✓ solid: k=3, 3 of 3 passed [43.9%, 100.0%], pass^3 100%, pass@3 100%, mean score 1.000',
        '    tokens 15 ± 0, duration 20 ms ± 0 ms',
        '✗ it breaks: k=3, 2 of 3 passed [20.8%, 93.9%], pass^3 0%, pass@3 100%, mean score 0.750',
        '    tokens 15 ± 0, duration 20 ms ± 0 ms',
        '    trial 2 failed, score 0.250',
        '      ✗ not-contains("as an AI") (required, weight 2): found "as an AI" at 14',
        "      assay show run_1_abcdef 'it breaks' --trial 2",
        '',
        '1 of 2 cases passed every trial; 5 of 6 scored trials passed',
        // Wilson's interval of 1 of 2; of 2 of 2 for pass@k.
        'pass^k 50% [9.5%, 90.5%] over 2 cases, k=3',
        'pass@k 100% [34.2%, 100.0%] over 2 cases, k=3',
        // Values 1 and 0.75: SEM 0.125, t(1) = 12.706, cut to 0..1.
        'mean score 0.875 [0.000, 1.000] over 2 cases',
        // Units 1 and 2/3: SEM 1/6, t(1) = 12.706, cut to 0..1.
        'repeated-case pass rate 83.3% [0.0%, 100.0%], 95 %, 2 independent units, for few units [0.0%, 100.0%]; 2 of 2 cases have complete repeat statistics',
        'polarity: 1 should, 1 should not',
        'agent claude-cli:sonnet: 60 tokens in, 30 out, $0.1234',
        'judge claude-cli:opus: not asked, or answered from the cache',
        'run run_1_abcdef: .assay/runs/dispositions/run_1_abcdef',
        'REGRESSED: pass^k 50 % over 2 cases is below 75 %',
        '',
      ].join('\n'),
    );
  });

  test('a passing gate is PASSED', () => {
    const cases = [sampleCase('a', [trial()]), sampleCase('b', [trial()])];
    const text = report(
      'table',
      events(cases, { ...assertion, reason: 'pass^k 100 % over 2 cases reaches 75 %' }),
    );
    expect(text.trimEnd().split('\n').at(-1)).toBe('PASSED: pass^k 100 % over 2 cases reaches 75 %');
  });

  test.each(['error', 'inconclusive'] as const)('a run that is %s could not decide', (outcome) => {
    const text = report(
      'table',
      events([sampleCase('a', [trial()])], { ...assertion, outcome, reason: 'because' }),
    );
    expect(text.trimEnd().split('\n').at(-1)).toBe('COULD NOT DECIDE: because');
  });

  test('errors stand beside the rates and are in none of them', () => {
    const timeout = erroredTrial({ error: { kind: 'timeout', message: 'no answer in 90 s' } });
    const cases = [sampleCase('slow', [trial(), timeout, trial()]), sampleCase('gone', [erroredTrial()])];
    const text = report('table', events(cases, assertion));
    expect(text).toContain(
      '! slow: k=3, 2 of 2 passed [34.2%, 100.0%], pass^3 not defined with 2 of 3 scored, pass@3 100%, mean score 1.000, 1 error (1 timeout)\n' +
        '    tokens 15 ± 0, duration 20 ms ± 0 ms\n' +
        '    trial 2 could not be scored\n' +
        '      ! timeout: no answer in 90 s\n' +
        '      assay show run_1_abcdef slow --trial 2\n',
    );
    expect(text).toContain('! gone: k=1, nothing scored, 1 error (1 script)\n');
    expect(text).toContain(
      'errors: 2 trials could not be scored (1 script, 1 timeout); they are in no rate\n',
    );
  });

  test('a curtailed case says so, with the unbiased rate', () => {
    const stopped = sampleCase('cut', [trial(), failedTrial()], {
      planned: 10,
      curtailed: true,
      curtailedRate: 1,
      passHatK: 0,
      passAtK: 1,
    });
    const text = report('table', events([stopped], assertion));
    expect(text).toContain(
      '    stopped early after 2 of 10 trials: the verdict could no longer change; unbiased pass rate 100.0%\n',
    );
    expect(text).toContain('stopped early: 1 case whose verdict could no longer change\n');
  });

  test('an unexpected pass is said twice, an expected failure is marked and counted', () => {
    const cases = [
      sampleCase('now works', [trial()], { expectedFailing: true }),
      sampleCase('not yet', [failedTrial()], { expectedFailing: true }),
    ];
    const text = report('table', events(cases, assertion));
    expect(text).toContain('    unexpected pass: the case is marked as expected to fail\n');
    expect(text).toContain('    expected to fail\n');
    expect(text).toContain('unexpected passes, marked as expected to fail: now works\n');
    expect(text).toContain('expected failures: 1 case\n');
  });

  test('an unexpected pass is shown even in a suite too large to list what passed', () => {
    const cases = Array.from({ length: 60 }, (_, index) =>
      sampleCase(`case${index}`, [trial()], { expectedFailing: index === 55 }),
    );
    const text = report('table', events(cases, assertion));
    expect(text).toContain('✓ case55: ');
    expect(text).toContain('\n59 passing cases not listed\n');
  });

  test('a case that never passed in twenty trials is suspect', () => {
    const never = sampleCase(
      'never',
      Array.from({ length: 20 }, () => failedTrial()),
    );
    const text = report('table', events([never], assertion));
    expect(text).toContain(
      '    suspect: 0 of 20 passed, true rate at most 13.9% (one-sided 95 %); inspect the task before the agent\n',
    );
    expect(text).toContain('suspect, never passed in 20 trials or more: never\n');
    expect(text).toContain('    and 17 more trials\n');
  });

  test('a suite of one case has no interval, and says so', () => {
    const text = report('table', events([sampleCase('only', [trial()])], assertion));
    expect(text).toContain('mean score 1.000 over 1 case, too few or too alike for an interval\n');
  });

  test('scores that are all alike have no interval of no width', () => {
    const half = () => trial({ score: 0.8 });
    const text = report('table', events([sampleCase('a', [half()]), sampleCase('b', [half()])], assertion));
    expect(text).toContain('mean score 0.800 over 2 cases, too few or too alike for an interval\n');
  });

  test('correlated cases count as one unit', () => {
    const cases = ['a', 'b', 'c'].map((id) =>
      sampleCase(id, [trial()], { cluster: id === 'c' ? null : 'family' }),
    );
    const text = report('table', events(cases, assertion));
    // Two units, both 1: Wilson's interval of 2 of 2.
    expect(text).toContain('mean score 1.000 [0.342, 1.000] over 3 cases in 2 independent units\n');
  });

  test('a case that is expected to fail is in no figure of the suite', () => {
    const cases = [
      sampleCase('a', [trial()]),
      sampleCase('b', [trial()]),
      sampleCase('later', [failedTrial()], { expectedFailing: true }),
    ];
    const text = report('table', events(cases, { ...assertion, score: 1, passHatK: 1 }));
    expect(text).toContain('mean score 1.000 [0.342, 1.000] over 2 cases\n');
  });

  test('an unknown cost is said, never printed as nothing', () => {
    expect(report('table', events([sampleCase('a', [trial()])], { ...assertion, cost: null }))).toContain(
      'cost not known',
    );
  });

  test('without a store there is no pointer to a transcript', () => {
    const text = report(
      'table',
      events([sampleCase('a', [failedTrial()])], { ...assertion, directory: null }),
    );
    expect(text).not.toContain('assay show');
  });

  test('a case id cannot break out of the command that points to it', () => {
    const text = report('table', events([sampleCase("x'; rm -rf ~ #", [failedTrial()])], assertion));
    expect(text).toContain("assay show run_1_abcdef 'x'\\''; rm -rf ~ #' --trial 1\n");
  });
});
