import { describe, expect, it } from 'vitest';
import {
  afterRetry,
  compareCase,
  compareEntries,
  differingParts,
  entryOf,
  STRICT_POLICY,
  type BaselineEntry,
} from '../../src/baseline/index.js';
import { check, erroredTrial, failedTrial, receipt, result, sampleCase, trial } from '../report/samples.js';
import { baselineOf, entry, withChecks } from './support.js';

const passing = sampleCase('a', [trial()]);
const failing = sampleCase('a', [failedTrial()]);
const broken = sampleCase('a', [erroredTrial()]);

describe('the class of a case against a baseline', () => {
  it('is current_error when the case could not be scored, known or not, and gates', () => {
    for (const known of [[passing], [failing], []]) {
      const comparison = compareCase(broken.result, broken.trials, baselineOf(known), STRICT_POLICY);
      expect(comparison).toMatchObject({ classification: 'current_error', verdict: null, gates: true });
    }
  });

  it('is current_error when some trial could not be scored, also when another one failed', () => {
    const truncated = sampleCase('a', [failedTrial(), erroredTrial()]);
    expect(truncated.result.outcome).toBe('failed');
    const comparison = compareCase(truncated.result, truncated.trials, baselineOf([passing]), STRICT_POLICY);
    expect(comparison.classification).toBe('current_error');
  });

  it('is a verdict when the case was stopped because it was decided', () => {
    const stopped = sampleCase('a', [failedTrial()], { planned: 5, curtailed: true });
    const comparison = compareCase(stopped.result, stopped.trials, baselineOf([passing]), STRICT_POLICY);
    expect(comparison.classification).toBe('regression');
  });

  it('is new when the baseline does not know it: a failing one gates, a passing one does not', () => {
    const empty = baselineOf([]);
    expect(compareCase(passing.result, passing.trials, empty, STRICT_POLICY)).toMatchObject({
      classification: 'new',
      gates: false,
    });
    expect(compareCase(failing.result, failing.trials, empty, STRICT_POLICY)).toMatchObject({
      classification: 'new',
      gates: true,
    });
    const policy = { ...STRICT_POLICY, allowNewFailures: true };
    expect(compareCase(failing.result, failing.trials, empty, policy).gates).toBe(false);
  });

  const others: [string, Partial<BaselineEntry>][] = [
    ['case_hash', { case_hash: 'b'.repeat(64) }],
    ['mode', { mode: 'live' }],
    ['provider_ref', { provider_ref: 'claude-cli:sonnet' }],
    ['tool_surface', { tool_surface: { requested: ['x'], effective: ['echo'], registered: ['echo'] } }],
    ['tool_surface', { tool_surface: { requested: [], effective: [], registered: ['echo'] } }],
    ['tool_surface', { tool_surface: { requested: [], effective: ['echo'], registered: [] } }],
    ['sandbox', { sandbox: { autonomy: 'full', workspace_only: false } }],
    ['sandbox', { sandbox: { autonomy: 'supervised', workspace_only: true } }],
    ['judge_ref', { judge_ref: 'claude-cli:opus' }],
  ];
  it.each(others)('is unverifiable when %s differs, and gates unless that is allowed', (part, changes) => {
    for (const now of [passing, failing]) {
      const comparison = compareEntries(entry(now), entry(passing, changes));
      expect(comparison).toMatchObject({ classification: 'unverifiable', changed: [part], gates: true });
      const allowed = { ...STRICT_POLICY, allowUnverifiable: true };
      expect(compareEntries(entry(now), entry(passing, changes), allowed).gates).toBe(false);
    }
  });

  it('does not depend on the order of tool names', () => {
    const one = entry(passing, { tool_surface: { requested: ['a', 'b'], effective: [], registered: [] } });
    const other = entry(passing, { tool_surface: { requested: ['b', 'a'], effective: [], registered: [] } });
    expect(differingParts(one, other)).toEqual([]);
  });

  it('is a regression from pass to fail, an improvement from fail to pass, else unchanged', () => {
    const classOf = (now: typeof passing, then: typeof passing) => compareEntries(entry(now), entry(then));
    expect(classOf(failing, passing)).toMatchObject({ classification: 'regression', gates: true });
    expect(classOf(passing, failing)).toMatchObject({ classification: 'improvement', gates: false });
    expect(classOf(passing, passing)).toMatchObject({ classification: 'unchanged', gates: false });
    expect(classOf(failing, failing)).toMatchObject({ classification: 'unchanged', gates: false });
  });

  it('never gates by failing when the case is marked as known to fail, but by not being scored', () => {
    const known = { expectedFailing: true };
    const fails = sampleCase('a', [failedTrial()], known);
    const breaks = sampleCase('a', [erroredTrial()], known);
    const before = baselineOf([passing]);
    expect(compareCase(fails.result, fails.trials, before, STRICT_POLICY)).toMatchObject({
      classification: 'regression',
      gates: false,
    });
    expect(compareCase(breaks.result, breaks.trials, before, STRICT_POLICY).gates).toBe(true);
  });
});

