import { describe, expect, it } from 'vitest';
import { selfTestJudge } from '../../src/judge/index.js';
import { readFences, scriptedJudge, type Replying } from './helpers.js';

function reply(kind: 'rubric' | 'statements', good: boolean): string {
  if (kind === 'rubric') return JSON.stringify({ reason: 'r', score: good ? 5 : 1, pass: good });
  return JSON.stringify({
    results: [1, 2].map((id) => ({ id, reason: 'r', verdict: good ? 'TRUE' : 'FALSE' })),
  });
}

/** A judge whose opinion of the answer is given by a function of its text. */
const judging =
  (isGood: (answer: string) => boolean): Replying =>
  ({ user }) => {
    const { parts } = readFences(user);
    return reply(parts.has('rubric') ? 'rubric' : 'statements', isGood(parts.get('answer') ?? ''));
  };

describe('the self-test of a judge', () => {
  it('passes with a judge that tells the good answer from the bad one', async () => {
    const { judge, requests } = scriptedJudge(judging((answer) => answer.startsWith('No')));
    const found = await selfTestJudge(judge.grade);
    expect(found.passed).toBe(true);
    expect(found.rows.map(({ type, answer, outcome }) => [type, answer, outcome])).toEqual([
      ['llm-rubric', 'good', 'pass'],
      ['llm-rubric', 'bad', 'fail'],
      ['llm-assert', 'good', 'pass'],
      ['llm-assert', 'bad', 'fail'],
    ]);
    expect(requests).toHaveLength(4);
  });

  it.each([
    ['likes everything', () => true, 2],
    ['likes nothing', () => false, 2],
    ['has it the wrong way round', (answer: string) => !answer.startsWith('No'), 0],
  ])('fails with a judge that %s', async (_, isGood, agreeing) => {
    const { judge } = scriptedJudge(judging(isGood));
    const found = await selfTestJudge(judge.grade);
    expect(found.passed).toBe(false);
    expect(found.rows.filter((row) => row.agreed)).toHaveLength(agreeing);
  });

  it('fails with a judge that is silent: an error is not the failure that a bad answer should get', async () => {
    const { judge } = scriptedJudge(() => 'hm');
    const found = await selfTestJudge(judge.grade);
    expect(found.rows.map((row) => row.outcome)).toEqual(['error', 'error', 'error', 'error']);
    expect(found.passed).toBe(false);
  });
});
