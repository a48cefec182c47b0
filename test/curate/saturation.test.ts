import { describe, expect, it } from 'vitest';
import { saturationOf, type RunEvidence, type SaturationReport } from '../../src/curate/index.js';
import type { Suite } from '../../src/index.js';
import { firstCase, yamlSuite } from './support.js';

async function suiteOf(ids: readonly string[], head = 'type: capability'): Promise<Suite> {
  const cases = ids.map((id) => `  - { id: ${id}, prompt: q, assert: [{ type: contains, value: x }] }`);
  return yamlSuite(`${head}\ncases:\n${cases.join('\n')}\n`);
}

interface Counts {
  n: number;
  c: number;
}

/** A stored run in which every case of the suite had these trials. */
function runOf(
  suite: Suite,
  number: number,
  counts: Counts | ((id: string) => Counts),
  more: Partial<RunEvidence> = {},
): RunEvidence {
  const cases = [...suite.cases].map(({ id, hash }) => ({
    id,
    hash,
    ...(typeof counts === 'function' ? counts(id) : counts),
  }));
  return {
    runId: `run_${number}`,
    startedAt: `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`,
    family: 'one',
    agentModel: 'model',
    mode: 'live',
    rate: cases.filter(({ n, c }) => n === c).length / cases.length,
    k: 1,
    cases: () => cases,
    ...more,
  };
}

function runs(suite: Suite, all: readonly Counts[], more: Partial<RunEvidence> = {}): RunEvidence[] {
  return all.map((counts, index) => runOf(suite, index + 1, counts, more));
}

function stateOf(report: SaturationReport): string | undefined {
  return report.cases[0]?.state;
}

describe('Graduation of a case by evidence', () => {
  it.each([
    [[29, 29], 'ready'],
    [[28, 28], 'open'],
    [[46, 45], 'ready'],
    [[45, 44], 'open'],
    [[29, 0], 'dead'],
    [[28, 0], 'open'],
    [[30, 15], 'open'],
  ] as const)('%j trials and passes: %s', async ([n, c], state) => {
    const suite = await suiteOf(['a']);
    expect(stateOf(saturationOf(suite, runs(suite, [{ n, c }]), 'evidence'))).toBe(state);
  });

  it('is not earned by three good runs of five', async () => {
    const suite = await suiteOf(['a']);
    const good = { n: 5, c: 5 };
    const report = saturationOf(suite, runs(suite, [good, good, good]), 'evidence');
    expect(report.cases[0]).toMatchObject({ state: 'open', n: 15, c: 15, runs: 3 });
    expect(stateOf(saturationOf(suite, runs(suite, [good, good, good]), 'simple'))).toBe('ready');
  });

  it('pools the last ten runs and no more', async () => {
    const suite = await suiteOf(['a']);
    const eleven = [{ n: 3, c: 0 }, ...Array.from({ length: 10 }, () => ({ n: 3, c: 3 }))];
    expect(saturationOf(suite, runs(suite, eleven), 'evidence').cases[0]).toMatchObject({
      n: 30,
      c: 30,
      state: 'ready',
    });
  });

  it('pools no trials of another model, of a replay, or of the case as it was', async () => {
    const suite = await suiteOf(['a']);
    const good = { n: 20, c: 20 };
    const other = runOf(suite, 1, good, { family: 'other' });
    const replay = runOf(suite, 2, good, { mode: 'replay' });
    const old = runOf(suite, 3, good, { cases: () => [{ id: 'a', hash: 'old', ...good }] });
    const now = runOf(suite, 4, good);
    const report = saturationOf(suite, [other, replay, old, now], 'evidence');
    expect(report.cases[0]).toMatchObject({ n: 20, runs: 1, state: 'open' });
  });

  it('waits while people disagree about the case', async () => {
    const suite = await yamlSuite(
      '  - { id: a, prompt: q, tags: [ambiguous], assert: [{ type: contains, value: x }] }\n',
    );
    expect(firstCase(suite).tags).toEqual(['ambiguous']);
    expect(stateOf(saturationOf(suite, runs(suite, [{ n: 100, c: 100 }]), 'evidence'))).toBe('ambiguous');
  });

  it('says that there is nothing to go by', async () => {
    const suite = await suiteOf(['a']);
    const report = saturationOf(suite, [], 'evidence');
    expect(report.cases[0]).toMatchObject({ state: 'open', n: 0, lower: null, upper: null });
    expect(report).toMatchObject({ saturated: false, recommended_action: 'keep' });
  });
});

