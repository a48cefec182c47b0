import type { PairComparison } from '../judge/index.js';
import { bradleyTerry, pairedPermutation, positionBias, type Slot } from '../stats/index.js';

/** What a judge found between the answers of two arms to one case, both orders. */
export interface PairJudgement {
  caseId: string;
  trial: number;
  a: string;
  b: string;
  winner: PairComparison['winner'];
  /** For a: 0 to 1; null when undecided. */
  score: number | null;
  status: PairComparison['status'];
  orders: PairComparison['orders'];
  evidence: string;
}

/** Two arms against each other. */
export interface PairTally {
  a: string;
  b: string;
  winsA: number;
  winsB: number;
  ties: number;
  /** Each order had another winner: position decided, and nobody won. */
  inconsistent: number;
  /** No verdict: an error is never a tie. */
  undecided: number;
  /** Two-sided sign-flip test over cases; null when nothing was decided. */
  p: number | null;
}

/** What pairwise judging came to. */
export interface PairwiseResult {
  pairs: PairTally[];
  /** Log-strengths of the arms with mean 0, by Bradley and Terry; null for two arms. */
  strengths: { arm: string; logStrength: number; elo: number }[] | null;
  /** How consistent the judge was when the positions were swapped; null when nothing was decided. */
  position: { consistency: number; firstBoth: number; secondBoth: number; p: number } | null;
}

/** Virtual wins in each direction, so that an arm that won everything still has a strength. */
const PRIOR = 0.5;

function tallyPair(a: string, b: string, judgements: readonly PairJudgement[]): PairTally {
  const count = (test: (one: PairJudgement) => boolean): number => judgements.filter(test).length;
  const byCase = new Map<string, number[]>();
  for (const { caseId, score, winner } of judgements) {
    if (score === null || winner === 'inconsistent') continue;
    byCase.set(caseId, [...(byCase.get(caseId) ?? []), score - 0.5]);
  }
  const differences = [...byCase.values()].map(
    (scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length,
  );
  return {
    a,
    b,
    winsA: count((one) => one.winner === 'a'),
    winsB: count((one) => one.winner === 'b'),
    ties: count((one) => one.winner === 'tie'),
    inconsistent: count((one) => one.winner === 'inconsistent'),
    undecided: count((one) => one.winner === null),
    p: differences.length === 0 ? null : pairedPermutation({ differences }).twoSided,
  };
}

/** The slot that was chosen when `a` was shown first, then when `b` was. */
function slots(one: PairJudgement): [Slot, Slot] | null {
  const [first, second] = one.orders;
  if (first === undefined || second === undefined) return null;
  return [first === 'tie' ? 0 : first === 'a' ? 1 : 2, second === 'tie' ? 0 : second === 'b' ? 1 : 2];
}

/** Wins, ties and errors of every pair of arms, their strengths, and how far position decided. */
export function tallyPairs(arms: readonly string[], judgements: readonly PairJudgement[]): PairwiseResult {
  const pairs: PairTally[] = [];
  for (const [index, a] of arms.entries()) {
    for (const b of arms.slice(index + 1)) {
      pairs.push(
        tallyPair(
          a,
          b,
          judgements.filter((one) => one.a === a && one.b === b),
        ),
      );
    }
  }
  const wins = arms.map((one) =>
    arms.map((other) => {
      const forth = pairs.find((pair) => pair.a === one && pair.b === other);
      const back = pairs.find((pair) => pair.a === other && pair.b === one);
      return (forth?.winsA ?? 0) + (back?.winsB ?? 0) + ((forth?.ties ?? 0) + (back?.ties ?? 0)) / 2;
    }),
  );
  const strengths = arms.length > 2 ? bradleyTerry({ wins, prior: PRIOR }) : null;
  const seen = judgements.flatMap((one) => {
    const pair = slots(one);
    return pair === null ? [] : [pair];
  });
  const bias = seen.length === 0 ? null : positionBias({ pairs: seen });
  return {
    pairs,
    strengths:
      strengths === null
        ? null
        : arms.map((arm, index) => ({
            arm,
            logStrength: strengths.logStrengths[index] ?? 0,
            elo: strengths.eloScale[index] ?? 0,
          })),
    position:
      bias === null
        ? null
        : {
            consistency: bias.consistency,
            firstBoth: bias.firstBoth,
            secondBoth: bias.secondBoth,
            p: bias.p,
          },
  };
}
