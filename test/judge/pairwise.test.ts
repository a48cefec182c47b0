import { describe, expect, it } from 'vitest';
import { context, pairwise, readFences, recording, scriptedJudge } from './helpers.js';

const says = (verdict: unknown, reason = 'because'): string => JSON.stringify({ reason, verdict });

async function compare(...replies: string[]): ReturnType<ReturnType<typeof scriptedJudge>['judge']['grade']> {
  const { judge } = scriptedJudge((_, index) => replies[index] ?? 'no more replies');
  return judge.grade(pairwise(), recording(['the answer']), context);
}

describe('a comparison with the reference', () => {
  it.each([
    ['A', 'B', 'pass', 1],
    ['A', 'TIE', 'pass', 0.75],
    ['TIE', 'B', 'pass', 0.75],
    ['TIE', 'TIE', 'pass', 0.5],
    ['B', 'TIE', 'fail', 0.25],
    ['TIE', 'A', 'fail', 0.25],
    ['B', 'A', 'fail', 0],
  ])(
    'answered %s and, swapped, %s has the outcome %s and the score %d',
    async (first, second, outcome, score) => {
      expect(await compare(says(first), says(second))).toMatchObject({ outcome, score });
    },
  );

  it.each(['A', 'B'])('always won by place %s is unknown, and names position bias', async (letter) => {
    const verdict = await compare(says(letter), says(letter));
    expect(verdict).toMatchObject({ outcome: 'unknown', score: 0.5 });
    expect(verdict.evidence).toContain('position bias');
  });

  it('shows the two in both orders and asks twice', async () => {
    const { judge, requests } = scriptedJudge(() => says('TIE'));
    await judge.grade(pairwise(), recording(['the answer']), context);
    const shown = requests.map((request) => readFences(request.user).parts);
    expect(shown.map((parts) => [parts.get('answer A'), parts.get('answer B')])).toEqual([
      ['the answer', 'the reference answer'],
      ['the reference answer', 'the answer'],
    ]);
  });

  it.each([
    ['first', ['?', '?', says('B')]],
    ['second', [says('A'), '?', '?']],
    ['first by a letter that is none', [says('C'), says('C'), says('B')]],
    ['second by both letters', [says('A'), says('A or B'), says('A or B')]],
    ['second by no letter', [says('A'), says(null), says(null)]],
  ])('is an error, never a tie, when the %s call has no verdict', async (_, replies) => {
    const verdict = await compare(...replies);
    expect(verdict.outcome).toBe('error');
    expect(verdict.score).toBeUndefined();
  });

  it('is an error when a call fails', async () => {
    const { judge } = scriptedJudge((_, index) => {
      if (index === 1) throw new Error('529');
      return says('A');
    });
    const verdict = await judge.grade(pairwise(), recording(['the answer']), context);
    expect(verdict).toMatchObject({ outcome: 'error', evidence: expect.stringContaining('529') });
  });

  it('is unknown when the judge cannot tell', async () => {
    expect((await compare(says('TIE', 'Unknown: no material'), says('TIE'))).outcome).toBe('unknown');
  });

  it('reads lower case, and repairs a reply without a verdict', async () => {
    expect(await compare('hm', says('a'), says(' b '))).toMatchObject({ outcome: 'pass', score: 1 });
  });

  it('sums usage over both orders and their repairs', async () => {
    const verdict = await compare('hm', says('A'), says('B'));
    expect(verdict.judge).toMatchObject({ inputTokens: 30, outputTokens: 15, cost: 0.75 });
    expect(verdict.judge?.replies).toHaveLength(3);
  });

  it('shows what was done for the answer when asked to', async () => {
    const { judge, requests } = scriptedJudge(() => says('TIE'));
    const run = recording(['the answer'], [{ name: 'echo', result: 'hi' }]);
    await judge.grade(pairwise({ includeTranscript: true }), run, context);
    const names = requests.map((request) => readFences(request.user).names);
    expect(names[0]).toEqual(['task', 'transcript of answer A', 'answer A', 'answer B', 'criteria']);
    expect(names[1]).toEqual(['task', 'answer A', 'transcript of answer B', 'answer B', 'criteria']);
  });

  it('refuses criteria that are too long', async () => {
    const { judge, requests } = scriptedJudge(() => says('TIE'));
    const verdict = await judge.grade(pairwise({ criteria: 'c'.repeat(16_001) }), recording(['a']), context);
    expect(verdict.outcome).toBe('error');
    expect(requests).toHaveLength(0);
  });
});

describe('a pair', () => {
  const pair = { a: 'one', b: 'two', prompt: 'Say a number.', criteria: 'the lower number' };

  it('has a winner, a score for a, and what each order found', async () => {
    const { judge } = scriptedJudge((request) =>
      says(readFences(request.user).parts.get('answer A') === 'one' ? 'A' : 'B'),
    );
    const compared = await judge.comparePair(pair);
    expect(compared).toMatchObject({ status: 'decided', winner: 'a', score: 1, orders: ['a', 'a'] });
    const swapped = await judge.comparePair({ ...pair, a: 'two', b: 'one' });
    expect(swapped).toMatchObject({ status: 'decided', winner: 'b', score: 0, orders: ['b', 'b'] });
  });

  it('with two different winners is inconsistent at one half', async () => {
    const { judge } = scriptedJudge(() => says('A'));
    expect(await judge.comparePair(pair)).toMatchObject({
      status: 'decided',
      winner: 'inconsistent',
      score: 0.5,
      orders: ['a', 'b'],
    });
  });

  it('without a verdict has neither winner nor score', async () => {
    const { judge } = scriptedJudge(() => 'hm');
    expect(await judge.comparePair(pair)).toMatchObject({ status: 'error', winner: null, score: null });
  });
});