describe('Saturation of a suite by evidence', () => {
  const IDS = ['a', 'b', 'c'];

  it('takes a lower bound at the threshold in each of three runs: 59 of 59 do, 58 of 58 do not', async () => {
    const suite = await suiteOf(['a']);
    const enough = runs(
      suite,
      [59, 59, 59].map((n) => ({ n, c: n })),
    );
    expect(saturationOf(suite, enough, 'evidence')).toMatchObject({
      saturated: true,
      consecutive_above_threshold: 3,
      recommended_action: 'graduate_to_regression',
    });
    expect(enough.length).toBe(3);
    expect(saturationOf(suite, enough.slice(1), 'evidence').saturated).toBe(false);
  });

  it('is broken by one run that leaves room', async () => {
    const suite = await suiteOf(IDS);
    const all = runs(suite, [
      { n: 200, c: 200 },
      { n: 200, c: 100 },
      { n: 200, c: 200 },
      { n: 200, c: 200 },
    ]);
    expect(saturationOf(suite, all, 'evidence')).toMatchObject({
      saturated: false,
      consecutive_above_threshold: 2,
    });
  });

  it('also comes from a suite too small to show what is left, and says so', async () => {
    const suite = await suiteOf(['a', 'b']);
    const report = saturationOf(
      suite,
      runs(
        suite,
        [1, 2, 3].map(() => ({ n: 2, c: 2 })),
      ),
      'evidence',
    );
    expect(report.saturated).toBe(true);
    expect(report.reason).toMatch(/less to gain than such a run could show/);
  });

  it('compares only runs of the same cases', async () => {
    const suite = await suiteOf(['a', 'b']);
    const old = await suiteOf(['a']);
    const all = [1, 2].map((number) => runOf(old, number, { n: 100, c: 100 }));
    const report = saturationOf(suite, [...all, runOf(suite, 3, { n: 100, c: 100 })], 'evidence');
    expect(report).toMatchObject({ saturated: false, consecutive_above_threshold: 1 });
  });

  it('asks a saturated regression suite for harder cases', async () => {
    const suite = await suiteOf(['a'], 'type: regression');
    const all = runs(
      suite,
      [1, 2, 3].map(() => ({ n: 100, c: 100 })),
    );
    expect(saturationOf(suite, all, 'evidence').recommended_action).toBe('add_harder_cases');
  });

  it('never comes from replays', async () => {
    const suite = await suiteOf(['a']);
    const all = runs(
      suite,
      [1, 2, 3].map(() => ({ n: 100, c: 100 })),
      { mode: 'replay' },
    );
    expect(saturationOf(suite, all, 'evidence')).toMatchObject({
      saturated: false,
      reason: expect.stringContaining('replays are no evidence'),
    });
  });
});

describe('Saturation by the simple rule', () => {
  it.each([
    [[1, 1, 1], true, 3],
    [[1, 1], false, 2],
    [[0.95, 0.95, 0.95], true, 3],
    [[1, 0.94, 1, 1], false, 2],
    [[0, 1, 1, 1], true, 3],
    [[], false, 0],
  ])('rates %j', async (rates, saturated, streak) => {
    const suite = await suiteOf(['a']);
    const all = rates.map((rate, index) => runOf(suite, index + 1, { n: 1, c: 1 }, { rate }));
    expect(saturationOf(suite, all, 'simple')).toMatchObject({
      saturated,
      consecutive_above_threshold: streak,
    });
  });

  it('looks at the last ten runs', async () => {
    const suite = await suiteOf(['a']);
    const all = Array.from({ length: 12 }, (_, index) => runOf(suite, index + 1, { n: 1, c: 1 }));
    const report = saturationOf(suite, all, 'simple');
    expect(report.pass_rate_history).toHaveLength(10);
    expect(report.pass_rate_history.at(-1)).toMatchObject({ run: 'run_12', rate: 1 });
  });
});
