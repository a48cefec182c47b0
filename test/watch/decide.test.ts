import { describe, expect, it } from 'vitest';
import { fixedSource, type RunSummary } from '../../src/core/index.js';
import { decide, dropTest, type CaseFacts, type RunFacts } from '../../src/watch/index.js';

const LIMITS = { alpha: 0.05, maxDrop: 0.1 };

function summary(changes: Partial<RunSummary>): RunSummary {
  const nothing = {
    passed: 0,
    failed: 0,
    errored: 0,
    notRun: 0,
    trials: 0,
    scoredTrials: 0,
    passedTrials: 0,
  };
  return {
    runId: 'run_1',
    suite: 's',
    suitePath: 'evals/s.yaml',
    format: 'assertion',
    kind: 'regression',
    mode: 'live',
    gate: 'mean',
    threshold: 0.75,
    outcome: 'passed',
    reason: 'the mean is high enough',
    trials: 2,
    score: 1,
    passAtK: 1,
    passHatK: 1,
    totals: { ...nothing, cases: 0, reusedTrials: 0 },
    inputTokens: 0,
    outputTokens: 0,
    cost: null,
    agentModel: 'none',
    judgeModel: null,
    seed: 1,
    startedAt: '',
    finishedAt: '',
    interrupted: false,
    assayVersion: '0',
    git: null,
    directory: null,
    ...changes,
  };
}

function run(id: string, scores: Record<string, number[]>, changes: Partial<RunSummary> = {}): RunFacts {
  const cases = Object.entries(scores).map(([name, own]): CaseFacts => ({
    id: name,
    hash: name,
    scores: own,
    passes: own.map((score) => score >= 0.75),
  }));
  return { runId: id, directory: id, summary: summary({ runId: id, ...changes }), cases };
}

/** The same scores for several cases. */
function cases(count: number, scores: number[]): Record<string, number[]> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, scores]));
}

describe('the chance of a drop', () => {
  it('is that of the permutations within each case', () => {
    const source = fixedSource();
    // Both before passed and both after failed: 1 of the 6 ways to choose two of four.
    expect(dropTest([{ before: [1, 1], after: [0, 0] }], source)).toBeCloseTo(1 / 6, 12);
    expect(
      dropTest(
        [0, 1].map(() => ({ before: [1, 1], after: [0, 0] })),
        source,
      ),
    ).toBeCloseTo(1 / 36, 12);
    // Nothing moved: every way is as low.
    expect(dropTest([{ before: [1, 1], after: [1, 1] }], source)).toBeCloseTo(1, 12);
    expect(dropTest([{ before: [0, 1], after: [1, 0] }], source)).toBeCloseTo(5 / 6, 12);
    expect(dropTest([{ before: [0, 0], after: [1, 1] }], source)).toBeCloseTo(1, 12);
  });

  it('is drawn where there are too many sums to count, and is never 0', () => {
    let seed = 7;
    const next = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    const many = Array.from({ length: 12 }, () => ({
      before: Array.from({ length: 8 }, () => 0.5 + next() / 2),
      after: Array.from({ length: 8 }, () => next() / 2),
    }));
    const p = dropTest(many, fixedSource());
    expect(p).toBeGreaterThan(0);
    expect(p).toBeLessThan(0.001);
    const same = many.map(({ before }) => ({ before, after: before }));
    expect(dropTest(same, fixedSource())).toBeGreaterThan(0.2);
  });

  it('is not known without a case that has scores on both sides', () => {
    expect(dropTest([], fixedSource())).toBeNull();
    expect(dropTest([{ before: [], after: [1] }], fixedSource())).toBeNull();
  });
});

describe('what a run says of a change', () => {
  it('is good when nothing dropped', () => {
    const decided = decide(run('new', cases(6, [1, 1])), [run('old', cases(6, [1, 1]))], LIMITS);
    expect(decided).toMatchObject({ verdict: 'good', drop: 0, against: 'old' });
  });

  it('is a regression above the threshold too, when chance does not explain the drop', () => {
    const after = { ...cases(6, [1, 1]), c0: [0.2, 0.2], c1: [0.4, 0.4] };
    const decided = decide(run('new', after, { score: 0.76 }), [run('old', cases(6, [1, 1]))], LIMITS);
    expect(decided).toMatchObject({ verdict: 'regression', against: 'old' });
    expect(decided.p).toBeCloseTo(1 / 36, 12);
    expect(decided.reason).toMatch(/^23\.3 points lower than old, more than chance explains/);
  });

  it('is a lower result when the drop is large and chance may explain it', () => {
    const after = { ...cases(6, [1, 1]), c0: [0, 0] };
    const decided = decide(run('new', after, { score: 0.83 }), [run('old', cases(6, [1, 1]))], LIMITS);
    expect(decided).toMatchObject({ verdict: 'lower' });
    expect(decided.p).toBeCloseTo(1 / 6, 12);
  });

  it('asks all good runs together, so that the same drop is a regression after three of them', () => {
    const after = { ...cases(6, [1, 1]), c0: [0, 0] };
    const good = ['third', 'second', 'first'].map((id) => run(id, cases(6, [1, 1])));
    const decided = decide(run('new', after, { score: 0.83 }), good, LIMITS);
    expect(decided).toMatchObject({ verdict: 'regression', against: 'third' });
    expect(decided.p).toBeCloseTo(1 / 28, 12);
  });

  it('is good when the drop is small and chance explains it', () => {
    const after = { ...cases(6, [1, 1]), c0: [1, 0.6] };
    expect(decide(run('new', after), [run('old', cases(6, [1, 1]))], LIMITS)).toMatchObject({
      verdict: 'good',
    });
  });

  it('is a regression when the suite fails, whatever is known of earlier runs', () => {
    const failed = run('new', cases(2, [0, 0]), { outcome: 'failed', reason: 'mean too low' });
    expect(decide(failed, [], LIMITS)).toMatchObject({ verdict: 'regression', drop: null, against: null });
    expect(decide(failed, [run('old', cases(2, [1, 1]))], LIMITS).reason).toBe(
      'the suite fails: mean too low; old passed',
    );
  });

  it('compares passes where the mean does not gate', () => {
    const before = run('old', cases(6, [0.9, 0.9]), { gate: 'pass^k' });
    const after = run('new', { ...cases(6, [0.8, 0.8]) }, { gate: 'pass^k' });
    expect(decide(after, [before], LIMITS)).toMatchObject({ verdict: 'good', drop: 0 });
    const byScore = decide(
      { ...after, summary: summary({ gate: 'mean' }) },
      [{ ...before, summary: summary({}) }],
      LIMITS,
    );
    expect(byScore).toMatchObject({ verdict: 'regression' });
  });

  it('knows no chance in replays', () => {
    const after = run('new', { a: [0.9] }, { mode: 'replay' });
    const before = run('old', { a: [1] }, { mode: 'replay' });
    expect(decide(after, [before], LIMITS)).toMatchObject({ verdict: 'regression', p: null });
  });

  it('compares with no run of another judge or mode, and with no case that was changed', () => {
    const after = run('new', { a: [0.8] }, { judgeModel: 'j' });
    for (const before of [
      run('old', { a: [1] }, { judgeModel: 'other' }),
      run('old', { a: [1] }, { judgeModel: 'j', mode: 'outputs' }),
      run('old', { b: [1] }, { judgeModel: 'j' }),
    ]) {
      expect(decide(after, [before], LIMITS)).toMatchObject({ verdict: 'good', drop: null, against: null });
    }
  });
});
