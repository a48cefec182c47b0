import { describe, expect, it } from 'vitest';
import type { JudgeTrace } from '../../src/core/index.js';
import type { Verdict } from '../../src/grade/index.js';
import { answered, graded, gradedFully, spec } from './support.js';

const context = { emptyText: 'fail' } as const;
const rubric = spec('llm-rubric', { rubric: 'polite?', threshold: 0.6, includeTranscript: false });

describe('a judged check', () => {
  const trace: JudgeTrace = {
    model: 'm',
    servedModel: null,
    promptHash: 'h',
    replies: ['r'],
    inputTokens: 1,
    outputTokens: 1,
    cost: null,
    cached: false,
  };

  it('is an error without a judge', async () => {
    expect(await gradedFully(rubric, answered('x'))).toMatchObject({
      outcome: 'error',
      evidence: 'needs a judge, none configured',
    });
    expect(graded(rubric, answered('x'))).toMatchObject({ outcome: 'error' });
    expect(graded(rubric, answered('x')).evidence).toContain('gradeRecording');
  });

  it('takes the verdict, the score and the trace of the judge', async () => {
    const judge = async (): Promise<Verdict> => ({
      outcome: 'pass',
      evidence: 'polite',
      score: 0.75,
      judge: trace,
    });
    expect(await gradedFully(rubric, answered('x'), { ...context, judge })).toMatchObject({
      outcome: 'pass',
      score: 0.75,
      judge: trace,
    });
    expect(
      await gradedFully({ ...rubric, negated: true }, answered('x'), { ...context, judge }),
    ).toMatchObject({
      outcome: 'fail',
      score: 0.25,
      evidence: 'polite',
    });
  });

  it('is an error when the judge rejects, throws no error at all, or answers out of range', async () => {
    const judges: (() => Promise<Verdict>)[] = [
      () => Promise.reject(new Error('offline')),
      () => Promise.reject(''),
      async () => ({ outcome: 'pass', evidence: 'good', score: 1.5 }),
      async () => ({ outcome: 'fail', evidence: 'bad', score: Number.NaN }),
      async () => ({ outcome: 'pass', evidence: '  ' }),
    ];
    for (const judge of judges) {
      for (const negated of [false, true]) {
        const check = await gradedFully({ ...rubric, negated }, answered('x'), { ...context, judge });
        expect(check).toMatchObject({ outcome: 'error', score: 0 });
        expect(check.evidence).toContain('grader error');
      }
    }
  });

  it('keeps the trace of a judge whose verdict cannot be used', async () => {
    const judge = async (): Promise<Verdict> => ({ outcome: 'pass', evidence: '', judge: trace });
    expect(await gradedFully(rubric, answered('x'), { ...context, judge })).toMatchObject({
      outcome: 'error',
      judge: trace,
    });
  });

  it('stays a fail when it fails without evidence', async () => {
    const judge = async (): Promise<Verdict> => ({ outcome: 'fail', evidence: '' });
    expect(await gradedFully(rubric, answered('x'), { ...context, judge })).toMatchObject({
      outcome: 'fail',
      evidence: 'fail without evidence',
    });
  });

  it('is not asked about an empty answer, unless it sees the conversation or the case allows it', async () => {
    let asked = 0;
    const judge = async (): Promise<Verdict> => {
      asked += 1;
      return { outcome: 'fail', evidence: 'bad' };
    };
    const negative = { ...rubric, negated: true };
    expect(await gradedFully(negative, answered(' '), { ...context, judge })).toMatchObject({
      outcome: 'fail',
      evidence: 'the response is empty',
    });
    expect(asked).toBe(0);
    await gradedFully(negative, answered(' '), { emptyText: 'grade', judge });
    const whole = spec('llm-rubric', { rubric: 'polite?', threshold: 0.6, includeTranscript: true });
    await gradedFully(whole, answered(' '), { ...context, judge });
    expect(asked).toBe(2);
  });
});
