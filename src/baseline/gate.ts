import { wilson } from '../stats/index.js';
import {
  plural,
  type BaselineComparison,
  type CaseComparison,
  type Classification,
  type PassShare,
  type RunOutcome,
  type RunSummary,
} from '../core/index.js';
import { removedCase, type BaselinePolicy } from './compare.js';
import type { Baseline } from './schema.js';

/** A capability suite of which this share of cases passes is a candidate for a regression suite. */
const SATURATED = 0.95;

const COMPARABLE: readonly Classification[] = ['regression', 'flaky_unconfirmed', 'improvement', 'unchanged'];

/** What is known when all cases of a run have been compared. */
export interface ComparedRun {
  baseline: Baseline;
  policy: BaselinePolicy;
  /** Cases that were run, in suite order. */
  cases: readonly { id: string; comparison: CaseComparison }[];
  /** Ids of all cases of the suite, also of those that were not selected. */
  suiteIds: ReadonlySet<string>;
  summary: RunSummary;
}

function share(verdicts: readonly ('pass' | 'fail' | null)[]): PassShare {
  const known = verdicts.filter((verdict) => verdict !== null);
  const passed = known.filter((verdict) => verdict === 'pass').length;
  if (known.length === 0) return { passed, total: 0, rate: null, interval: null };
  const { lo, hi } = wilson({ n: known.length, c: passed });
  return { passed, total: known.length, rate: passed / known.length, interval: { lo, hi } };
}

function capabilityOf(run: ComparedRun): BaselineComparison['capability'] {
  if (run.summary.kind !== 'capability') return null;
  const current = share(run.cases.map(({ comparison }) => comparison.verdict));
  const baseline = share([...run.baseline.entries.values()].map((entry) => entry.verdict));
  return { current, baseline, saturated: current.rate !== null && current.rate >= SATURATED };
}

/** Why a run is not acceptable, worst first, each with what it makes of the run. */
function objections(run: ComparedRun, comparable: number): { outcome: RunOutcome; text: string }[] {
  const { baseline, policy, cases, summary } = run;
  const gating = (classification: Classification): number =>
    cases.filter(({ comparison }) => comparison.classification === classification && comparison.gates).length;
  const found: { outcome: RunOutcome; text: string }[] = [];
  const add = (count: number, outcome: RunOutcome, text: string): void => {
    if (count > 0) found.push({ outcome, text });
  };
  const regressions = gating('regression');
  const failures = gating('new');
  const unverifiable = gating('unverifiable');
  const errors = gating('current_error');
  add(regressions, 'failed', plural(regressions, 'confirmed regression'));
  add(failures, 'failed', `${plural(failures, 'new case')} failing`);
  add(unverifiable, 'failed', `${plural(unverifiable, 'case')} cannot be verified against the baseline`);
  add(errors, 'error', `${plural(errors, 'case')} could not be scored`);
  const { notRun } = summary.totals;
  if (summary.interrupted) found.push({ outcome: 'inconclusive', text: 'the run was interrupted' });
  else add(notRun, 'inconclusive', `${plural(notRun, 'case')} not run`);
  if (comparable === 0 && unverifiable === 0 && !policy.allowUnverifiable) {
    const empty = baseline.entries.size === 0;
    found.push({
      outcome: 'failed',
      text: empty
        ? 'the baseline is empty: nothing was compared'
        : 'no case could be compared with the baseline',
    });
  }
  return found;
}

function acceptedReason(cases: ComparedRun['cases'], comparable: number): string {
  const unchanged = cases.filter(
    ({ comparison }) => comparison.classification === 'unchanged' && comparison.verdict === 'fail',
  ).length;
  const known = unchanged === 0 ? '' : `; ${plural(unchanged, 'case')} failing as before`;
  return `no regression in ${plural(comparable, 'comparable case')}${known}`;
}

/**
 * The gate of a run against a baseline: confirmed regressions, cases that could not be scored, cases that cannot be
 * verified, new cases that fail, cases that were not run, and a baseline with which nothing can be compared. Scores
 * and tokens never gate.
 */
export function compareRun(run: ComparedRun): { comparison: BaselineComparison; outcome: RunOutcome } {
  const { baseline, policy, cases, suiteIds } = run;
  const ran = new Set(cases.map(({ id }) => id));
  const removed = [...baseline.entries.values()].filter((entry) => !suiteIds.has(entry.case_id));
  const notCompared = [...baseline.entries.keys()].filter((id) => suiteIds.has(id) && !ran.has(id)).length;
  const comparable = cases.filter(({ comparison }) => COMPARABLE.includes(comparison.classification)).length;
  const against = objections(run, comparable);
  const comparison: BaselineComparison = {
    file: baseline.file,
    cases: [
      ...cases.map(({ id, comparison: one }) => ({ id, ...one })),
      ...removed.map((entry) => ({ id: entry.case_id, ...removedCase(entry) })),
    ],
    notCompared,
    comparable,
    gates: against.length > 0,
    reason:
      against.length > 0 ? against.map(({ text }) => text).join('; ') : acceptedReason(cases, comparable),
    allowed: { unverifiable: policy.allowUnverifiable, newFailures: policy.allowNewFailures },
    capability: capabilityOf(run),
  };
  return { comparison, outcome: against[0]?.outcome ?? 'passed' };
}

/** A run's summary as its baseline decides it. */
export function withBaseline(run: ComparedRun): RunSummary {
  const { comparison, outcome } = compareRun(run);
  return { ...run.summary, outcome, reason: comparison.reason, baseline: comparison };
}
