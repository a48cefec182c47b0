import { describe, expect, it } from 'vitest';
import type { BudgetMetric, Recording } from '../../src/core/index.js';
import { answered, call, graded, spec } from './support.js';

const recording = answered('x', {
  usage: { inputTokens: 100, outputTokens: 20, cost: 0.25 },
  durationMs: 900,
  llmCalls: 3,
  toolCalls: [call('echo'), call('echo')],
});

const within = (metric: BudgetMetric, limit: number, of: Recording = recording, negated = false) =>
  graded(spec('budget', { metric, limit }, { negated, category: 'budget' }), of);

describe('budget', () => {
  it.each([
    ['input_tokens', 100],
    ['output_tokens', 20],
    ['total_tokens', 120],
    ['duration_ms', 900],
    ['llm_calls', 3],
    ['tool_calls', 2],
    ['cost', 0.25],
  ] as const)('%s passes at the limit and fails below', (metric, actual) => {
    expect(within(metric, actual)).toMatchObject({
      outcome: 'pass',
      category: 'budget',
      evidence: `${metric} is ${actual}, the upper limit ${actual}`,
    });
    expect(within(metric, actual - 0.125).outcome).toBe('fail');
    expect(within(metric, actual, recording, true).outcome).toBe('fail');
    expect(within(metric, actual - 0.125, recording, true).outcome).toBe('pass');
  });

  it('makes an error of an unknown cost in either polarity, never 0', () => {
    const unknown = answered('x');
    for (const negated of [false, true]) {
      expect(within('cost', 1, unknown, negated)).toMatchObject({
        outcome: 'error',
        evidence: 'cost is unknown for this trial',
      });
    }
    expect(
      within(
        'total_tokens',
        1,
        answered('x', { usage: { inputTokens: Number.NaN, outputTokens: 1, cost: 0 } }),
      ).outcome,
    ).toBe('error');
  });

  it('saturates sums rather than rounding them', () => {
    const huge = answered('x', {
      usage: { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: Number.MAX_SAFE_INTEGER, cost: null },
    });
    expect(within('total_tokens', Number.MAX_SAFE_INTEGER, huge)).toMatchObject({
      outcome: 'pass',
      evidence: 'total_tokens is 9007199254740991, the upper limit 9007199254740991',
    });
    expect(within('total_tokens', Number.MAX_SAFE_INTEGER - 1, huge).outcome).toBe('fail');
  });
});
