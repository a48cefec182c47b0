import type { Interval } from '../core/index.js';
import type { RuledEnd, RuledRival } from './stopped-early.js';
import type { SuiteDifference } from './suite-difference.js';
import type { CompareVerdict } from './verdict.js';

/**
 * The difference of one rival as it is printed under a rule. Means are those that fit the rule. Of runs that it ended
 * early, test and interval are those that hold whenever one stops; of runs that came to their last case, those of all
 * cases, at what the rule has left of the error rate.
 * @param fixed the difference as if the number of cases had been fixed
 */
export function ruledDifference(fixed: SuiteDifference, end: RuledEnd, place: number): SuiteDifference {
  const rival = end.rivals[place];
  if (rival === undefined || rival.fitting === null) return fixed;
  const { meanA, meanB, difference } = rival.fitting;
  const means = { meanA, meanB, difference };
  // Intervals lie around the plain mean: they are made wide enough to hold the one that fits as well.
  const around = (interval: Interval | null): Interval | null =>
    interval && { lo: Math.min(interval.lo, difference), hi: Math.max(interval.hi, difference) };
  if (!end.early) return { ...fixed, ...means, interval: around(fixed.interval) };
  return {
    ...fixed,
    ...means,
    interval: around(rival.interval),
    confidence: 1 - end.rule.level / end.rivals.length,
    standardError: null,
    test: 'e-value',
    p: Math.min(1, 1 / rival.e),
    detectable: null,
  };
}

function points(value: number): string {
  return `${(value * 100).toFixed(1)} points`;
}

function reasonOf({ e, wins, losses, fitting }: RuledRival, { rule, cases, of }: RuledEnd): string {
  const shown = fitting === null ? '' : `difference ${points(fitting.difference)}, `;
  return (
    `${shown}evidence ${e.toFixed(1)} of ${rule.threshold} needed ` +
    `(${wins} cases better, ${losses} worse); ended after ${cases} of ${of} cases`
  );
}

/** The verdict on one rival of runs that their rule ended early. */
export function ruledVerdict(end: RuledEnd, place: number): CompareVerdict {
  const rival = end.rivals[place];
  if (rival === undefined || rival.decided === null) {
    return { name: 'not enough data', reason: 'the rule did not decide it', needed: null };
  }
  const moved = rival.decided === 'worse' ? 'the suite dropped' : 'the suite gained';
  return { name: rival.decided, reason: `${moved}: ${reasonOf(rival, end)}`, needed: null };
}
