import type { CaseResult, CriterionResult } from '../core/index.js';
import { boundedMeanBounds, threeValuedGate } from '../stats/index.js';
import type { Case, Criterion } from '../suite/index.js';
import type { GateVerdict } from './gate.js';
import { metricsOf } from './metrics.js';
import { UnitValues } from './unit-values.js';

type SuiteMetric = 'pass_rate' | 'mean' | 'pass^k' | 'pass@k';

function isSuiteMetric(metric: string): metric is SuiteMetric {
  return metric === 'pass_rate' || metric === 'mean' || metric === 'pass^k' || metric === 'pass@k';
}

/** A case's value of a metric, 0..1; null when the trials that were scored do not settle it. */
function caseValue(metric: string, result: CaseResult): number | null {
  if (metric === 'pass^k') return result.passHatK;
  if (metric === 'pass@k') return result.passAtK;
  if (result.scored < result.planned) return null;
  if (metric === 'pass_rate') return result.passed / result.planned;
  return metric === 'mean' ? result.meanScore : (result.metrics?.[metric] ?? null);
}

function boundsOf(values: UnitValues, { threshold, confidence }: Criterion, instead: 0 | 1) {
  const { mean, units, binary } = values.mean(instead);
  if (mean === null) return null;
  if (!binary) return boundedMeanBounds({ n: units, mean, confidence });
  return threeValuedGate({ n: units, c: Math.round(mean * units), p0: threshold, confidence });
}

function criterionResult(criterion: Criterion, values: UnitValues): CriterionResult {
  const { metric, threshold, confidence } = criterion;
  const { mean, units } = values.mean(null);
  const lower = boundsOf(values, criterion, 0)?.lower ?? null;
  const upper = boundsOf(values, criterion, 1)?.upper ?? null;
  let verdict: CriterionResult['verdict'] = 'inconclusive';
  if (lower !== null && lower >= threshold) verdict = 'pass';
  else if (upper !== null && upper < threshold) verdict = 'fail';
  return {
    metric,
    threshold,
    confidence,
    value: mean,
    units,
    missing: values.missing,
    lower,
    upper,
    verdict,
  };
}

/** Gathers what the criteria of a suite ask of its cases: one number a case and criterion. */
export class CriteriaTally {
  readonly #entries: { criterion: Criterion; values: UnitValues }[];

  constructor(criteria: readonly Criterion[]) {
    this.#entries = criteria.map((criterion) => ({ criterion, values: new UnitValues() }));
  }

  /** A case that was run. Cases marked as known to fail take part in no criterion, as in no gate. */
  add(tested: Case, result: CaseResult): void {
    if (this.#entries.length === 0 || (result.expectedFailing && result.outcome !== 'error')) return;
    this.#note(tested, (metric) => caseValue(metric, result));
  }

  /** A case that was to run and was not. */
  addMissing(tested: Case): void {
    if (this.#entries.length > 0) this.#note(tested, () => null);
  }

  /** In the suite's order; null when it has none. */
  results(): CriterionResult[] | null {
    if (this.#entries.length === 0) return null;
    return this.#entries.map(({ criterion, values }) => criterionResult(criterion, values));
  }

  #note(tested: Case, read: (metric: string) => number | null): void {
    const own = metricsOf(tested);
    for (const { criterion, values } of this.#entries) {
      const { metric } = criterion;
      if (isSuiteMetric(metric) || own.includes(metric)) values.add(read(metric), tested.cluster);
    }
  }
}

function described({ metric, threshold, confidence }: CriterionResult): string {
  return `${metric} of ${threshold} at ${Number((confidence * 100).toPrecision(6))} %`;
}

/**
 * The verdict of a run with criteria: a failed one fails it whatever the gate says, and the run has passed only when all
 * are met. Errors and an undecided gate stay what they are.
 */
export function withCriteria(gate: GateVerdict, criteria: readonly CriterionResult[] | null): GateVerdict {
  if (criteria === null || gate.outcome === 'failed') return gate;
  const failed = criteria.filter((one) => one.verdict === 'fail');
  if (failed.length > 0) {
    return { outcome: 'failed', reason: `criterion not met: ${failed.map(described).join(', ')}` };
  }
  const open = criteria.filter((one) => one.verdict === 'inconclusive');
  if (gate.outcome !== 'passed' || open.length === 0) return gate;
  return {
    outcome: 'inconclusive',
    reason: `${gate.reason}, but too few cases to decide the criterion ${open.map(described).join(', ')}`,
  };
}

/**
 * Whether a case of a suite may be stopped at its first failed trial without changing any verdict: the suite asks for
 * nothing but whether all trials passed.
 */
export function canCurtail(suite: { gate: string; criteria: readonly Criterion[] }): boolean {
  return suite.gate !== 'mean' && suite.criteria.every(({ metric }) => metric === 'pass^k');
}
