import { describe, expect, it } from 'vitest';
import { compareCase, STRICT_POLICY, afterRetry, type BaselinePolicy } from '../../src/baseline/index.js';
import type { CaseComparison, RunEvent, RunSummary } from '../../src/core/index.js';
import type { ReportFormat } from '../../src/report/index.js';
import {
  check,
  erroredTrial,
  events,
  failedTrial,
  report,
  sampleCase,
  trial,
  type SampleCase,
} from '../report/samples.js';
import { elements, parseXml } from '../report/xml-tree.js';
import { baselineOf, runAgainst } from './support.js';

const pass = (id: string) => sampleCase(id, [trial()]);
const fail = (id: string) => sampleCase(id, [failedTrial()]);
const edited = (one: SampleCase) => ({ ...one, result: { ...one.result, hash: 'e'.repeat(64) } });

/** The events of a run against a baseline; `excused` are the regressions that a second run excused. */
function compared(
  now: readonly SampleCase[],
  then: readonly SampleCase[],
  changes: Partial<RunSummary> = {},
  policy: Partial<BaselinePolicy> = {},
): RunEvent[] {
  const baseline = baselineOf(then);
  const summary = runAgainst(now, baseline, changes, policy);
  return events(now).map((event): RunEvent => {
    if (event.type === 'run-end') return { type: 'run-end', summary };
    if (event.type !== 'case-end') return event;
    const comparison = compareCase(event.result, event.trials, baseline, { ...STRICT_POLICY, ...policy });
    return { ...event, comparison };
  });
}

function text(format: ReportFormat, happened: readonly RunEvent[]): string {
  return report(format, happened);
}

const NOW = [
  fail('regressed'),
  fail('still-failing'),
  pass('improved'),
  pass('same'),
  edited(fail('edited')),
  fail('new-fail'),
  pass('new-pass'),
  sampleCase('broken', [erroredTrial()]),
];
const THEN = [
  pass('regressed'),
  fail('still-failing'),
  fail('improved'),
  pass('same'),
  pass('edited'),
  pass('broken'),
  pass('gone'),
];

describe('the JSON report of a run against a baseline', () => {
  const document = JSON.parse(text('json', compared(NOW, THEN)));

  it('has the reference keys in `baseline`, with every case by id', () => {
    expect(document.baseline).toMatchObject({
      confirmed_regressions: ['regressed'],
      current_errors: ['broken'],
      flaky_unconfirmed: [],
      gates: true,
      improvements: ['improved'],
      unverifiable: ['edited'],
      new: ['new-fail', 'new-pass'],
      new_failures: ['new-fail'],
      removed: ['gone'],
      comparable: 4,
    });
    expect(document.baseline.per_case).toMatchObject({
      regressed: { classification: 'regression', categories: ['response'] },
      same: { classification: 'unchanged', token_delta_pct: 0 },
      edited: { classification: 'unverifiable', changed: ['case_hash'] },
      gone: { classification: 'removed', baseline_verdict: 'pass' },
    });
    expect(document.exit_code).toBe(1);
    expect(document.outcome).toBe('failed');
  });

  it('keeps the counts of the run itself', () => {
    expect(document).toMatchObject({ passed: 3, failed: 5, total: 8, all_passed: false });
  });

  it('has exit code 0 when cases fail only as before', () => {
    const same = JSON.parse(text('json', compared([fail('a'), pass('b')], [fail('a'), pass('b')])));
    expect(same).toMatchObject({ exit_code: 0, failed: 1, all_passed: false, outcome: 'passed' });
    expect(same.reason).toBe('no regression in 2 comparable cases; 1 case failing as before');
  });

  it('has no `baseline` without one', () => {
    expect(JSON.parse(report('json', events(NOW)))).not.toHaveProperty('baseline');
  });

  it('shows checks that got worse inside a case that failed before', () => {
    const two = (second: 'pass' | 'fail') =>
      sampleCase('a', [
        failedTrial({
          checks: [check({ label: 'one', outcome: 'fail' }), check({ label: 'two', outcome: second })],
        }),
      ]);
    const { baseline } = JSON.parse(text('json', compared([two('fail')], [two('pass')])));
    expect(baseline.check_regressions).toEqual(['a']);
    expect(baseline.per_case.a.checks_lost).toEqual([{ check: 'two', category: 'response' }]);
    expect(baseline.gates).toBe(false);
  });

  it('is in the report of an assertion suite too', () => {
    const assertion = JSON.parse(text('json', compared([fail('a')], [pass('a')], { format: 'assertion' })));
    expect(assertion).toMatchObject({ exit_code: 1, baseline: { confirmed_regressions: ['a'] } });
  });
});

