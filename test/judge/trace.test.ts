import { describe, expect, it } from 'vitest';
import { createJudge, type JudgeAnswer } from '../../src/judge/index.js';
import { answered, context, recording, rubric, scriptedJudge, seededRandom } from './helpers.js';

const PASS = '{"reason": "kind", "score": 5, "pass": true}';

async function traceFor(
  answers: JudgeAnswer[],
): ReturnType<ReturnType<typeof scriptedJudge>['judge']['grade']> {
  const { judge } = scriptedJudge((_, index) => answers[index] ?? '');
  return judge.grade(rubric('x'), recording(['a']), context);
}

describe('what is kept of a judgement', () => {
  it('is the model as named and served, the raw replies and the sums over all tries', async () => {
    const { judge } = await traceFor([
      answered('no verdict', { inputTokens: 100, outputTokens: 20, cost: 0.5 }),
      answered(PASS, { inputTokens: 150, outputTokens: 30, cost: 0.25 }),
    ]);
    expect(judge).toEqual({
      model: 'scripted-judge',
      servedModel: 'judge-1',
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      replies: ['no verdict', PASS],
      inputTokens: 250,
      outputTokens: 50,
      cost: 0.75,
      cached: false,
    });
  });

  it('has no sum where a part is unknown', async () => {
    const { judge } = await traceFor([
      answered('?', { cost: null }),
      answered(PASS, { inputTokens: null, servedModel: null }),
    ]);
    expect(judge).toMatchObject({ cost: null, inputTokens: null, outputTokens: 10, servedModel: 'judge-1' });
  });

  it('is cached only when every try was', async () => {
    const hit = answered('?', { cached: true });
    expect((await traceFor([answered(PASS, { cached: true })])).judge?.cached).toBe(true);
    expect((await traceFor([hit, answered(PASS)])).judge?.cached).toBe(false);
  });

  it('has a prompt hash that does not depend on the boundary and does on everything else', async () => {
    const { judge, requests } = scriptedJudge(() => PASS);
    const hashOf = async (text: string, answer: string, prompt: string): Promise<string | undefined> =>
      (await judge.grade(rubric(text), recording([answer]), { prompts: [prompt] })).judge?.promptHash;
    const first = await hashOf('r', 'a', 'p');
    expect(await hashOf('r', 'a', 'p')).toBe(first);
    expect(requests[0]?.user).not.toBe(requests[1]?.user);
    expect(requests[0]?.promptHash).toBe(first);
    const others = [await hashOf('r2', 'a', 'p'), await hashOf('r', 'a2', 'p'), await hashOf('r', 'a', 'p2')];
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('names the boundary by a constant in stored replies', async () => {
    const judge = createJudge({
      modelRef: 'm',
      random: seededRandom(),
      redactBoundary: 'CODE',
      ask: async ({ user }) => Promise.resolve(answered(`${/⟦assay (\S+)/u.exec(user)?.[1]} ${PASS}`)),
    });
    const verdict = await judge.grade(rubric('x'), recording(['a']), context);
    expect(verdict.judge?.replies).toEqual([`CODE ${PASS}`]);
  });
});

describe('a judge that cannot be asked', () => {
  const failing = createJudge({
    modelRef: 'm',
    random: seededRandom(),
    ask: async () => Promise.reject(new Error('503 overloaded')),
  });

  it.each([false, true])('is an error and never a verdict (negated: %s)', async (negated) => {
    const verdict = await failing.grade(rubric('x', { negated }), recording(['a']), context);
    expect(verdict.outcome).toBe('error');
    expect(verdict.evidence).toContain('503 overloaded');
    expect(verdict.score).toBeUndefined();
    expect(verdict.judge).toMatchObject({ replies: [], inputTokens: null, cost: null, cached: false });
  });

  it('is an error as well when only the repair fails, with the first reply kept', async () => {
    const { judge } = scriptedJudge((_, index) => {
      if (index === 1) throw new Error('connection lost');
      return 'no verdict';
    });
    const verdict = await judge.grade(rubric('x'), recording(['a']), context);
    expect(verdict.outcome).toBe('error');
    expect(verdict.evidence).toContain('connection lost');
    expect(verdict.judge?.replies).toEqual(['no verdict']);
  });

  it('is not asked at all once it was cancelled', async () => {
    const { judge, requests } = scriptedJudge(() => PASS);
    const verdict = await judge.grade(rubric('x'), recording(['a']), context, AbortSignal.abort());
    expect(verdict.outcome).toBe('error');
    expect(requests).toHaveLength(0);
  });

  it('is handed the signal', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const judge = createJudge({
      modelRef: 'm',
      random: seededRandom(),
      ask: async (_, signal) => {
        seen = signal;
        return Promise.resolve(answered(PASS));
      },
    });
    await judge.grade(rubric('x'), recording(['a']), context, controller.signal);
    expect(seen).toBe(controller.signal);
  });
});
