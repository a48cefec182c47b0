import { describe, expect, it } from 'vitest';
import { gradeChecks, verdictOf } from '../../src/grade/index.js';
import { answered, call, spec } from './support.js';

const used = spec('tool-used', { tools: ['echo'] });

describe('an empty final answer', () => {
  it.each([
    ['spaces', '  \n'],
    ['characters without a width', '\u200b\u2060\ufeff'],
  ])('of %s passes no case, whatever the other checks and the threshold say', (_, text) => {
    const recording = answered(text, { toolCalls: [call('echo')] });
    const checks = gradeChecks([used], recording, { emptyText: 'fail' });
    expect(checks.map((check) => [check.label, check.outcome])).toEqual([
      [used.label, 'pass'],
      ['answer_not_empty', 'fail'],
    ]);
    expect(verdictOf(checks, { rule: 'all' }).passed).toBe(false);
    expect(verdictOf(checks, { rule: 'weighted', threshold: 0.1 })).toMatchObject({
      passed: false,
      score: 0,
    });
  });

  it('is graded like any other where the case allows it', () => {
    const recording = answered('', { toolCalls: [call('echo')] });
    expect(gradeChecks([used], recording, { emptyText: 'grade' })).toHaveLength(1);
  });

  it('changes nothing when there is an answer', () => {
    const recording = answered('x', { toolCalls: [call('echo')] });
    expect(gradeChecks([used], recording, { emptyText: 'fail' })).toHaveLength(1);
  });
});

describe('a stored output', () => {
  const base = answered('done');
  const stored = { ...base, receipt: { ...base.receipt, mode: 'outputs' as const } };

  it('cannot pass a check of what it does not hold, in either polarity', () => {
    const checks = gradeChecks(
      [
        spec('tool-not-used', { tools: ['shell'] }),
        { ...spec('tool-used', { tools: ['shell'] }), negated: true },
        spec('budget', { metric: 'total_tokens', limit: 10 }),
        spec('file-absent', { path: 'secret.txt' }),
      ],
      stored,
      { emptyText: 'fail' },
    );
    expect(checks.map((check) => check.outcome)).toEqual(['error', 'error', 'error', 'error']);
  });

  it('is graded by its text', () => {
    const [check] = gradeChecks([spec('contains', { value: 'done', trim: true })], stored, {
      emptyText: 'fail',
    });
    expect(check?.outcome).toBe('pass');
  });
});
