import { describe, expect, it } from 'vitest';
import { compareRuns, type PairComparisonResult } from '../../src/compare/index.js';
import { AssayError, type TrialResult } from '../../src/core/index.js';
import { check, failure } from '../store/builders.js';
import { ids, storedSide, type Outcomes, type RunPlan } from './support.js';

const ALL: Record<string, Outcomes> = Object.fromEntries(ids(6).map((id) => [id, [1, 1]]));

async function compared(a: RunPlan, b: RunPlan): Promise<PairComparisonResult> {
  const [result] = compareRuns([await storedSide(a, 'A'), await storedSide(b, 'B')]).comparisons;
  if (result === undefined) throw new Error('no comparison');
  return result;
}

function judged(id: string) {
  return (trial: TrialResult): Partial<TrialResult> =>
    trial.caseId === id ? { checks: [check({ category: 'judge', type: 'llm-rubric' })] } : {};
}

describe('what two runs have in common', () => {
  it('is everything for two runs of the same cases, and nothing is said to be left out', async () => {
    const result = await compared({ cases: ALL }, { cases: ALL });
    expect(result.cases.map((one) => one.id)).toEqual(ids(6));
    expect(result).toMatchObject({ restrictions: [], onlyA: [], onlyB: [], changed: [] });
  });

  it('leaves out cases that only one run has, and says which', async () => {
    const result = await compared({ cases: ALL }, { cases: { c0: [1, 1], c1: [1, 1], extra: [1, 1] } });
    expect(result.cases.map((one) => one.id)).toEqual(['c0', 'c1']);
    expect(result).toMatchObject({ onlyA: ['c2', 'c3', 'c4', 'c5'], onlyB: ['extra'] });
    expect(result.restrictions.join('\n')).toContain('only in A');
    expect(result.restrictions.join('\n')).toContain('"extra"');
  });

  it('refuses runs whose cases all changed', async () => {
    const sides = [await storedSide({ cases: ALL }), await storedSide({ cases: ALL, content: 'edited' })];
    const error = await failure(() => compareRuns(sides));
    expect(AssayError.isInstance(error) && error.code).toBe('INPUT');
    expect(AssayError.isInstance(error) && error.fix).toContain('the content changed');
  });

  it('leaves out judged cases when the judge changed, and no others', async () => {
    const plan = (judgeModel: string): RunPlan => ({
      cases: ALL,
      header: { judgeModel },
      change: judged('c2'),
    });
    const other = await compared(plan('one'), plan('two'));
    expect(other.cases.map((one) => one.id)).toEqual(['c0', 'c1', 'c3', 'c4', 'c5']);
    expect(other.restrictions.join('\n')).toContain('judged by one in A and by two in B');
    expect((await compared(plan('one'), plan('one'))).cases).toHaveLength(6);
  });

  it('leaves out cases whose tools differ, and keeps those that could not be scored', async () => {
    const tools = (trial: TrialResult): Partial<TrialResult> => ({
      receipt: {
        ...trial.receipt,
        toolSurface: {
          requested: [],
          effective: trial.caseId === 'c1' ? ['shell'] : ['echo'],
          registered: [],
        },
      },
    });
    const result = await compared({ cases: ALL }, { cases: { ...ALL, c4: [null, null] }, change: tools });
    expect(result.cases.map((one) => one.id)).toEqual(['c0', 'c2', 'c3', 'c4', 'c5']);
    expect(result.unscored).toBe(1);
  });

  it('refuses runs of different modes and of different limits', async () => {
    const live = await storedSide({ cases: ALL });
    const replay = await storedSide({ cases: ALL, header: { mode: 'replay' } });
    const limited = await storedSide({ cases: ALL, header: { settings: { maxSteps: 3 } } });
    const same = await storedSide({ cases: ALL, header: { settings: { maxSteps: null } } });
    expect(String(await failure(() => compareRuns([live, replay])))).toContain('mode');
    expect(String(await failure(() => compareRuns([live, limited])))).toContain('maxSteps');
    expect(compareRuns([live, same]).comparisons).toHaveLength(1);
  });

  it('says that a run is not whole', async () => {
    const result = await compared({ cases: ALL }, { cases: { c0: [1], c1: [0] }, unfinished: true });
    expect(result.restrictions.join('\n')).toContain('B is not whole, it was never finished');
  });

  it('compares only the trials that every case was sure to get when a rule chose the others', async () => {
    const stop = { settings: { stop: { rule: 'sequential', first: 2 } } };
    const result = await compared(
      { cases: ALL, header: stop },
      { cases: { ...ALL, c0: [1, 0, 0, 0] }, header: stop },
    );
    expect(result.cases[0]).toMatchObject({ a: { scored: 2 }, b: { passed: 1, scored: 2 } });
  });

  it('lists what differs: that may be what is compared', async () => {
    const result = await compared({ cases: ALL }, { cases: ALL, header: { agentModel: 'newer' } });
    expect(result.differences).toEqual(['model: module:./model.ts -> newer']);
  });
});

describe('beside the verdict', () => {
  it('tokens, cost and time of a trial stand side by side with their difference', async () => {
    const dearer = (trial: TrialResult): Partial<TrialResult> => ({
      recording:
        trial.recording === null
          ? null
          : { ...trial.recording, usage: { inputTokens: 24, outputTokens: 9, cost: null } },
    });
    const result = await compared({ cases: ALL }, { cases: ALL, change: dearer });
    const [input, output, cost] = result.spending;
    expect(input).toMatchObject({
      what: 'inputTokens',
      a: 12,
      b: 24,
      difference: { value: 12, lo: null, hi: null },
    });
    expect(output).toMatchObject({ a: 9, b: 9 });
    expect(cost).toMatchObject({ a: 0.0001, b: null, difference: null });
  });

  it('dimensions are the metrics of the checks', async () => {
    const tone = (score: number) => (): Partial<TrialResult> => ({
      checks: [check({ metric: 'tone', score, outcome: score === 1 ? 'pass' : 'fail' })],
    });
    const result = await compared({ cases: ALL, change: tone(1) }, { cases: ALL, change: tone(0.5) });
    expect(result.dimensions).toMatchObject([
      {
        name: 'tone',
        a: { passed: 12, total: 12 },
        b: { passed: 0, total: 12 },
        difference: { value: -0.5 },
      },
    ]);
  });
});
