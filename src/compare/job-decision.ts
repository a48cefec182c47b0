import type { Comparison, PairComparisonResult } from './compare-runs.js';
import type { ComparedRun } from './compared-run.js';
import type { CompareJob } from './job-schema.js';
import { weighArms, weighedChoice, type WeighedArm, type WeighedChoice } from './weighed-choice.js';

/** What to do, and how sure that is. */
export interface JobDecision {
  /** The arm to take; null while the data do not say. */
  take: string | null;
  /** Whether the wanted difference was reached. `refuted`: the whole interval of every arm lies below it. */
  hypothesis: 'supported' | 'refuted' | 'open';
  /** Among the arms that are not worse than the baseline within the tolerance, the one that costs least. */
  cheapest: string | null;
  reason: string;
  /** 1 - alpha of the verdicts above. */
  confidence: number;
  /** What each arm came to, and why it cannot be taken where it cannot. */
  arms: WeighedArm[];
  /** The choice by weights; null where the job has none. */
  weighed: WeighedChoice | null;
}

/** Not worse: the whole interval lies above the loss that is tolerated, and no case dropped by itself. */
function notWorse(result: PairComparisonResult, tolerance: number): boolean {
  const { verdict, difference, unscored } = result;
  if (verdict.name === 'worse' || unscored > 0 || difference.interval === null) return false;
  return verdict.name === 'better' || difference.interval.lo >= -tolerance;
}

function cheapestOf(arms: readonly WeighedArm[]): string | null {
  // A cost that is not known cannot be the smallest.
  const known = arms.flatMap(({ arm, cost }) => (cost === null ? [] : [{ arm, cost }]));
  return known.toSorted((left, right) => left.cost - right.cost)[0]?.arm ?? null;
}

function hypothesisOf(job: CompareJob, results: readonly PairComparisonResult[]): JobDecision['hypothesis'] {
  const reached = results.some(
    ({ verdict, difference }) => verdict.name === 'better' && (difference.difference ?? 0) >= job.difference,
  );
  if (reached) return 'supported';
  const below = results.every(
    ({ difference }) => difference.interval !== null && difference.interval.hi < job.difference,
  );
  return below ? 'refuted' : 'open';
}

/** What to take, and why. */
type Taken = Pick<JobDecision, 'take' | 'reason'>;

function takeByWeights(choice: WeighedChoice, alpha: number): Taken {
  const { primary, fallback, p } = choice;
  if (primary === null) return { take: null, reason: 'no arm can be taken' };
  if (p === null || fallback === null) {
    return { take: primary, reason: `${primary} is the only arm that can be taken` };
  }
  const shown = `${primary} weighs most, ${fallback} comes next: p = ${p.toPrecision(2)}`;
  return p <= alpha
    ? { take: primary, reason: shown }
    : { take: null, reason: `not enough data to choose by weight. ${shown}` };
}

function takeByVerdicts(
  job: CompareJob,
  results: readonly PairComparisonResult[],
  arms: readonly WeighedArm[],
  cheapest: string | null,
): Taken {
  const able = (label: string): boolean => arms.some((one) => one.arm === label && one.out === null);
  const baseline = arms[0]?.arm ?? '';
  const kept = able(baseline) ? baseline : null;
  const [best] = results
    .filter((one) => one.verdict.name === 'better' && able(one.b.label))
    .toSorted((left, right) => (right.difference.difference ?? 0) - (left.difference.difference ?? 0));
  if (best !== undefined) {
    return { take: best.b.label, reason: `${best.b.label} is better: ${best.verdict.reason}` };
  }
  const open = results.filter(
    (one) => able(one.b.label) && one.verdict.name !== 'worse' && !notWorse(one, job.tolerance),
  );
  if (open.length > 0) {
    const reasons = open.map((one) => `${one.b.label}: ${one.verdict.reason}`);
    return { take: null, reason: `not enough data. ${reasons.join('. ')}` };
  }
  const rivals = results.filter((one) => able(one.b.label) && one.verdict.name !== 'worse');
  if (rivals.length === 0) {
    if (kept === null) return { take: null, reason: 'no arm can be taken' };
    const all = results.every((one) => one.verdict.name === 'worse');
    const reason = all ? 'every other arm is worse than the baseline' : 'no other arm can be taken';
    return { take: kept, reason };
  }
  return {
    take: cheapest ?? kept,
    reason: 'no arm is better; those that are not worse differ in cost and time alone',
  };
}

/** What a comparison of arms means for the choice between them. */
export function decideJob(
  job: CompareJob,
  sides: readonly ComparedRun[],
  comparison: Comparison,
): JobDecision {
  const results = comparison.comparisons;
  const { weights } = job;
  const arms = weighArms(job, sides, results);
  const good = new Set(results.filter((one) => notWorse(one, job.tolerance)).map((one) => one.b.label));
  const cheapest = cheapestOf(
    arms.filter(({ arm, out }, index) => out === null && (index === 0 || good.has(arm))),
  );
  const weighed = weights === null ? null : weighedChoice({ ...job, weights }, sides, results);
  const taken =
    weighed === null ? takeByVerdicts(job, results, arms, cheapest) : takeByWeights(weighed, job.alpha);
  return {
    ...taken,
    hypothesis: hypothesisOf(job, results),
    cheapest,
    confidence: 1 - job.alpha,
    arms,
    weighed,
  };
}
