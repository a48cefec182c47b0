import { describe, expect, it } from 'vitest';
import {
  compareRuns,
  comparisonTable,
  gateExitCode,
  type PairComparisonResult,
} from '../../src/compare/index.js';
import { AssayError, type JudgeTrace } from '../../src/core/index.js';
import { check, failure } from '../store/builders.js';
import { countedCase, countedSide, draw, ids, seededRandom, storedSide, type Outcomes } from './support.js';

const JUDGED: JudgeTrace = {
  model: 'judge',
  servedModel: null,
  promptHash: '',
  replies: ['yes'],
  inputTokens: 1,
  outputTokens: 1,
  cost: null,
  cached: false,
};

function only(comparison: { comparisons: PairComparisonResult[] }): PairComparisonResult {
  const [result] = comparison.comparisons;
  if (result === undefined) throw new Error('no comparison');
  return result;
}

function uniform(count: number, outcomes: Outcomes): Record<string, Outcomes> {
  return Object.fromEntries(ids(count).map((id) => [id, outcomes]));
}

describe('the verdict on two stored runs', () => {
  it('finds a drop of 15 points planted in 3 of 40 cases', async () => {
    const random = seededRandom(11);
    const rates = ids(40).map((_, index) => 0.9 + 0.1 * (index % 2));
    const sample = (dropped: boolean): Record<string, Outcomes> =>
      Object.fromEntries(
        ids(40).map((id, index) => {
          const rate = index < 3 ? 0.95 - (dropped ? 0.15 : 0) : (rates[index] ?? 1);
          return [id, draw(random, rate, 250)];
        }),
      );
    const small = { change: () => ({ checks: [], recording: null }) };
    const before = await storedSide({ cases: sample(false), ...small });
    const after = await storedSide({ cases: sample(true), ...small });
    const result = only(compareRuns([before, after]));
    expect(result.verdict.name).toBe('worse');
    expect(result.cases.filter((one) => one.moved !== null).map((one) => [one.id, one.moved])).toEqual([
      ['c0', 'regressed'],
      ['c1', 'regressed'],
      ['c2', 'regressed'],
    ]);
    // The mean of the suite alone hides it: 1.1 points.
    expect(Math.abs(result.difference.difference ?? 1)).toBeLessThan(0.03);
  });

  it('says worse for a clear drop, better when the sides change places, and gates on it', async () => {
    const good = await storedSide({ cases: uniform(30, [1, 1, 1]) });
    const bad = await storedSide({ cases: uniform(30, [1, 0, 0]) });
    const dropped = compareRuns([good, bad]);
    expect(only(dropped).verdict.name).toBe('worse');
    expect(only(dropped)).toMatchObject({ wins: 0, losses: 30, ties: 0 });
    expect(only(dropped).difference.difference).toBeCloseTo(-2 / 3, 12);
    expect(gateExitCode(dropped, true)).toBe(1);
    const gained = compareRuns([bad, good]);
    expect(only(gained).verdict.name).toBe('better');
    expect(gateExitCode(gained, false)).toBe(0);
  });

  it('takes a significant drop within the tolerance for equivalent, and at the tolerance not for worse', () => {
    // 2000 cases of 50 trials each: every 25th case lost one trial in two. Mean drop 2 points, far from chance.
    const before = countedSide(
      'a',
      ids(2000).map((id) => countedCase(id, 50, 50)),
    );
    const after = countedSide(
      'b',
      ids(2000).map((id) => countedCase(id, 49, 50)),
    );
    const within = only(compareRuns([before, after], { tolerance: 0.03 }));
    expect(within.adjusted).toBeLessThan(0.001);
    expect(within.verdict.name).toBe('equivalent');
    expect(only(compareRuns([before, after], { tolerance: 0.01 })).verdict.name).toBe('worse');
  });

  it('does not take a few cases without a flip for equivalence', () => {
    const cases = ids(8).map((id) => countedCase(id, 1, 1));
    const result = only(compareRuns([countedSide('a', cases), countedSide('b', cases)]));
    expect(result.difference).toMatchObject({ difference: 0, p: 1, test: 'mcnemar' });
    expect(result.difference.interval?.lo).toBeLessThan(-0.05);
    expect(result.verdict.name).toBe('not enough data');
    expect(result.verdict.needed?.cases).toBeGreaterThan(8);
    expect(result.verdict.needed?.atLeast).toBe(true);
  });

  it('is undecided between runs that differ by chance, says what would decide, and gates unless told otherwise', () => {
    const before = countedSide(
      'a',
      ids(10).map((id, index) => countedCase(id, index % 3, 3)),
    );
    const after = countedSide(
      'b',
      ids(10).map((id, index) => countedCase(id, (index + 1) % 3, 3)),
    );
    const comparison = compareRuns([before, after]);
    const { verdict } = only(comparison);
    expect(verdict.name).toBe('not enough data');
    expect(verdict.reason).toMatch(/would/);
    expect(gateExitCode(comparison, false)).toBe(1);
    expect(gateExitCode(comparison, true)).toBe(0);
  });

  it('counts the flips of replays instead of testing them', async () => {
    const mode = { header: { mode: 'replay' as const } };
    const before = await storedSide({ cases: uniform(20, [1]), ...mode });
    const flipped = await storedSide({ cases: { ...uniform(20, [1]), c3: [0] }, ...mode });
    expect(only(compareRuns([before, before])).verdict.name).toBe('equivalent');
    const worse = only(compareRuns([before, flipped]));
    expect(worse.verdict).toMatchObject({ name: 'worse', needed: null });
    expect(worse.difference).toMatchObject({ test: 'count', p: null });
    expect(only(compareRuns([flipped, before])).verdict.name).toBe('better');
  });

  it('never calls a side better or equivalent while some of its cases could not be scored', async () => {
    const before = await storedSide({ cases: { ...uniform(40, [0, 0, 0]), x: [1, 1, 1] } });
    const after = await storedSide({ cases: { ...uniform(40, [1, 1, 1]), x: [null, null, null] } });
    const result = only(compareRuns([before, after]));
    expect(result.unscored).toBe(1);
    expect(result.verdict.name).toBe('not enough data');
    expect(result.verdict.reason).toContain('"x"');
    const scored = await storedSide({ cases: { ...uniform(40, [1, 1, 1]), x: [null, 1, 1] } });
    expect(only(compareRuns([before, scored])).verdict.name).toBe('better');
  });

  it('uses McNemar for one trial a case, as worked out by hand', () => {
    // 10 cases went from pass to fail, 2 the other way: the statistics sheet gives 0.038574219.
    const a = ids(40).map((id, index) => countedCase(id, index < 2 ? 0 : 1, 1));
    const b = ids(40).map((id, index) => countedCase(id, index >= 2 && index < 12 ? 0 : 1, 1));
    const result = only(compareRuns([countedSide('a', a), countedSide('b', b)]));
    expect(result.difference.p).toBeCloseTo(0.038574219, 8);
    expect(result.verdict.name).toBe('worse');
  });

  it('flips the cases of one family together', () => {
    const pair = (cluster: string | null) =>
      compareRuns([
        countedSide(
          'a',
          ids(6).map((id) => ({ ...countedCase(id, 3, 3), cluster })),
        ),
        countedSide(
          'b',
          ids(6).map((id) => ({ ...countedCase(id, 0, 3), cluster })),
        ),
      ]);
    // Six signs alike: 2/64. One family: 2/2.
    expect(only(pair(null)).difference).toMatchObject({ p: 0.03125, units: 6 });
    expect(only(pair('f')).difference).toMatchObject({ p: 1, units: 1, interval: null });
    expect(only(pair('f')).verdict.name).toBe('not enough data');
  });
});

