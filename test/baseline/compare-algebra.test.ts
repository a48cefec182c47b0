import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEntries, diffOf, type BaselineEntry } from '../../src/baseline/index.js';
import { check, failedTrial, sampleCase, trial } from '../report/samples.js';
import { baselineOf, entry } from './support.js';

const someCase = fc
  .array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 6 })
  .map((checks) => {
    const made = checks.map(([label, passed, diagnostic]) =>
      check({ label, diagnostic, outcome: passed ? 'pass' : 'fail' }),
    );
    const gating = checks.filter(([, , diagnostic]) => !diagnostic);
    const passes = gating.length > 0 && gating.every(([, passed]) => passed);
    return sampleCase('a', [passes ? trial({ checks: made }) : failedTrial({ checks: made })]);
  });

describe('comparisons as an algebra', () => {
  it('find nothing between a result and itself', () => {
    fc.assert(
      fc.property(someCase, (one) => {
        const same = compareEntries(entry(one), entry(one));
        expect(same).toMatchObject({ classification: 'unchanged', lost: [], won: [], gates: false });
      }),
    );
  });
  it('turn around when both sides are swapped, for the checks that both know', () => {
    const swapped = { regression: 'improvement', improvement: 'regression', unchanged: 'unchanged' } as const;
    const pair = fc.tuple(
      fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('same', 'different'),
    );
    fc.assert(
      fc.property(pair, ([bits, naming]) => {
        const side = (which: 0 | 1) =>
          withChecksList(bits.map((both, index) => [naming === 'same' ? 'x' : `x${index}`, both[which]]));
        const there = compareEntries(side(0), side(1));
        const back = compareEntries(side(1), side(0));
        expect(back.classification).toBe(Reflect.get(swapped, there.classification));
        expect(back.lost).toEqual(there.won);
        expect(back.won).toEqual(there.lost);
      }),
    );
  });
  it('gate on a subset under every allowance, and never on scores or tokens', () => {
    fc.assert(
      fc.property(
        someCase,
        someCase,
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (now, then, left, right, tokens) => {
          const policy = { allowUnverifiable: left, allowNewFailures: right };
          const before = tokens % 2 === 0 ? entry(then) : undefined;
          const strict = compareEntries(entry(now), before);
          const allowed = compareEntries(entry(now), before, policy);
          expect(strict.gates || !allowed.gates).toBe(true);
          const costly = compareEntries(entry(now, { total_tokens: tokens, score: 0 }), before);
          expect(costly.gates).toBe(strict.gates);
        },
      ),
    );
  });
  it('of a baseline with itself list every case once, unchanged', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 10 }), (ids) => {
        const one = baselineOf(ids.map((id) => sampleCase(id, [trial()])));
        const diff = diffOf(one, one);
        expect(diff.map((each) => each.id)).toEqual(ids);
        expect(diff.every((each) => each.classification === 'unchanged')).toBe(true);
      }),
    );
  });
});

function withChecksList(checks: readonly (readonly [string, boolean])[]): BaselineEntry {
  const made = checks.map(([label, passed]) => check({ label, outcome: passed ? 'pass' : 'fail' }));
  const passes = checks.every(([, passed]) => passed);
  return entry(sampleCase('a', [passes ? trial({ checks: made }) : failedTrial({ checks: made })]));
}
