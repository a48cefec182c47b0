import { DEFAULT_ALPHA } from './defaults.js';
import type { Interval } from './intervals.js';
import { requireInsideUnit, requireSome, requireUnit } from './validate.js';

/** Input of {@link bettingConfidenceSequence}. */
export interface BettingInput {
  /** Values in 0..1 in the order in which they came, at least one. */
  values: readonly number[];
  /** Error over all looks together, strictly inside 0..1. */
  alpha?: number;
}

/** Part of its wealth that a bettor stakes at most, so that no single value ruins it. */
const MOST_STAKE = 0.5;
const STEPS = 60;

/** What is staked on each value, from the values before it alone: larger the less they spread. */
function stakes(values: readonly number[], alpha: number): number[] {
  let sum = 0.5;
  let squares = 0.25;
  return values.map((value, index) => {
    const seen = index + 1;
    const variance = squares / seen;
    const stake = Math.sqrt((2 * Math.log(2 / alpha)) / (variance * seen * Math.log(seen + 1)));
    sum += value;
    const centre = sum / (seen + 1);
    squares += (value - centre) ** 2;
    return stake;
  });
}

/** Whether a bettor on values above `mean` was ever so rich that this mean is disproved. */
function disproved(
  values: readonly number[],
  bets: readonly number[],
  mean: number,
  richness: number,
): boolean {
  let wealth = 0;
  for (const [index, value] of values.entries()) {
    const bet = Math.min(bets[index] ?? 0, MOST_STAKE / mean);
    wealth += Math.log1p(bet * (value - mean));
    if (wealth >= richness) return true;
  }
  return false;
}

function lowerEnd(values: readonly number[], alpha: number): number {
  const bets = stakes(values, alpha);
  const richness = Math.log(2 / alpha);
  let [out, inside] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (out + inside) / 2;
    if (disproved(values, bets, middle, richness)) out = middle;
    else inside = middle;
  }
  return out;
}

/**
 * Interval for the mean of independent values in 0..1, whatever their distribution, that holds at every n at once: all
 * means against which neither a bettor on higher nor one on lower values ever multiplied its wealth by 2/alpha. Narrow
 * where the values spread little, never of width zero.
 * Errors: EMPTY, INVALID_INPUT. Source: Waudby-Smith and Ramdas 2024, hedged capital with predictable plug-in bets.
 */
export function bettingConfidenceSequence({ values, alpha = DEFAULT_ALPHA }: BettingInput): Interval {
  requireSome(values, 'values');
  for (const value of values) requireUnit({ value });
  requireInsideUnit({ alpha });
  return {
    lo: lowerEnd(values, alpha),
    hi:
      1 -
      lowerEnd(
        values.map((value) => 1 - value),
        alpha,
      ),
  };
}
