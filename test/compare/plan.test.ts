import { describe, expect, it } from 'vitest';
import { planRun, planTable, type PlanInput } from '../../src/compare/index.js';
import { countedCase, countedSide, ids, storedSide } from './support.js';

function planned(cases: number, trials: number, changes: Partial<PlanInput> = {}) {
  return planRun({
    cases: ids(cases).map((key) => ({ key, trials, judgeCalls: 0 })),
    history: [],
    price: () => null,
    concurrency: 8,
    effect: null,
    alpha: 0.05,
    power: 0.8,
    ...changes,
  });
}

describe('a plan without history', () => {
  it('shows the published planning table', () => {
    // Minimum detectable difference, 80% power, two-sided 0.05, spread 0.05 between and 0.09 within.
    const table: [number, number[]][] = [
      [20, [0.3, 0.208, 0.184, 0.163]],
      [50, [0.19, 0.131, 0.116, 0.103]],
      [200, [0.095, 0.066, 0.058, 0.052]],
    ];
    for (const [cases, row] of table) {
      const shown = [1, 3, 5, 10].map((trials) => planned(cases, trials).detectable ?? 0);
      expect(shown.map((value) => Number(value.toFixed(3)))).toEqual(row);
    }
  });

  it('knows no tokens, cost or time and says what to do', () => {
    const plan = planned(10, 3);
    expect(plan.expected).toMatchObject({ inputTokens: null, cost: null, wallMs: null, knownTrials: 0 });
    expect(planTable(plan)).toContain('No stored run');
    expect(plan.spread.from).toBe('assumed');
  });

  it('gives the trials that a wanted effect needs, and cases where no trials would do', () => {
    const { wanted } = planned(100, 1, { effect: 0.1 });
    expect(wanted?.trials).toBeGreaterThan(1);
    const enough = planned(100, wanted?.trials ?? 1).detectable ?? 1;
    const fewer = planned(100, (wanted?.trials ?? 1) - 1).detectable ?? 0;
    expect(enough).toBeLessThanOrEqual(0.1);
    expect(fewer).toBeGreaterThan(0.1);
    const small = planned(20, 5, { effect: 0.02 }).wanted;
    expect(small?.trials).toBeNull();
    expect(planned(small?.cases ?? 1, 5).detectable).toBeLessThanOrEqual(0.02);
  });

  it('counts the calls of judges', () => {
    const cases = [
      { key: 'a', trials: 3, judgeCalls: 2 },
      { key: 'b', trials: 1, judgeCalls: 0 },
    ];
    expect(planned(0, 1, { cases })).toMatchObject({ cases: 2, trials: 4, judgeCalls: 6 });
  });
});

describe('a plan with history', () => {
  it('expects what the stored trials of each case took', async () => {
    const stored = await storedSide({ cases: { a: [1, 1], b: [1, 0] } });
    const [first] = stored.cases;
    const cases = [
      { key: first?.key ?? '', trials: 4, judgeCalls: 0 },
      { key: 'unknown', trials: 1, judgeCalls: 0 },
    ];
    // Every stored trial took 12 tokens in, 9 out, 0.0001 dollars and 25 ms.
    const plan = planned(0, 1, { cases, history: [stored], concurrency: 5 });
    expect(plan.expected).toMatchObject({ inputTokens: 60, outputTokens: 45, wallMs: 25, knownTrials: 4 });
    expect(plan.expected.cost).toBeCloseTo(0.0005, 12);
    expect(planTable(plan)).toContain('1 of 5 trials have no history');
  });

  it('prices tokens from a table where no cost was recorded', () => {
    const spending = {
      inputTokens: 100,
      outputTokens: 10,
      cost: null,
      durationMs: 1,
      judgeTokens: 0,
      judgeCost: 0,
    };
    const history = [countedSide('r', [{ ...countedCase('c0', 1, 2), spending }])];
    const plan = planned(2, 1, { history, price: (input, output) => input * 0.01 + output });
    expect(plan.expected.cost).toBeCloseTo(22, 12);
  });

  it('takes the spread from two runs of several trials, never from single trials', () => {
    const run = (label: string, scored: number) =>
      countedSide(
        label,
        ids(10).map((id, index) => countedCase(id, index % (scored + 1), scored)),
      );
    expect(planned(10, 2, { history: [run('b', 3), run('a', 3)] }).spread).toMatchObject({
      omega2: 0,
      from: 'history',
    });
    expect(planned(10, 2, { history: [run('b', 1), run('a', 1)] }).spread.from).toBe('assumed');
  });
});
