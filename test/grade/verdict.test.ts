import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Check, CheckOutcome } from '../../src/core/index.js';
import { verdictOf } from '../../src/grade/index.js';

function check(outcome: CheckOutcome, more: Partial<Check> = {}): Check {
  return {
    label: 'label',
    type: 'contains',
    outcome,
    score: outcome === 'pass' ? 1 : 0,
    weight: 1,
    category: 'response',
    diagnostic: false,
    required: false,
    evidence: 'seen',
    ...more,
  };
}

const pass = check('pass');
const fail = check('fail');

describe('the verdict of a case where every check must pass', () => {
  it('passes when every gating check passed', () => {
    expect(verdictOf([pass, pass], { rule: 'all' })).toEqual({ passed: true, score: 1, error: null });
    expect(verdictOf([pass, fail, pass, pass], { rule: 'all' })).toEqual({
      passed: false,
      score: 0.75,
      error: null,
    });
  });

  it('is not passed and has no score without a gating check', () => {
    expect(verdictOf([], { rule: 'all' })).toEqual({ passed: false, score: null, error: null });
    expect(verdictOf([check('pass', { diagnostic: true })], { rule: 'all' })).toEqual({
      passed: false,
      score: null,
      error: null,
    });
  });

  it('leaves diagnostic checks out of the verdict, the score and the errors', () => {
    for (const outcome of ['pass', 'fail', 'unknown', 'error'] as const) {
      expect(verdictOf([pass, check(outcome, { diagnostic: true })], { rule: 'all' })).toEqual({
        passed: true,
        score: 1,
        error: null,
      });
    }
  });

  it('does not pass on unknown', () => {
    expect(verdictOf([pass, check('unknown')], { rule: 'all' })).toEqual({
      passed: false,
      score: 0.5,
      error: null,
    });
  });
});

describe('the verdict of a weighted case', () => {
  const weighted = (checks: Check[], threshold: number) => verdictOf(checks, { rule: 'weighted', threshold });

  it('compares the weighted mean with the threshold, inclusive', () => {
    const checks = [check('pass', { weight: 3 }), fail];
    expect(weighted(checks, 0.75)).toEqual({ passed: true, score: 0.75, error: null });
    expect(weighted(checks, 0.76).passed).toBe(false);
  });

  it('is not put off by rounding', () => {
    const checks = [check('fail', { score: 0.1 }), check('fail', { score: 0.7 })];
    expect(weighted(checks, 0.4).passed).toBe(true);
    expect(weighted(checks, 0.4001).passed).toBe(false);
  });

  it('takes a threshold of 0 for what it is', () => {
    expect(weighted([fail], 0)).toEqual({ passed: true, score: 0, error: null });
  });

  it('fails with a missed required check, and scores 0 so that no mean can hide it', () => {
    const mostly = [check('pass', { weight: 99 }), check('fail', { required: true })];
    expect(weighted(mostly, 0.5)).toEqual({ passed: false, score: 0, error: null });
    expect(weighted([pass, check('unknown', { required: true, weight: 0 })], 0.5).passed).toBe(false);
    expect(weighted([pass, check('pass', { required: true })], 0.5).passed).toBe(true);
  });

  it('counts unknown as 0', () => {
    expect(weighted([pass, check('unknown')], 0.5)).toEqual({ passed: true, score: 0.5, error: null });
    expect(weighted([check('unknown')], 0.1).passed).toBe(false);
  });

  it('does not let a check of weight 0 count, nor pass when nothing weighs', () => {
    expect(weighted([pass, check('fail', { weight: 0 })], 1)).toEqual({
      passed: true,
      score: 1,
      error: null,
    });
    expect(weighted([check('pass', { weight: 0 })], 0)).toEqual({ passed: false, score: 0, error: null });
  });

  it('leaves diagnostic checks out', () => {
    expect(weighted([pass, check('fail', { diagnostic: true, weight: 9 })], 1)).toMatchObject({
      passed: true,
      score: 1,
    });
  });
});

describe('an error of a gating check', () => {
  it('leaves the trial unscored and says which check', () => {
    const broken = check('error', { label: 'judge:tone', evidence: 'offline' });
    for (const scoring of [{ rule: 'all' }, { rule: 'weighted', threshold: 0 }] as const) {
      expect(verdictOf([pass, broken], scoring)).toEqual({
        passed: false,
        score: null,
        error: 'judge:tone: offline',
      });
    }
  });
});

describe('every verdict', () => {
  it('has a score from 0 to 1 or none, and never passes with an error or with nothing passed', () => {
    const outcome = fc.constantFrom<CheckOutcome>('pass', 'fail', 'unknown', 'error');
    const checks = fc.array(
      fc
        .record({
          outcome,
          weight: fc.double({ min: 0, max: 10, noNaN: true }),
          diagnostic: fc.boolean(),
          required: fc.boolean(),
        })
        .map(({ outcome: found, ...more }) => check(found, more)),
      { maxLength: 6 },
    );
    const threshold = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(checks, threshold, (all, limit) => {
        for (const scoring of [{ rule: 'all' }, { rule: 'weighted', threshold: limit }] as const) {
          const verdict = verdictOf(all, scoring);
          if (verdict.score !== null) {
            expect(verdict.score).toBeGreaterThanOrEqual(0);
            expect(verdict.score).toBeLessThanOrEqual(1);
          }
          if (!verdict.passed) continue;
          expect(verdict.error).toBeNull();
          expect(all.some((one) => !one.diagnostic && one.outcome === 'pass')).toBe(true);
          expect(all.some((one) => !one.diagnostic && one.outcome === 'error')).toBe(false);
        }
      }),
    );
  });
});
