import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  armBlocks,
  earlyStop,
  parseCompareJob,
  ruledEnd,
  suiteWithArms,
  type ArmRates,
} from '../../src/compare/index.js';
import { AssayError } from '../../src/core/index.js';
import { loadSuite } from '../../src/run/index.js';
import { bettingConfidenceSequence, mcnemarEValue } from '../../src/stats/index.js';
import { failure, temporaryDirectory } from '../store/builders.js';
import { ids, seededRandom } from './support.js';

const RULE = earlyStop(0.05, 0.05, 1);

/** So many cases with these rates of baseline and rival. */
function cases(count: number, ...rates: (number | null)[]): ArmRates[] {
  return Array.from({ length: count }, () => rates);
}

function only(units: readonly ArmRates[], of: number) {
  const end = ruledEnd(units, of, RULE, seededRandom(1));
  const [rival] = end.rivals;
  if (rival === undefined) throw new Error('no rival');
  return { end, rival };
}

describe('the rule that ends a comparison of arms early', () => {
  it('leaves half of the error rate to looking, shared by all rivals', () => {
    expect(RULE).toEqual({
      rule: 'paired e-values',
      block: 8,
      level: 0.025,
      threshold: 40,
      tolerance: 0.05,
    });
    expect(earlyStop(0.05, 0.05, 3).threshold).toBeCloseTo(120, 9);
    // Seven cases that all moved one way are not enough, eight are.
    expect(mcnemarEValue({ b: 7, c: 0 }).e).toBeLessThan(RULE.threshold);
    expect(mcnemarEValue({ b: 8, c: 0 }).e).toBeGreaterThan(RULE.threshold);
  });

  it('decides in either direction once the evidence is there, and not before', () => {
    expect(only(cases(8, 0, 1), 40)).toMatchObject({
      end: { early: true },
      rival: { decided: 'better', wins: 8 },
    });
    expect(only(cases(8, 1, 0), 40).rival.decided).toBe('worse');
    expect(only([...cases(7, 0, 1), ...cases(1, 1, 1)], 40)).toMatchObject({
      end: { early: false },
      rival: { decided: null, wins: 7, losses: 0 },
    });
  });

  it('decides nothing for a difference within the tolerance, however sure', () => {
    const small = cases(16, 0.5, 0.54);
    expect(mcnemarEValue({ b: 16, c: 0 }).e).toBeGreaterThan(RULE.threshold);
    expect(only(small, 40).rival.decided).toBeNull();
    expect(only(cases(16, 0.5, 0.56), 40).rival.decided).toBe('better');
  });

  it('never calls a rival better that could not be scored on some case, but worse it does', () => {
    const crashed = cases(1, 1, null);
    expect(only([...cases(15, 0, 1), ...crashed], 40).rival.decided).toBeNull();
    expect(only([...cases(15, 1, 0), ...crashed], 40).rival.decided).toBe('worse');
  });

  it('goes on while one of several rivals is undecided', () => {
    const rule = earlyStop(0.05, 0.05, 2);
    const units = Array.from({ length: 16 }, (): ArmRates => [0, 1, 0]);
    const end = ruledEnd(units, 40, rule, seededRandom(1));
    expect(end.early).toBe(false);
    expect(end.rivals.map((one) => one.decided)).toEqual(['better', null]);
  });
});

/** Cases as they come until the rule ends them, the rival passing less often by `drop`. */
function untilDecided(random: () => number, count: number, drop: number): ArmRates[] {
  const units: ArmRates[] = [];
  let [wins, losses] = [0, 0];
  while (units.length < count) {
    const rate = 0.6 + 0.4 * random();
    const [a, b] = [random() < rate ? 1 : 0, random() < rate - drop ? 1 : 0];
    units.push([a, b]);
    if (b > a) wins += 1;
    if (a > b) losses += 1;
    const sure = mcnemarEValue({ b: wins, c: losses }).e >= RULE.threshold;
    if (units.length % RULE.block === 0 && sure && losses - wins > RULE.tolerance * units.length) break;
  }
  return units;
}

