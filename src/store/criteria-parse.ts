import type { CriterionResult, JsonObject, MetricResult, RunSummary } from '../core/index.js';
import { listAt, nullableAt, numberAt, objectAt, optionalAt, textAt, wordAt, words } from './shape.js';

const VERDICTS = words<CriterionResult['verdict']>({
  pass: 'pass',
  fail: 'fail',
  inconclusive: 'inconclusive',
});

function criterionFrom(item: JsonObject): CriterionResult {
  return {
    metric: textAt(item, 'metric'),
    threshold: numberAt(item, 'threshold'),
    confidence: numberAt(item, 'confidence'),
    value: nullableAt(item, 'value', numberAt),
    units: numberAt(item, 'units'),
    missing: numberAt(item, 'missing'),
    lower: nullableAt(item, 'lower', numberAt),
    upper: nullableAt(item, 'upper', numberAt),
    verdict: wordAt(item, 'verdict', VERDICTS),
  };
}

function metricFrom(item: JsonObject): MetricResult {
  return {
    metric: textAt(item, 'metric'),
    score: nullableAt(item, 'score', numberAt),
    cases: numberAt(item, 'cases'),
    interval: nullableAt(item, 'interval', (object, key) => {
      const interval = objectAt(object, key);
      return { lo: numberAt(interval, 'lo'), hi: numberAt(interval, 'hi') };
    }),
  };
}

/** Criteria and metrics of a stored summary, where it has them. Throws ShapeError. */
export function criteriaFrom(line: JsonObject): Pick<RunSummary, 'criteria' | 'metrics'> {
  return {
    ...optionalAt(line, 'criteria', (object, key) => listAt(object, key, criterionFrom)),
    ...optionalAt(line, 'metrics', (object, key) => listAt(object, key, metricFrom)),
  };
}