describe('JUnit of a run against a baseline', () => {
  const statuses = (happened: readonly RunEvent[]) => {
    const root = parseXml(text('junit', happened));
    return Object.fromEntries(
      elements(root, 'testcase').map((one) => [
        one.attributes['name'],
        ['failure', 'error', 'skipped'].find((kind) => elements(one, kind).length > 0) ?? 'passed',
      ]),
    );
  };
  const counters = (happened: readonly RunEvent[]) => {
    const root = parseXml(text('junit', happened));
    const { tests, failures, errors, skipped } = root.attributes;
    return { tests, failures, errors, skipped };
  };

  it('fails only what the baseline gates on', () => {
    expect(statuses(compared(NOW, THEN))).toEqual({
      regressed: 'failure',
      'still-failing': 'skipped',
      improved: 'passed',
      same: 'passed',
      edited: 'skipped',
      'new-fail': 'failure',
      'new-pass': 'passed',
      broken: 'error',
    });
    expect(counters(compared(NOW, THEN))).toEqual({ tests: '8', failures: '2', errors: '1', skipped: '2' });
  });

  it('has counters that agree with the exit code when nothing gates', () => {
    const happened = compared([fail('a'), pass('b')], [fail('a'), pass('b')]);
    expect(counters(happened)).toEqual({ tests: '2', failures: '0', errors: '0', skipped: '1' });
  });

  it('is not green when the only thing that gates is skipped', () => {
    const happened = compared([edited(pass('a')), pass('b')], [pass('a'), pass('b')]);
    expect(statuses(happened)).toMatchObject({ a: 'skipped', b: 'passed', '(gate of the suite)': 'failure' });
    const allowed = compared(
      [edited(pass('a')), pass('b')],
      [pass('a'), pass('b')],
      {},
      { allowUnverifiable: true },
    );
    expect(counters(allowed)).toEqual({ tests: '2', failures: '0', errors: '0', skipped: '1' });
  });

  it('skips a new failing case that is allowed', () => {
    const happened = compared([pass('a'), fail('n')], [pass('a')], {}, { allowNewFailures: true });
    expect(statuses(happened)).toEqual({ a: 'passed', n: 'skipped' });
  });

  it('skips a flaky case with a reason and keeps its failing lines', () => {
    const happened = compared([fail('a'), pass('b')], [pass('a'), pass('b')]).map((event): RunEvent => {
      if (event.type !== 'case-end' || event.comparison === undefined) return event;
      const comparison: CaseComparison = afterRetry(event.comparison, pass('a').result);
      return { ...event, comparison };
    });
    const root = parseXml(text('junit', happened));
    expect(elements(root, 'skipped').map((one) => one.attributes['message'])).toEqual([
      'flaky, not confirmed: failed, and passed when run once more',
    ]);
    expect(elements(root, 'system-out')[0]?.text).toContain('not in "bye"');
  });

  it('is an error for a case of which a trial failed and another could not be scored', () => {
    const truncated = sampleCase('a', [failedTrial(), erroredTrial()]);
    expect(statuses(compared([truncated], [pass('a')]))).toMatchObject({ a: 'error' });
  });
});

describe('Markdown of a run against a baseline', () => {
  it('says what the gate says, and names what it gates on as code', () => {
    const shown = text('markdown', compared(NOW, THEN));
    expect(shown).toContain('- <code>baseline GATES&#58; 1 confirmed regression; 1 new case failing;');
    expect(shown).toContain('- <code>regressed&#58; lost response_contains("hello")</code>');
  });
});

describe('the table of a run against a baseline', () => {
  it('lists what gates, what changed and why, and ends with what the gate says', () => {
    const shown = text('table', compared(NOW, THEN));
    for (const line of [
      'baseline base.json: 4 comparable cases, 2 unchanged',
      '  1 case regressed',
      '    regressed: lost response_contains("hello")',
      '  1 case could not be scored',
      '    edited: fails; differs in case_hash',
      '    new-fail',
      '  1 case only in the baseline',
      '    improved: won response_contains("hello")',
    ]) {
      expect(shown).toContain(`${line}\n`);
    }
    expect(shown.trimEnd().split('\n').at(-1)).toMatch(/^baseline GATES: 1 confirmed regression; /);
  });

  it('says of a capability suite both rates with n and interval, and when it is saturated', () => {
    const shown = text(
      'table',
      compared([pass('a'), pass('b')], [pass('a'), fail('b')], { kind: 'capability' }),
    );
    expect(shown).toContain(
      'capability: pass rate 100.0% [34.2%, 100.0%] of 2 cases, baseline 50.0% [9.5%, 90.5%] of 2 cases; saturated',
    );
  });

  it('of an assertion suite ends with the verdict of the baseline', () => {
    const shown = text('table', compared([fail('a')], [fail('a')], { format: 'assertion' }));
    expect(shown.trimEnd().split('\n').at(-1)).toBe(
      'PASSED: no regression in 1 comparable case; 1 case failing as before',
    );
  });

  it('cannot be driven by the name of a case or a check', () => {
    const hostile = sampleCase('a\u001b[2J\n✓ fake', [
      failedTrial({ checks: [check({ label: 'x\u001b[31m\ny', outcome: 'fail' })] }),
    ]);
    const before = sampleCase('a\u001b[2J\n✓ fake', [
      trial({ checks: [check({ label: 'x\u001b[31m\ny' })] }),
    ]);
    const shown = text('table', compared([hostile], [before]));
    expect(shown).not.toContain('\u001b');
    expect(shown.split('\n').some((line) => line.startsWith('✓ fake'))).toBe(false);
  });
});