describe('what is printed after an early stop', () => {
  it('is not pulled away from the truth by the stopping, as the plain mean is', () => {
    const random = seededRandom(5);
    const rounds = 60;
    let [plain, fitting, squares] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const end = ruledEnd(untilDecided(random, 64, 0.4), 64, RULE, random);
      const [rival] = end.rivals;
      const found = rival?.fitting?.difference ?? 0;
      plain += (rival?.plain ?? 0) / rounds;
      fitting += found / rounds;
      squares += found ** 2 / rounds;
    }
    const error = Math.sqrt((squares - fitting ** 2) / rounds);
    expect(Math.abs(fitting + 0.4)).toBeLessThan(3 * error);
    // The plain mean exaggerates: looks that happen to see a large drop end the comparison.
    expect(plain).toBeLessThan(fitting - 0.02);
  });

  it('is the plain mean where the first look ended it', () => {
    const units = [...cases(8, 1, 0)];
    expect(only(units, 40).rival).toMatchObject({ plain: -1, fitting: { meanA: 1, meanB: 0 } });
  });

  it('has an interval that holds whenever one stops', () => {
    const random = seededRandom(9);
    let missed = 0;
    for (let round = 0; round < 100; round += 1) {
      const values: number[] = [];
      let out = false;
      while (values.length < 30 && !out) {
        values.push(random() < 0.8 ? 1 : 0.25);
        const { lo, hi } = bettingConfidenceSequence({ values, alpha: 0.05 });
        out = lo > 0.85 || hi < 0.85;
      }
      if (out) missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(5);
  });
});

describe('a confidence sequence by betting', () => {
  it('mirrors itself, narrows with more values, and is never of width zero', () => {
    const values = [0.2, 0.9, 0.4, 0.7, 0.6, 0.3];
    const { lo, hi } = bettingConfidenceSequence({ values });
    const mirrored = bettingConfidenceSequence({ values: values.map((value) => 1 - value) });
    expect(mirrored.lo).toBeCloseTo(1 - hi, 12);
    expect(mirrored.hi).toBeCloseTo(1 - lo, 12);
    const many = bettingConfidenceSequence({ values: Array.from({ length: 20 }, () => values).flat() });
    expect(many.hi - many.lo).toBeLessThan(hi - lo);
    const same = bettingConfidenceSequence({ values: Array.from({ length: 50 }, () => 1) });
    expect(same).toMatchObject({ hi: 1 });
    expect(same.lo).toBeLessThan(1);
    expect(same.lo).toBeGreaterThan(0.8);
  });

  it('refuses what is no value of 0..1', () => {
    expect(() => bettingConfidenceSequence({ values: [] })).toThrow(/no data/);
    expect(() => bettingConfidenceSequence({ values: [1.2] })).toThrow(/0\.\.1/);
    expect(() => bettingConfidenceSequence({ values: [1], alpha: 0 })).toThrow(/strictly between/);
  });
});

const JOB = `name: tone
suite: s
hypothesis: h
success: s
refuted_by: r
difference: 0.2
early_stop: true
arms: [{name: a, system: x}, {name: b, system: y}]
`;

describe('the cases of a comparison that may end early', () => {
  const suiteText = (cluster: string): string =>
    `name: s\ntype: capability\ncases:\n${ids(20)
      .map(
        (id) =>
          `  - id: ${id}\n    prompt: p\n${cluster}    assert:\n      - type: contains\n        value: hello`,
      )
      .join('\n')}\n`;

  it('run in random order, in blocks that hold every arm of each of their cases', async () => {
    const path = join(temporaryDirectory(), 's.yaml');
    writeFileSync(path, suiteText(''));
    const suite = suiteWithArms(await loadSuite(path), parseCompareJob('prompts', 'f', JOB));
    const order = ids(20).toReversed();
    const blocks = armBlocks(suite, { order, clusters: new Map() });
    expect(blocks.map((block) => block.length)).toEqual([16, 16, 8]);
    expect(blocks[0]?.slice(0, 4).map(({ id }) => id)).toEqual(['a:c19', 'b:c19', 'a:c18', 'b:c18']);
  });

  it('must be independent of each other', async () => {
    const path = join(temporaryDirectory(), 's.yaml');
    writeFileSync(path, suiteText('    cluster: family\n'));
    const suite = await loadSuite(path);
    const error = await failure(() => suiteWithArms(suite, parseCompareJob('prompts', 'f', JOB)));
    expect(AssayError.isInstance(error) && error.describe()).toContain('needs independent cases');
  });
});
