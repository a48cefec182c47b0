import { plural } from '../core/index.js';
import type { CaseComparison } from './case-comparison.js';
import type { Needed } from './needed-trials.js';
import type { SuiteDifference } from './suite-difference.js';

/** What a comparison says of B against A. */
export type VerdictName = 'better' | 'worse' | 'equivalent' | 'not enough data';

/** The verdict of one comparison. */
export interface CompareVerdict {
  name: VerdictName;
  /** In one sentence or two. */
  reason: string;
  /** What would decide; null when it is decided or not known. */
  needed: Needed | null;
}

/** What a verdict is made of. */
export interface VerdictInput {
  difference: SuiteDifference;
  cases: readonly CaseComparison[];
  /** Differences up to this, 0..1, do not matter. */
  tolerance: number;
  /** p-value of the suite, adjusted over all comparisons; null for replays and when nothing was scored. */
  p: number | null;
  /** Level of the suite's test. */
  alpha: number;
  needed: Needed | null;
}

function points(value: number): string {
  return `${(value * 100).toFixed(1)} points`;
}

function names(cases: readonly CaseComparison[]): string {
  const some = cases.slice(0, 3).map((one) => JSON.stringify(one.id));
  return cases.length > some.length
    ? `${some.join(', ')} and ${cases.length - some.length} more`
    : some.join(', ');
}

function neededText(needed: Needed | null): string {
  if (needed === null) return '';
  const least = needed.atLeast ? 'at least ' : 'about ';
  if (needed.trials !== null) return `; ${least}${plural(needed.trials, 'trial')} a case would decide`;
  if (needed.cases !== null) {
    return `; more trials of these cases would not decide, about ${plural(needed.cases, 'case')} would`;
  }
  return '; the difference lies at the tolerance itself, where no number of trials decides';
}

function counted(input: VerdictInput): CompareVerdict {
  const { cases } = input;
  const lost = cases.filter((one) => one.result === 'loss');
  const won = cases.filter((one) => one.result === 'win');
  if (lost.length > 0) {
    const gained = won.length > 0 ? ` (${won.length} better)` : '';
    const reason = `${plural(lost.length, 'case')} got worse${gained}: ${names(lost)}; a replay has no chance in it`;
    return { name: 'worse', reason, needed: null };
  }
  if (won.length > 0) {
    return { name: 'better', reason: `${plural(won.length, 'case')} got better, none worse`, needed: null };
  }
  return {
    name: 'equivalent',
    reason: `all ${plural(cases.length, 'case')} came out the same`,
    needed: null,
  };
}

function sampled(input: VerdictInput): CompareVerdict {
  const { difference, cases, tolerance, p, alpha, needed } = input;
  const regressed = cases.filter((one) => one.moved === 'regressed');
  const improved = cases.filter((one) => one.moved === 'improved');
  const { difference: value, interval } = difference;
  if (value === null || interval === null || p === null) {
    return { name: 'not enough data', reason: 'fewer than two independent cases were scored', needed };
  }
  const shown = `difference ${points(value)}, p = ${p.toPrecision(2)}`;
  const clear = p <= alpha && Math.abs(value) > tolerance;
  if (clear && value < 0) return { name: 'worse', reason: `the suite dropped: ${shown}`, needed: null };
  if (regressed.length > 0) {
    const beside = clear ? `although the suite gained: ${shown}` : `by themselves: ${names(regressed)}`;
    return { name: 'worse', reason: `${plural(regressed.length, 'case')} dropped ${beside}`, needed: null };
  }
  if (clear) return { name: 'better', reason: `the suite gained: ${shown}`, needed: null };
  if (improved.length > 0) {
    const reason = `${plural(improved.length, 'case')} gained by themselves: ${names(improved)}`;
    return { name: 'better', reason, needed: null };
  }
  if (interval.lo >= -tolerance && interval.hi <= tolerance) {
    const reason = `the whole interval of the difference lies within ${points(tolerance)}`;
    return { name: 'equivalent', reason, needed: null };
  }
  return { name: 'not enough data', reason: `${shown}${neededText(needed)}`, needed };
}

/**
 * Better, worse, equivalent or not enough data. A drop or gain counts when it is significant and larger than the
 * tolerance, for the suite or for a case by itself; a case that dropped makes B worse whatever the suite gained.
 * Equivalent needs the whole interval within the tolerance: "not significant" alone is never good news. While a side
 * could not score some case, B is neither better nor equivalent.
 */
export function decideVerdict(input: VerdictInput): CompareVerdict {
  const verdict = input.difference.test === 'count' ? counted(input) : sampled(input);
  const unscored = input.cases.filter((one) => one.result === 'unscored');
  if (unscored.length === 0 || verdict.name === 'worse') return verdict;
  const reason = `${plural(unscored.length, 'case')} could not be scored on one side: ${names(unscored)}`;
  return { name: 'not enough data', reason, needed: null };
}
