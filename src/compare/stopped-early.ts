import type { Interval } from '../core/index.js';
import { bettingConfidenceSequence } from '../stats/index.js';
import {
  addCase,
  allDecided,
  decidedAs,
  eValueOf,
  noEvidence,
  type ArmRates,
  type EarlyStop,
  type Evidence,
} from './early-stop.js';

/** One rival of a comparison under a rule that may have ended it early. */
export interface RuledRival {
  wins: number;
  losses: number;
  /** Evidence that the two differ, at the last look. */
  e: number;
  /** What the rule says; null when it decided nothing. */
  decided: 'better' | 'worse' | null;
  /** Mean difference of what was run. Biased, since outcomes decided when to stop; null when nothing was scored. */
  plain: number | null;
  /** Means of the baseline and of the rival, and their difference, without that bias; null when nothing was scored. */
  fitting: { meanA: number; meanB: number; difference: number } | null;
  /** Interval of the difference that holds whenever the comparison ends; null when nothing was scored. */
  interval: Interval | null;
}

/** How a comparison under a rule ended. */
export interface RuledEnd {
  rule: EarlyStop;
  /** Cases that were run, all arms of each, and all there are. */
  cases: number;
  of: number;
  /** The rule ended it before the last block. */
  early: boolean;
  /** In the order of the arms, the baseline left out. */
  rivals: RuledRival[];
}

/** Orders that are drawn, and those that are enough. */
const MOST_ORDERS = 20_000;
const ENOUGH_ORDERS = 4_000;

function shuffle(order: number[], random: () => number): void {
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    const held = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = held;
  }
}

/**
 * What is known after the first block of cases in an order; null when the rule would have ended the comparison before
 * its last look.
 */
function firstBlock(
  units: readonly ArmRates[],
  order: readonly number[],
  rule: EarlyStop,
): Evidence[] | null {
  const rivals = (units[0]?.length ?? 1) - 1;
  const evidence = noEvidence(rivals);
  let first: Evidence[] | null = null;
  for (const [place, position] of order.entries()) {
    const unit = units[position];
    if (unit !== undefined) addCase(evidence, unit);
    if ((place + 1) % rule.block !== 0 || place + 1 >= order.length) continue;
    if (allDecided(evidence, rule)) return null;
    first ??= evidence.map((one) => ({ ...one }));
  }
  return first ?? evidence;
}

/**
 * Means without the bias of stopping. The first block is always run, so its mean is unbiased; averaged over all orders
 * of the same cases that would have ended at the same look, it stays so and loses most of its chance (Rao and
 * Blackwell). Orders are drawn; the one that happened is always among them.
 */
function fittingMeans(
  units: readonly ArmRates[],
  rule: EarlyStop,
  random: () => number,
): RuledRival['fitting'][] {
  const rivals = (units[0]?.length ?? 1) - 1;
  const order = units.map((_, index) => index);
  const sums = Array.from({ length: rivals }, () => ({ a: 0, b: 0, count: 0 }));
  const take = (): boolean => {
    const first = firstBlock(units, order, rule);
    if (first === null) return false;
    for (const [index, one] of first.entries()) {
      const sum = sums[index];
      if (sum === undefined || one.scored === 0) continue;
      sum.a += one.sumA / one.scored;
      sum.b += one.sumB / one.scored;
      sum.count += 1;
    }
    return true;
  };
  let taken = take() ? 1 : 0;
  // Within one block every order says the same.
  const most = units.length <= rule.block ? 0 : MOST_ORDERS;
  for (let drawn = 0; drawn < most && taken < ENOUGH_ORDERS; drawn += 1) {
    shuffle(order, random);
    if (take()) taken += 1;
  }
  return sums.map(({ a, b, count }) => {
    if (count === 0) return null;
    const [meanA, meanB] = [a / count, b / count];
    return { meanA, meanB, difference: meanB - meanA };
  });
}

function intervalOf(units: readonly ArmRates[], rival: number, alpha: number): Interval | null {
  const values = units.flatMap((unit) => {
    const [a, b] = [unit[0] ?? null, unit[rival + 1] ?? null];
    return a === null || b === null ? [] : [(b - a + 1) / 2];
  });
  if (values.length === 0) return null;
  const { lo, hi } = bettingConfidenceSequence({ values, alpha });
  return { lo: lo * 2 - 1, hi: hi * 2 - 1 };
}

/**
 * What a comparison under a rule came to.
 * @param units the cases that were run, in the order of their blocks
 * @param of how many cases there are
 * @param random uniform in [0, 1): draws orders
 */
export function ruledEnd(
  units: readonly ArmRates[],
  of: number,
  rule: EarlyStop,
  random: () => number,
): RuledEnd {
  const rivals = (units[0]?.length ?? 1) - 1;
  const evidence = noEvidence(rivals);
  for (const unit of units) addCase(evidence, unit);
  const fitting = fittingMeans(units, rule, random);
  return {
    rule,
    cases: units.length,
    of,
    early: units.length < of && allDecided(evidence, rule),
    rivals: evidence.map((one, index) => ({
      wins: one.wins,
      losses: one.losses,
      e: eValueOf(one),
      decided: decidedAs(one, rule),
      plain: one.scored === 0 ? null : (one.sumB - one.sumA) / one.scored,
      fitting: fitting[index] ?? null,
      interval: intervalOf(units, index, rule.level / rivals),
    })),
  };
}
