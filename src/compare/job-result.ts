import type { StoredRun } from '../store/index.js';
import { armOf } from './arms.js';
import { compareRuns, type Comparison } from './compare-runs.js';
import type { ComparedRun } from './compared-run.js';
import type { CompareJob } from './job-schema.js';
import { tallyPairs, type PairJudgement, type PairwiseResult } from './pairwise-tally.js';
import { readSide } from './read-side.js';

/** What a comparison of arms came to. */
export interface JobResult {
  schema: 'assay/comparison-job/v1';
  job: CompareJob;
  runId: string;
  comparison: Comparison;
  pairwise: PairwiseResult | null;
  decision: JobDecision;
}

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
}

/** The sides of a run with arms, in the order of the job. */
export function armSides(run: StoredRun, job: CompareJob): ComparedRun[] {
  return job.arms.map((arm) => {
    const side = readSide(run, {
      label: arm.name,
      keyOf: ({ id }) => {
        const named = armOf(id);
        return named === null || named.arm !== arm.name ? null : { key: named.caseId, id: named.caseId };
      },
    });
    return { ...side, agentModel: arm.model ?? side.agentModel };
  });
}

function costOf(side: ComparedRun): number | null {
  let total = 0;
  for (const { spending } of side.cases) {
    if (spending.cost === null) return null;
    total += spending.cost;
  }
  return side.cases.length === 0 ? null : total / side.cases.length;
}

/** Not worse: the whole interval lies above the loss that is tolerated, and no case dropped by itself. */
function notWorse(result: Comparison['comparisons'][number], tolerance: number): boolean {
  const { verdict, difference, unscored } = result;
  if (verdict.name === 'worse' || unscored > 0 || difference.interval === null) return false;
  return difference.interval.lo >= -tolerance;
}

function cheapestOf(sides: readonly ComparedRun[], good: ReadonlySet<string>): string | null {
  let best: { label: string; cost: number } | null = null;
  for (const side of sides) {
    if (!good.has(side.label)) continue;
    const cost = costOf(side);
    // A cost that is not known cannot be the smallest.
    if (cost !== null && (best === null || cost < best.cost)) best = { label: side.label, cost };
  }
  return best?.label ?? null;
}

function decideJob(job: CompareJob, sides: readonly ComparedRun[], comparison: Comparison): JobDecision {
  const [baseline] = sides;
  const confidence = 1 - job.alpha;
  const results = comparison.comparisons;
  const better = results
    .filter((one) => one.verdict.name === 'better')
    .toSorted((left, right) => (right.difference.difference ?? 0) - (left.difference.difference ?? 0));
  const good = new Set([
    ...(baseline === undefined ? [] : [baseline.label]),
    ...results.filter((one) => notWorse(one, job.tolerance)).map((one) => one.b.label),
  ]);
  const cheapest = cheapestOf(sides, good);
  const [best] = better;
  const reached = better.some((one) => (one.difference.difference ?? 0) >= job.difference);
  const below = results.every(
    (one) => one.difference.interval !== null && one.difference.interval.hi < job.difference,
  );
  const hypothesis = reached ? 'supported' : below ? 'refuted' : 'open';
  const base = { hypothesis, cheapest, confidence } as const;
  if (best !== undefined) {
    return { ...base, take: best.b.label, reason: `${best.b.label} is better: ${best.verdict.reason}` };
  }
  if (results.every((one) => one.verdict.name === 'worse')) {
    const take = baseline?.label ?? null;
    return { ...base, take, reason: 'every other arm is worse than the baseline' };
  }
  if (results.every((one) => one.verdict.name === 'worse' || notWorse(one, job.tolerance))) {
    return {
      ...base,
      take: cheapest ?? baseline?.label ?? null,
      reason: 'no arm is better; those that are not worse differ in cost and time alone',
    };
  }
  const open = results.filter((one) => one.verdict.name === 'not enough data');
  const reasons = open.map((one) => `${one.b.label}: ${one.verdict.reason}`);
  return { ...base, take: null, reason: `not enough data. ${reasons.join('. ')}` };
}

/** The result of a job from its stored run and the judgements of its pairs; null where pairs were not judged. */
export function jobResult(
  job: CompareJob,
  run: StoredRun,
  judgements: readonly PairJudgement[] | null,
): JobResult {
  const sides = armSides(run, job);
  const comparison = compareRuns(sides, { tolerance: job.tolerance, alpha: job.alpha });
  const names = job.arms.map((arm) => arm.name);
  return {
    schema: 'assay/comparison-job/v1',
    job,
    runId: run.header.runId,
    comparison,
    pairwise: judgements === null ? null : tallyPairs(names, judgements),
    decision: decideJob(job, sides, comparison),
  };
}