describe('what judges said', () => {
  const side = (outcome: 'pass' | 'unknown' | 'error', asked = true) =>
    storedSide({
      cases: uniform(4, [1, 1]),
      change: () => ({
        checks: [check({ category: 'judge', outcome, ...(asked ? { judge: JUDGED } : {}) })],
      }),
    });

  it('stands beside the verdict, unknown and error apart from each other', async () => {
    const comparison = compareRuns([await side('pass'), await side('unknown')]);
    expect(only(comparison).judges).toEqual({
      a: { pass: 8, fail: 0, unknown: 0, error: 0 },
      b: { pass: 0, fail: 0, unknown: 8, error: 0 },
    });
    expect(comparisonTable(comparison)).toContain('0.0% passed, 100.0% unknown, 0.0% error, of 8');
    expect(only(compareRuns([await side('pass'), await side('error')])).judges?.b.error).toBe(8);
  });

  it('leaves out checks that no judge was asked about, and is not there without a judge', async () => {
    const spared = compareRuns([await side('pass'), await side('unknown', false)]);
    expect(only(spared).judges?.b).toEqual({ pass: 0, fail: 0, unknown: 0, error: 0 });
    const plain = await storedSide({ cases: uniform(4, [1]) });
    expect(only(compareRuns([plain, plain])).judges).toBeNull();
  });
});

describe('more than two runs', () => {
  it('holds each against the first, adjusted for all of them', () => {
    const flips = (lost: number) =>
      countedSide(
        `lost ${lost}`,
        ids(40).map((id, index) => countedCase(id, index < lost ? 0 : 1, 1)),
      );
    const alone = compareRuns([flips(0), flips(6)]);
    expect(only(alone).adjusted).toBeCloseTo(0.03125, 12);
    expect(only(alone).verdict.name).toBe('worse');
    const among = compareRuns([flips(0), flips(6), flips(1), flips(2)]);
    expect(among.comparisons[0]?.adjusted).toBeCloseTo(0.09375, 12);
    expect(among.comparisons.slice(1).map((one) => one.adjusted)).toEqual([1, 1]);
    expect(among.comparisons[0]?.verdict.name).toBe('not enough data');
    expect(among.comparisons.map((one) => one.a.label)).toEqual(['lost 0', 'lost 0', 'lost 0']);
  });

  it('refuses a single run and options out of range', async () => {
    const side = countedSide('a', [countedCase('x', 1, 1)]);
    expect(AssayError.isInstance(await failure(() => compareRuns([side])))).toBe(true);
    for (const options of [{ tolerance: 1 }, { tolerance: -0.1 }, { alpha: 0 }, { power: 1 }]) {
      expect(AssayError.isInstance(await failure(() => compareRuns([side, side], options)))).toBe(true);
    }
  });
});

describe('A/A comparisons', () => {
  it('call at most the nominal share better or worse', () => {
    const random = seededRandom(20260301);
    let wrong = 0;
    for (let round = 0; round < 200; round += 1) {
      const rates = ids(30).map(() => random());
      const side = (label: string) =>
        countedSide(
          label,
          ids(30).map((id, index) => {
            const outcomes = draw(random, rates[index] ?? 0.5, 5);
            return countedCase(id, outcomes.filter((one) => one === 1).length, 5);
          }),
        );
      const { name } = only(compareRuns([side('a'), side('b')], { tolerance: 0 })).verdict;
      if (name === 'better' || name === 'worse') wrong += 1;
    }
    expect(wrong).toBeLessThanOrEqual(10);
  });
});
