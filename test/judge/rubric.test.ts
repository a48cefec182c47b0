import { describe, expect, it } from 'vitest';
import { context, readFences, recording, rubric, rubricVerdict, scriptedJudge } from './helpers.js';

const reply = (score: unknown, pass: unknown, reason: unknown = 'because'): string =>
  JSON.stringify({ reason, score, pass });

describe('a rubric', () => {
  it.each([
    [1, false, 0, 'fail'],
    [2, false, 0.25, 'fail'],
    [3, false, 0.5, 'fail'],
    [3, true, 0.5, 'fail'],
    [4, true, 0.75, 'pass'],
    [5, true, 1, 'pass'],
  ])('maps %d with pass %s to %d and the outcome %s', async (score, pass, value, outcome) => {
    const verdict = await rubricVerdict(reply(score, pass));
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.score).toBe(value);
    expect(verdict.evidence).toContain('because');
  });

  it('passes on the bar and fails just above it', async () => {
    expect((await rubricVerdict(reply(4, true), 0.75)).outcome).toBe('pass');
    expect((await rubricVerdict(reply(4, true), 0.76)).outcome).toBe('fail');
  });

  it('lets a border score through when the bar is low and the judge passes it', async () => {
    expect((await rubricVerdict(reply(3, true), 0.5)).outcome).toBe('pass');
    expect((await rubricVerdict(reply(3, false), 0.5)).outcome).toBe('fail');
  });

  it('passes a threshold of 0 only when the judge does', async () => {
    expect((await rubricVerdict(reply(1, false), 0)).outcome).toBe('fail');
  });

  it.each([
    [reply(1, true), 'contradicts'],
    [reply(2, true), 'contradicts'],
    [reply(4, false), 'contradicts'],
    [reply(5, false), 'contradicts'],
    [reply(0, false), 'outside 1 to 5'],
    [reply(6, true), 'outside 1 to 5'],
    [reply(9, true), 'outside 1 to 5'],
    [reply('9', 'true'), 'outside 1 to 5'],
    [reply(4.5, true), 'not a whole number'],
  ])('makes %s a judge error, without asking again', async (text, why) => {
    const verdict = await rubricVerdict([text, reply(5, true)]);
    expect(verdict.outcome).toBe('error');
    expect(verdict.evidence).toContain(why);
    expect(verdict.score).toBeUndefined();
    expect(verdict.judge?.replies).toHaveLength(1);
  });

  it.each([
    '{"score": 5, "pass": true}',
    '{"reason": "  ", "score": 5, "pass": true}',
    '{"reason": "x", "pass": true}',
    '{"reason": "x", "score": 5}',
    reply('five', true),
    reply('4/5', true),
    reply(null, true),
    reply(5, 'yes'),
    reply(5, 1),
    reply(true, true),
    '{"score": 0, "reason": "bad"}',
  ])('does not take %s as a verdict', async (text) => {
    const verdict = await rubricVerdict(text);
    expect(verdict.outcome).toBe('error');
    expect(verdict.judge?.replies).toHaveLength(2);
  });

  it.each([
    ['4', 'TRUE', 'pass'],
    [' 4 ', ' true ', 'pass'],
    ['5.0', true, 'pass'],
    ['2', 'False', 'fail'],
  ])('reads the strings %s and %s as what they say', async (score, pass, outcome) => {
    expect((await rubricVerdict(reply(score, pass))).outcome).toBe(outcome);
  });

  it.each(['UNKNOWN', 'unknown: not stated', '  Unknown, no evidence', '**UNKNOWN**: unclear', '"unknown"'])(
    'is unknown when the reason begins like %s, whatever the score says',
    async (reason) => {
      for (const text of [reply(1, false, reason), reply(5, true, reason), reply(null, false, reason)]) {
        const verdict = await rubricVerdict(text);
        expect(verdict.outcome).toBe('unknown');
        expect(verdict.score).toBeUndefined();
      }
    },
  );

  it('is not unknown when the word comes later or is part of another', async () => {
    expect((await rubricVerdict(reply(5, true, 'It names the unknown.'))).outcome).toBe('pass');
    expect((await rubricVerdict(reply(5, true, 'Unknowns are named.'))).outcome).toBe('pass');
  });

  it('gives the same verdict when the check is negated: the flip is not made here', async () => {
    const { judge } = scriptedJudge(() => reply(1, false));
    const verdict = await judge.grade(rubric('x', { negated: true }), recording(['a']), context);
    expect(verdict).toMatchObject({ outcome: 'fail', score: 0 });
  });

  it('shows the judge the task, the answer, the reference and the rubric, and nothing of the checks', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    const spec = rubric('Is it polite?', {
      reference: 'Good day.',
      label: 'secret-label',
      threshold: 0.61234,
    });
    await judge.grade(spec, recording(['Hello.']), { prompts: ['Say hello.'] });
    const { names, parts } = readFences(requests[0]?.user ?? '');
    expect(names).toEqual(['task', 'reference', 'answer', 'rubric']);
    expect(Object.fromEntries(parts)).toEqual({
      task: 'Say hello.',
      reference: 'Good day.',
      answer: 'Hello.',
      rubric: 'Is it polite?',
    });
    expect(JSON.stringify(requests)).not.toMatch(/secret-label|0\.61234/);
  });

  it('asks at temperature 0, for the reason first, in text and in the schema', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    await judge.grade(rubric('x'), recording(['a']), context);
    const [request] = requests;
    expect(request?.temperature).toBe(0);
    expect(request?.purpose).toBe('judge:llm-rubric');
    expect(Object.keys(Object(request?.schema?.['properties']))).toEqual(['reason', 'score', 'pass']);
    expect(request?.system).toMatch(/Reason first/);
  });

  it('grades the turn the check names, and shows only the turns up to it', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    await judge.grade(rubric('x', { turn: 1 }), recording(['one', 'two', 'three']), {
      prompts: ['p1', 'p2', 'p3'],
    });
    const { names, parts } = readFences(requests[0]?.user ?? '');
    expect(names).toEqual(['task turn 1', 'task turn 2', 'answer', 'rubric']);
    expect(parts.get('answer')).toBe('two');
  });

  it('is an error when the named turn never happened', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    const verdict = await judge.grade(rubric('x', { turn: 3 }), recording(['one']), context);
    expect(verdict.outcome).toBe('error');
    expect(requests).toHaveLength(0);
  });

  it('shows tool calls only when asked to', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    const run = recording(['Done.'], [{ name: 'echo', arguments: '{"message":"hi"}', result: 'hi' }]);
    await judge.grade(rubric('x'), run, context);
    await judge.grade(rubric('x', { includeTranscript: true }), run, context);
    expect(readFences(requests[0]?.user ?? '').names).not.toContain('transcript');
    const transcript = readFences(requests[1]?.user ?? '').parts.get('transcript') ?? '';
    expect(JSON.parse(transcript)).toEqual({
      turn: 1,
      tool: 'echo',
      arguments: '{"message":"hi"}',
      succeeded: true,
      result: 'hi',
    });
  });

  it('refuses a rubric that is too long instead of cutting it, and takes one of just that length', async () => {
    const { judge, requests } = scriptedJudge(() => reply(5, true));
    const long = await judge.grade(rubric('é'.repeat(16_001)), recording(['a']), context);
    expect(long.outcome).toBe('error');
    expect(long.evidence).toContain('16001');
    expect(requests).toHaveLength(0);
    const fits = await judge.grade(rubric('é'.repeat(16_000)), recording(['a']), context);
    expect(fits.outcome).toBe('pass');
    expect(readFences(requests[0]?.user ?? '').parts.get('rubric')).toBe('é'.repeat(16_000));
  });

  it('is an error for a check that is not judged', async () => {
    const { judge } = scriptedJudge(() => reply(5, true));
    const spec = { ...rubric('x'), type: 'contains', value: 'x', trim: true } as const;
    expect((await judge.grade(spec, recording(['x']), context)).outcome).toBe('error');
  });
});
