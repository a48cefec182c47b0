import type { CaseResult, MetricResult, TrialResult } from '../core/index.js';
import { boundedMeanBounds, wilson } from '../stats/index.js';
import type { Case } from '../suite/index.js';
import { UnitValues } from './unit-values.js';

/** The metrics that the checks of a case name, in their order; most cases name none. */
export function metricsOf(tested: Case): string[] {
  const names: string[] = [];
  for (const { metric, diagnostic } of tested.checks) {
    if (metric !== undefined && !diagnostic && !names.includes(metric)) names.push(metric);
  }
  return names;
}

/** The weighted mean score of the checks of one metric over scored trials; null when nothing has a weight. */
function weightedMean(metric: string, trials: readonly TrialResult[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const trial of trials) {
    if (trial.status === 'error') continue;
    for (const check of trial.checks) {
      if (check.metric !== metric || check.diagnostic) continue;
      sum += check.score * check.weight;
      weights += check.weight;
    }
  }
  return weights === 0 ? null : Math.min(1, sum / weights);
}

/** The metrics of the checks of a case; null when it names none. */
export function caseMetrics(
  tested: Case,
  trials: readonly TrialResult[],
): Exclude<CaseResult['metrics'], undefined> | null {
  const names = metricsOf(tested);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, weightedMean(name, trials)]));
}

function metricResult(metric: string, values: UnitValues): MetricResult {
  const { mean, units, binary } = values.mean(null);
  if (mean === null) return { metric, score: null, cases: 0, interval: null };
  let interval: MetricResult['interval'];
  if (binary) interval = wilson({ n: units, c: Math.round(mean * units) });
  else {
    const { lower, upper } = boundedMeanBounds({ n: units, mean, confidence: 0.975 });
    interval = { lo: lower, hi: upper };
  }
  return { metric, score: mean, cases: values.known, interval };
}

/** Gathers the metrics of the cases of a run: one number a case and metric. */
export class MetricTally {
  readonly #metrics = new Map<string, UnitValues>();

  add(result: CaseResult): void {
    for (const [metric, score] of Object.entries(result.metrics ?? {})) {
      const values = this.#metrics.get(metric) ?? new UnitValues();
      values.add(score, result.cluster);
      this.#metrics.set(metric, values);
    }
  }

  /** Sorted by name; null when no check named one. */
  results(): MetricResult[] | null {
    if (this.#metrics.size === 0) return null;
    return [...this.#metrics]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([metric, values]) => metricResult(metric, values));
  }
}