describe('the checks that changed', () => {
  it('are those that passed and are missed now, not all that fail', () => {
    const before = withChecks('a', { 'x("1")': true, 'tools_used("e")': true });
    const after = withChecks('a', { 'x("1")': true, 'tools_used("e")': false });
    const comparison = compareEntries(entry(after), entry(before));
    expect(comparison.lost).toEqual([{ check: 'tools_used("e")', category: 'tool' }]);
    expect(comparison.won).toEqual([]);
  });

  it('are shown inside a case that failed before and still fails', () => {
    const before = withChecks('a', { one: false, two: true, three: false });
    const after = withChecks('a', { one: false, two: false, three: true });
    const comparison = compareEntries(entry(after), entry(before));
    expect(comparison.classification).toBe('unchanged');
    expect(comparison.lost.map((lost) => lost.check)).toEqual(['two']);
    expect(comparison.won.map((won) => won.check)).toEqual(['three']);
    expect(comparison.gates).toBe(false);
  });

  it('leave diagnostics out, whatever they say', () => {
    const judge = (outcome: 'pass' | 'fail' | 'unknown') =>
      check({ label: 'judge:tone', category: 'judge', diagnostic: true, outcome });
    const before = sampleCase('a', [trial({ checks: [check(), judge('pass')] })]);
    for (const outcome of ['fail', 'unknown'] as const) {
      const after = sampleCase('a', [trial({ checks: [check(), judge(outcome)] })]);
      expect(compareEntries(entry(after), entry(before))).toMatchObject({
        lost: [],
        classification: 'unchanged',
      });
    }
  });

  it('count an unknown judgement of a gating check as missed: an outage does not open the gate', () => {
    const judge = (outcome: 'pass' | 'unknown') => check({ label: 'judge:tone', category: 'judge', outcome });
    const before = sampleCase('a', [trial({ checks: [judge('pass')] })]);
    const after = sampleCase('a', [failedTrial({ checks: [judge('unknown')] })]);
    expect(compareEntries(entry(after), entry(before))).toMatchObject({
      classification: 'regression',
      lost: [{ check: 'judge:tone', category: 'judge' }],
      gates: true,
    });
  });

  it('tell two checks of one label apart', () => {
    const two = (first: boolean, second: boolean) => {
      const made = [first, second].map((passed) =>
        check({ label: 'same', outcome: passed ? 'pass' : 'fail' }),
      );
      return entry(sampleCase('a', [failedTrial({ checks: made })]));
    };
    expect(two(true, false).checks).toHaveLength(2);
    expect(compareEntries(two(false, false), two(true, false)).lost).toHaveLength(1);
    expect(compareEntries(two(false, true), two(true, false))).toMatchObject({
      lost: [{ check: 'same' }],
      won: [{ check: 'same' }],
    });
  });

  it('of a repeated case passed only when they passed in every scored trial', () => {
    const flips = sampleCase('a', [trial(), failedTrial(), trial()]);
    expect(entry(flips)).toMatchObject({ verdict: 'fail', repeat: { k: 3, passes: 2 } });
    expect(entry(flips).checks).toMatchObject([{ passed: false }]);
  });
});

