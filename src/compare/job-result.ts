import { seededRandom } from '../stats/index.js';
import type { StoredRun } from '../store/index.js';
import { armOf, type ArmedCases } from './arms.js';
import { compareRuns, type Comparison } from './compare-runs.js';
import type { ComparedRun } from './compared-run.js';
import type { ArmRates } from './early-stop.js';
import { decideJob, type JobDecision } from './job-decision.js';
import type { CompareJob } from './job-schema.js';
import { tallyPairs, type PairJudgement, type PairwiseResult } from './pairwise-tally.js';
import { readSide } from './read-side.js';
import { ruledEnd, type RuledEnd } from './stopped-early.js';

/** What a comparison of arms came to. */
export interface JobResult {
  schema: 'assay/comparison-job/v1';
  job: CompareJob;
  runId: string;
  startedAt: string;
  comparison: Comparison;
  /** How the rule that might have ended it early left it; null without one. */
  ruled: RuledEnd | null;
  pairwise: PairwiseResult | null;
  decision: JobDecision;
}

/** The sides of a run with arms, in the order of the job. */
function armSides(run: StoredRun, job: CompareJob, clusters: ReadonlyMap<string, string>): ComparedRun[] {
  return job.arms.map((arm) => {
    const side = readSide(run, {
      label: arm.name,
      keyOf: ({ id }) => {
        const named = armOf(id);
        return named === null || named.arm !== arm.name ? null : { key: named.caseId, id: named.caseId };
      },
    });
    const cases = side.cases.map((one) => ({ ...one, cluster: clusters.get(one.id) ?? null }));
    return { ...side, cases, agentModel: arm.model ?? side.agentModel };
  });
}

/** The cases that were run in whole blocks, as the rule sees them. */
function unitsOf(sides: readonly ComparedRun[], order: readonly string[]): ArmRates[] {
  const rates = sides.map((side) => new Map(side.cases.map((one) => [one.key, one.rate])));
  const units: ArmRates[] = [];
  for (const id of order) {
    if (!rates.every((side) => side.has(id))) break;
    units.push(rates.map((side) => side.get(id) ?? null));
  }
  return units;
}

/** The result of a job from its stored run and the judgements of its pairs; null where pairs were not judged. */
export function jobResult(
  job: CompareJob,
  run: StoredRun,
  judgements: readonly PairJudgement[] | null,
  { order, clusters }: ArmedCases,
): JobResult {
  const read = armSides(run, job, clusters);
  const { earlyStop } = job;
  const random = seededRandom(run.header.seed);
  const units = earlyStop === null ? [] : unitsOf(read, order);
  const ruled =
    earlyStop === null || units.length === 0 ? null : ruledEnd(units, order.length, earlyStop, random);
  // What the rule left out is said once, and is no fault of the run.
  const sides = ruled?.early === true ? read.map((side) => ({ ...side, incomplete: null })) : read;
  const comparison = compareRuns(sides, { tolerance: job.tolerance, alpha: job.alpha, ruled });
  const names = job.arms.map((arm) => arm.name);
  return {
    schema: 'assay/comparison-job/v1',
    job,
    runId: run.header.runId,
    startedAt: run.header.startedAt,
    comparison,
    ruled,
    pairwise: judgements === null ? null : tallyPairs(names, judgements),
    decision: decideJob(job, sides, comparison),
  };
}
