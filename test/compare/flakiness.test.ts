import { describe, expect, it } from 'vitest';
import { flakiness, flakinessTable, type ObservedCase } from '../../src/compare/index.js';

type Gradings = readonly (readonly (0 | 1)[])[];

function observed(id: string, gradings: Gradings, changes: Partial<ObservedCase> = {}): ObservedCase {
  return {
    id,
    trials: gradings.map((one, index) => ({ trial: index + 1, gradings: one })),
    replays: null,
    notRegraded: 0,
    ...changes,
  };
}

describe('flakiness', () => {
  it('is agent noise when fresh trials differ and every grading is repeated', () => {
    const { cases, faults } = flakiness([
      observed('steady', [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
      observed('flaky', [
        [1, 1],
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
    ]);
    // 2c(n-c)/(n(n-1)) with c = 2 of n = 4.
    expect(cases[0]).toMatchObject({ id: 'flaky', passed: 2, scored: 4, grader: 0, fault: null });
    expect(cases[0]?.index).toBeCloseTo(2 / 3, 12);
    expect(cases[1]).toMatchObject({ id: 'steady', index: 0 });
    expect(faults).toBe(0);
  });

  it('is grader noise, a fault, when the same recording is graded differently', () => {
    const { cases, faults } = flakiness([
      observed('a', [
        [1, 1],
        [1, 0],
      ]),
    ]);
    expect(cases[0]).toMatchObject({ grader: 0.5, fault: 'grader' });
    expect(faults).toBe(1);
  });

  it('is harness noise, a fault, when the same replay records something else', () => {
    const replays = (differed: number) => ({ replays: { differed, total: 2 } });
    const { cases } = flakiness([observed('a', [[1]], replays(1)), observed('b', [[1]], replays(0))]);
    expect(cases.map((one) => [one.id, one.harness, one.fault])).toEqual([
      ['a', 0.5, 'harness'],
      ['b', 0, null],
    ]);
  });

  it('knows no index below two trials and no grader noise below two gradings', () => {
    const { cases, variance } = flakiness([observed('a', [[1]]), observed('b', [])]);
    expect(cases).toMatchObject([
      { index: null, grader: null, harness: null },
      { index: null, interval: null },
    ]);
    expect(variance).toBeNull();
  });

  it('splits the variance, with the intraclass correlation of the statistics sheet', () => {
    const { variance } = flakiness([
      observed('a', [[1], [1], [1]]),
      observed('b', [[0], [0], [0]]),
      observed('c', [[1], [0], [1]]),
      observed('d', [[0], [1], [0]]),
      observed('odd', [[1]]),
    ]);
    expect(variance).toMatchObject({ cases: 4, trials: 3, grader: null });
    expect(variance?.icc).toBeCloseTo(0.4375, 12);
    expect(variance?.agent).toBeCloseTo(0.16666667, 8);
  });

  it('takes the noise of the grader out of that of the agent', () => {
    const { variance } = flakiness([
      observed('a', [
        [1, 0],
        [0, 1],
        [1, 0],
        [0, 1],
      ]),
      observed('b', [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
    ]);
    // Every grading of a disagrees: 0.5 over all trials, a variance of 0.25; the agent's share is what is left.
    expect(variance?.grader).toBeCloseTo(0.25, 12);
    expect(variance?.agent).toBe(0);
  });

  it('is shown with the names of cases made harmless', () => {
    const text = flakinessTable(flakiness([observed('evil\u001b[2J', [[1], [0]])]));
    expect(text).not.toContain('\u001b');
    expect(text).toContain('1/2');
  });
});
