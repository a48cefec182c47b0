import { describe, expect, it } from 'vitest';
import type { CheckSpec } from '../../src/core/index.js';
import {
  context,
  judgedVectors,
  recording,
  rubric,
  scriptedJudge,
  statements,
  type JudgedVector,
} from './helpers.js';

function specOf({ type, value }: JudgedVector['assert']): { spec: CheckSpec; negated: boolean } {
  const negated = type.startsWith('not-');
  const list = typeof value === 'string' ? [value] : value;
  if (type.endsWith('llm-rubric')) return { spec: rubric(list.join('\n'), { negated }), negated };
  if (type.endsWith('llm-assert')) return { spec: statements(list, { negated }), negated };
  throw new Error(`no such judged type: ${type}`);
}

// The flip that grading makes for every negated check, over pass and fail only.
const FLIPPED: Record<string, string> = { pass: 'fail', fail: 'pass', unknown: 'unknown', error: 'error' };

describe('the right verdicts of judged checks', () => {
  const vectors = judgedVectors();

  it('are all there', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(15);
  });

  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', async (_, vector) => {
    const { spec, negated } = specOf(vector.assert);
    const { judge } = scriptedJudge(() => vector.assert.judge_reply);
    const verdict = await judge.grade(spec, recording(['Hello there.']), context);
    expect(negated ? FLIPPED[verdict.outcome] : verdict.outcome).toBe(vector.right);
    expect(verdict.evidence).not.toBe('');
    expect(verdict.judge?.replies[0]).toBe(vector.assert.judge_reply);
  });
});