describe('the change in tokens', () => {
  const using = (tokens: number | null) => entry(passing, { total_tokens: tokens });
  it('is in percent of the baseline', () => {
    expect(compareEntries(using(150), using(100)).tokenDelta).toBe(50);
    expect(compareEntries(using(50), using(100)).tokenDelta).toBe(-50);
    expect(compareEntries(using(100), using(100)).tokenDelta).toBe(0);
  });
  it('is not defined when the baseline used none or nobody knows', () => {
    expect(compareEntries(using(10), using(0)).tokenDelta).toBeNull();
    expect(compareEntries(using(null), using(10)).tokenDelta).toBeNull();
    expect(compareEntries(using(10), using(null)).tokenDelta).toBeNull();
  });
  it('never gates', () => {
    expect(compareEntries(using(1_000_000), using(1)).gates).toBe(false);
  });
});

describe('a second run of a regressed case', () => {
  const regression = compareEntries(entry(failing), entry(passing));
  it('excuses it when every trial was scored and passed', () => {
    const again = result([trial(), trial(), trial()]);
    expect(afterRetry(regression, again)).toMatchObject({
      classification: 'flaky_unconfirmed',
      gates: false,
    });
  });
  it('does not when 4 of 5 passed', () => {
    const again = result([trial(), trial(), failedTrial(), trial(), trial()]);
    expect(afterRetry(regression, again)).toBe(regression);
  });
  it('does not when it was cut short, even if everything that ran passed', () => {
    expect(afterRetry(regression, result([trial(), trial(), erroredTrial()]))).toBe(regression);
    expect(afterRetry(regression, result([trial()], { planned: 2 }))).toBe(regression);
    expect(
      afterRetry(regression, result([trial()], { planned: 2, curtailed: true, outcome: 'passed' })),
    ).toBe(regression);
  });
  it('does not when it was not run', () => {
    expect(afterRetry(regression, undefined)).toBe(regression);
  });
  it('is not stopped by a failing diagnostic', () => {
    const advisory = check({ label: 'judge:tone', diagnostic: true, outcome: 'fail' });
    const again = sampleCase('a', [trial({ checks: [check(), advisory] })]).result;
    expect(afterRetry(regression, again).classification).toBe('flaky_unconfirmed');
  });
  it('changes nothing about a case that is no regression', () => {
    const unchanged = compareEntries(entry(failing), entry(failing));
    expect(afterRetry(unchanged, result([trial()]))).toBe(unchanged);
  });
});

describe('an entry of a baseline', () => {
  it('is not made of a case that did not finish', () => {
    expect(entryOf(broken.result, broken.trials)).toBeNull();
    const truncated = sampleCase('a', [trial(), erroredTrial()]);
    expect(entryOf(truncated.result, truncated.trials)).toBeNull();
  });
  it('holds no key of the shape of a secret that a label quotes', () => {
    const secret = `sk-${'A1b2'.repeat(8)}`;
    const made = sampleCase('a', [trial({ checks: [check({ label: `contains("${secret}")` })] })]);
    expect(JSON.stringify(entry(made))).not.toContain(secret);
    expect(compareEntries(entry(made), entry(made)).lost).toEqual([]);
  });
  it('takes model, tools and judge from the receipt', () => {
    const made = sampleCase('a', [
      trial({
        receipt: receipt({
          mode: 'live',
          modelRef: 'claude-cli:sonnet',
          judgeRef: 'claude-cli:opus',
          toolSurface: { requested: ['b', 'a'], effective: ['a'], registered: ['a'] },
        }),
      }),
    ]);
    expect(entry(made)).toMatchObject({
      mode: 'live',
      provider_ref: 'claude-cli:sonnet',
      judge_ref: 'claude-cli:opus',
      tool_surface: { requested: ['a', 'b'], effective: ['a'], registered: ['a'] },
      total_tokens: 15,
      score: 1,
    });
  });
});
