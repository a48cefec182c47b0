import type { BaselineComparison, CaseComparison, Classification, PassShare } from '../core/index.js';

type Compared = BaselineComparison['cases'][number];

function categories(comparison: CaseComparison): string[] {
  return [...new Set(comparison.lost.map((check) => check.category))];
}

function isComparable(classification: Classification): boolean {
  return !['current_error', 'new', 'unverifiable', 'removed'].includes(classification);
}

/** What the report says of one case: the first reference's keys, then what changed. */
function perCase(comparison: CaseComparison): object {
  const { classification, verdict, baselineVerdict, lost, won, changed } = comparison;
  const regressed = classification === 'regression' || classification === 'flaky_unconfirmed';
  return {
    classification,
    verdict,
    baseline_verdict: baselineVerdict,
    ...(regressed ? { categories: categories(comparison) } : {}),
    ...(isComparable(classification) ? { token_delta_pct: comparison.tokenDelta } : {}),
    ...(changed.length === 0 ? {} : { changed }),
    ...(lost.length === 0 ? {} : { checks_lost: lost }),
    ...(won.length === 0 ? {} : { checks_won: won }),
    gates: comparison.gates,
  };
}

function shareObject(share: PassShare): object {
  return { passed: share.passed, total: share.total, pass_rate: share.rate, interval: share.interval };
}

/** `{ baseline: ... }` of a run that was compared; `{}` of any other. */
export function baselineObject(comparison: BaselineComparison | undefined): { baseline?: object } {
  if (comparison === undefined) return {};
  const { cases, capability } = comparison;
  const ids = (holds: (one: Compared) => boolean): string[] => cases.filter(holds).map((one) => one.id);
  const of = (classification: Classification): string[] =>
    ids((one) => one.classification === classification);
  return {
    baseline: {
      file: comparison.file,
      per_case: Object.fromEntries(cases.map((one) => [one.id, perCase(one)])),
      confirmed_regressions: of('regression'),
      current_errors: of('current_error'),
      flaky_unconfirmed: of('flaky_unconfirmed'),
      improvements: of('improvement'),
      unverifiable: of('unverifiable'),
      new: of('new'),
      new_failures: ids((one) => one.classification === 'new' && one.verdict === 'fail'),
      removed: of('removed'),
      check_regressions: ids((one) => one.classification === 'unchanged' && one.lost.length > 0),
      comparable: comparison.comparable,
      not_compared: comparison.notCompared,
      allowed: {
        unverifiable: comparison.allowed.unverifiable,
        new_failures: comparison.allowed.newFailures,
      },
      gates: comparison.gates,
      reason: comparison.reason,
      ...(capability === null
        ? {}
        : {
            capability: {
              current: shareObject(capability.current),
              baseline: shareObject(capability.baseline),
              saturated: capability.saturated,
            },
          }),
    },
  };
}
