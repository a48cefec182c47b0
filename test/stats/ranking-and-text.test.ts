import { describe, expect, it } from 'vitest';
import { bleu4, bradleyTerry, elo, kendallTau, levenshtein, rougeL } from '../../src/stats/index.js';
import { fc } from './property.js';

describe('kendallTau', () => {
  const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { minLength: 2, maxLength: 40 });

  it('counts every pair', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        let concordant = 0;
        let discordant = 0;
        for (const [index, [x, y]] of list.entries()) {
          for (const [otherX, otherY] of list.slice(index + 1)) {
            const sign = Math.sign(x - otherX) * Math.sign(y - otherY);
            if (sign > 0) concordant += 1;
            if (sign < 0) discordant += 1;
          }
        }
        const tau = kendallTau({ x: list.map(([x]) => x), y: list.map(([, y]) => y) });
        expect(tau).toMatchObject({ concordant, discordant });
      }),
    );
  });

  it('is 1 against itself, -1 against its mirror, and symmetric', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const x = list.map(([one]) => one);
        const y = list.map(([, other]) => other);
        const { tauB } = kendallTau({ x, y });
        expect(kendallTau({ x: y, y: x }).tauB ?? 2).toBeCloseTo(tauB ?? 2, 13);
        if (new Set(x).size < 2) return;
        expect(kendallTau({ x, y: x }).tauB).toBe(1);
        expect(kendallTau({ x, y: x.map((value) => -value) }).tauB).toBe(-1);
      }),
    );
  });
});

describe('bradleyTerry', () => {
  const wins = fc
    .integer({ min: 2, max: 5 })
    .chain((count) =>
      fc.array(fc.array(fc.nat(20), { minLength: count, maxLength: count }), {
        minLength: count,
        maxLength: count,
      }),
    )
    .map((rows) => rows.map((row, i) => row.map((value, j) => (i === j ? 0 : value))));

  it('expects each player to win as often as it did', () => {
    fc.assert(
      fc.property(wins, (rows) => {
        const padded = rows.map((row, i) => row.map((value, j) => (i === j ? 0 : value + 0.5)));
        const { logStrengths, eloScale } = bradleyTerry({ wins: rows, prior: 0.5 });
        expect(logStrengths.reduce((total, value) => total + value, 0)).toBeCloseTo(0, 10);
        for (const [i, mine] of logStrengths.entries()) {
          let expected = 0;
          let won = 0;
          for (const [j, theirs] of logStrengths.entries()) {
            const played = (padded[i]?.[j] ?? 0) + (padded[j]?.[i] ?? 0);
            expected += played / (1 + Math.exp(theirs - mine));
            won += padded[i]?.[j] ?? 0;
          }
          expect(expected).toBeCloseTo(won, 7);
          expect(eloScale[i]).toBeCloseTo((400 / Math.LN10) * mine, 9);
        }
      }),
    );
  });

  it('has the closed form ln(wins/losses) for two players, however lopsided', () => {
    for (const [won, lost] of [
      [7, 3],
      [1e9, 1],
      [1, 1],
      [0.5, 2.5],
    ] as const) {
      const { logStrengths } = bradleyTerry({
        wins: [
          [0, won],
          [lost, 0],
        ],
      });
      expect((logStrengths[0] ?? 0) - (logStrengths[1] ?? 0)).toBeCloseTo(Math.log(won / lost), 9);
    }
  });

  it('needs wins in both directions between any two groups, unless a prior is given', () => {
    const apart = [
      [0, 4, 1],
      [1, 0, 2],
      [0, 0, 0],
    ];
    expect(() => bradleyTerry({ wins: apart })).toThrow(
      expect.objectContaining({ code: 'NOT_STRONGLY_CONNECTED' }),
    );
    expect(bradleyTerry({ wins: apart, prior: 0.1 }).logStrengths).toHaveLength(3);
    expect(bradleyTerry({ wins: [[0]] }).logStrengths).toEqual([0]);
  });
});

describe('elo', () => {
  it('keeps the sum of the ratings', () => {
    const game = fc.tuple(
      fc.constantFrom('A', 'B', 'C'),
      fc.constantFrom('D', 'E'),
      fc.constantFrom(0, 0.5, 1),
    );
    fc.assert(
      fc.property(fc.array(game, { maxLength: 50 }), (games) => {
        const { ratings } = elo({ players: ['A', 'B', 'C', 'D', 'E'], games });
        expect(Object.values(ratings).reduce((total, rating) => total + rating, 0)).toBeCloseTo(7500, 8);
      }),
    );
  });
});

describe('levenshtein', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀', 'é'), maxLength: 12 });

  it('is a metric', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        const distance = (one: string, other: string): number => levenshtein({ a: one, b: other }).distance;
        expect(distance(a, a)).toBe(0);
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, b) === 0).toBe(a === b);
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      }),
    );
  });

  it('keeps both ratios in 0..1 and is symmetric in them', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const there = levenshtein({ a, b });
        expect(levenshtein({ a: b, b: a })).toEqual(there);
        for (const ratio of [there.ratio, there.indelRatio]) {
          expect(ratio).toBeGreaterThanOrEqual(0);
          expect(ratio).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('word overlap', () => {
  const sentence = fc.array(fc.constantFrom('the', 'cat', 'sat', 'mat', 'on'), {
    minLength: 1,
    maxLength: 12,
  });

  it('swaps precision and recall with the texts', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const there = rougeL({ reference: one.join(' '), hypothesis: other.join(' ') });
        const back = rougeL({ reference: other.join(' '), hypothesis: one.join(' ') });
        expect(back).toMatchObject({ precision: there.recall, recall: there.precision });
        expect(back.f1).toBeCloseTo(there.f1, 14);
      }),
    );
  });

  it('is 1 for the same text and lies in 0..1', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const text = one.join(' ');
        expect(rougeL({ reference: text, hypothesis: text }).f1).toBe(1);
        if (one.length >= 4) expect(bleu4({ references: [text], hypothesis: text }).bleu).toBeCloseTo(1, 14);
        for (const smoothing of ['add1', null] as const) {
          const { bleu } = bleu4({ references: [text], hypothesis: other.join(' '), smoothing });
          expect(bleu).toBeGreaterThanOrEqual(0);
          expect(bleu).toBeLessThanOrEqual(1 + 1e-14);
        }
      }),
    );
  });

  it('punishes a short text against the closest reference, the shorter on ties', () => {
    const hypothesis = 'a b c d e';
    expect(bleu4({ references: ['a b c d e f'], hypothesis }).brevityPenalty).toBeCloseTo(
      Math.exp(1 - 6 / 5),
      14,
    );
    expect(bleu4({ references: ['a b c d e f', 'a b c d'], hypothesis }).brevityPenalty).toBe(1);
    expect(bleu4({ references: ['a b c d e f g', 'a b c'], hypothesis }).brevityPenalty).toBe(1);
    expect(bleu4({ references: ['a b'], hypothesis: ' ' })).toEqual({ bleu: 0, brevityPenalty: null });
  });
});
