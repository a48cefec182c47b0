import type { CaseComparison, CaseResult } from '../core/index.js';

/**
 * Why a case that was held against a baseline is skipped in JUnit instead of failed; null when it is not. A reader of
 * the counters must see as a failure only what the baseline gates on.
 */
export function skipReason(result: CaseResult, comparison: CaseComparison): string | null {
  switch (comparison.classification) {
    case 'unverifiable':
      return `unverifiable: differs from the baseline in ${comparison.changed.join(', ')}`;
    case 'flaky_unconfirmed':
      return 'flaky, not confirmed: failed, and passed when run once more';
    case 'unchanged':
      return result.outcome === 'failed' ? 'fails as in the baseline' : null;
    case 'new':
      return result.outcome === 'failed' && !comparison.gates ? 'new and failing, allowed' : null;
    case 'regression':
      return comparison.gates ? null : 'regression of a case marked as known to fail';
    case 'current_error':
    case 'improvement':
    case 'removed':
      return null;
  }
}

/** What changed against the baseline, for the notes of a case. */
export function comparisonNotes(comparison: CaseComparison): string[] {
  const { classification, lost, won } = comparison;
  const names = (checks: CaseComparison['lost']): string => checks.map((check) => check.check).join(', ');
  return [
    `baseline: ${classification}`,
    ...(lost.length === 0 ? [] : [`checks that passed in the baseline and are missed now: ${names(lost)}`]),
    ...(won.length === 0 ? [] : [`checks that were missed in the baseline and pass now: ${names(won)}`]),
  ];
}
