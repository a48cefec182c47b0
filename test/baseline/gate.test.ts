import { describe, expect, it } from 'vitest';
import { erroredTrial, failedTrial, sampleCase, trial } from '../report/samples.js';
import { baselineOf, exitOf, runAgainst } from './support.js';

const pass = (id: string) => sampleCase(id, [trial()]);
const fail = (id: string) => sampleCase(id, [failedTrial()]);
const error = (id: string) => sampleCase(id, [erroredTrial()]);
/** The same case after its fixture was edited. */
const edited = (one: ReturnType<typeof pass>) => ({
  ...one,
  result: { ...one.result, hash: 'e'.repeat(64) },
});
const unverifiable = { allowUnverifiable: true };
const newFailures = { allowNewFailures: true };

describe('the exit code of a regression suite against a baseline', () => {
  it.each([
    ['everything passes as before', [pass('a'), pass('b')], [pass('a'), pass('b')], 0],
    ['a case fails as before', [fail('a'), pass('b')], [fail('a'), pass('b')], 0],
    ['a case regressed', [fail('a'), pass('b')], [pass('a'), pass('b')], 1],
    ['a case improved', [pass('a'), pass('b')], [fail('a'), pass('b')], 0],
    ['one improved and one regressed', [pass('a'), fail('b')], [fail('a'), pass('b')], 1],
    ['a case could not be scored', [error('a'), pass('b')], [pass('a'), pass('b')], 1],
    ['a failing case could not be scored', [error('a'), pass('b')], [fail('a'), pass('b')], 1],
    ['a new case passes', [pass('a'), pass('n')], [pass('a')], 0],
    ['a new case fails', [pass('a'), fail('n')], [pass('a')], 1],
    ['an edited case fails', [edited(fail('a')), pass('b')], [pass('a'), pass('b')], 1],
    ['an edited case passes', [edited(pass('a')), pass('b')], [pass('a'), pass('b')], 1],
    ['a case was removed', [pass('a')], [pass('a'), fail('gone')], 0],
    ['the baseline is empty and all pass', [pass('a')], [], 1],
    ['the baseline is empty and one fails', [fail('a')], [], 1],
    ['the baseline is of other cases', [pass('a')], [pass('x'), pass('y')], 1],
  ])('%s', (_, now, then, code) => {
    expect(exitOf(now, baselineOf(then))).toBe(code);
  });

  it.each([
    [
      'an edited case that fails, allowed',
      [edited(fail('a')), pass('b')],
      [pass('a'), pass('b')],
      unverifiable,
      0,
    ],
    ['an edited case, the other thing allowed', [edited(fail('a'))], [pass('a')], newFailures, 1],
    ['a new case that fails, allowed', [pass('a'), fail('n')], [pass('a')], newFailures, 0],
    ['a new case that fails, the other thing allowed', [pass('a'), fail('n')], [pass('a')], unverifiable, 1],
    ['an empty baseline, allowed', [pass('a')], [], unverifiable, 0],
    [
      'an empty baseline and a failing case, both allowed',
      [fail('a')],
      [],
      { ...unverifiable, ...newFailures },
      0,
    ],
    ['a regression, everything allowed', [fail('a')], [pass('a')], { ...unverifiable, ...newFailures }, 1],
    ['an error, everything allowed', [error('a')], [pass('a')], { ...unverifiable, ...newFailures }, 1],
  ])('%s', (_, now, then, policy, code) => {
    expect(exitOf(now, baselineOf(then), {}, policy)).toBe(code);
  });

  it('is 1 when cases were not run or the run was interrupted', () => {
    const baseline = baselineOf([pass('a'), pass('b')]);
    const totals = runAgainst([pass('a')], baseline).totals;
    const stopped = { totals: { ...totals, cases: 2, notRun: 1 } };
    expect(exitOf([pass('a')], baseline, stopped, {}, ['a', 'b'])).toBe(1);
    expect(exitOf([pass('a')], baseline, { interrupted: true }, {}, ['a', 'b'])).toBe(1);
  });
});

describe('the exit code of a capability suite against a baseline', () => {
  const capability = { kind: 'capability' as const };
  it.each([
    ['a regression is tracked', [fail('a')], [pass('a')], 0],
    ['a new failing case is tracked', [pass('a'), fail('b')], [pass('a')], 0],
    ['an error gates', [error('a')], [pass('a')], 1],
  ])('%s', (_, now, then, code) => {
    expect(exitOf(now, baselineOf(then), capability)).toBe(code);
  });

  it('comes with both pass rates, their n and intervals, and says when the suite is saturated', () => {
    const many = Array.from({ length: 20 }, (_, index) => pass(`c${index}`));
    const { baseline } = runAgainst(
      [...many.slice(1), fail('c0')],
      baselineOf([...many.slice(1), fail('c0')]),
      capability,
    );
    expect(baseline?.capability).toMatchObject({
      current: { passed: 19, total: 20, rate: 0.95 },
      baseline: { passed: 19, total: 20 },
      saturated: true,
    });
    expect(baseline?.capability?.current.interval?.lo).toBeCloseTo(0.7639, 4);
    const half = runAgainst([pass('a'), fail('b')], baselineOf([pass('a'), fail('b')]), capability);
    expect(half.baseline?.capability?.saturated).toBe(false);
    expect(runAgainst([pass('a')], baselineOf([pass('a')])).baseline?.capability).toBeNull();
  });
});

describe('the comparison of a run', () => {
  it('tells a case that was removed from one that was not selected', () => {
    const baseline = baselineOf([pass('a'), pass('unselected'), pass('gone')]);
    const { baseline: found } = runAgainst([pass('a')], baseline, {}, {}, ['a', 'unselected']);
    expect(found?.cases.map((one) => [one.id, one.classification])).toEqual([
      ['a', 'unchanged'],
      ['gone', 'removed'],
    ]);
    expect(found?.notCompared).toBe(1);
    expect(found?.gates).toBe(false);
  });

  it('names everything that gates in its reason', () => {
    const now = [fail('r'), error('e'), edited(pass('u')), fail('n')];
    const { reason, outcome } = runAgainst(now, baselineOf([pass('r'), pass('e'), pass('u')]));
    expect(outcome).toBe('failed');
    expect(reason).toBe(
      '1 confirmed regression; 1 new case failing; 1 case cannot be verified against the baseline; 1 case could not be scored',
    );
  });

  it('says of an empty baseline that nothing was compared', () => {
    expect(runAgainst([pass('a')], baselineOf([])).reason).toBe(
      'the baseline is empty: nothing was compared',
    );
  });

  it('is an error when all that gates could not be scored', () => {
    expect(runAgainst([error('a'), pass('b')], baselineOf([pass('a'), pass('b')])).outcome).toBe('error');
  });
});
