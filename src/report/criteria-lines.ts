import { terminalLine, type CriterionResult, type MetricResult } from '../core/index.js';
import { counted, scoreIntervalText, scoreText } from './number-text.js';
import type { Painter } from './painter.js';

/** `0.933, bounds [0.805, 0.988] one-sided 95 % over 30 units, 1 case missing`; says so when there is nothing. */
export function boundsText(criterion: CriterionResult): string {
  const { value, lower, upper, units, missing, confidence } = criterion;
  const without = missing === 0 ? '' : `, ${counted(missing, 'case')} missing`;
  if (lower === null || upper === null) return `no case has it${without}`;
  const bounds = scoreIntervalText({ lo: lower, hi: upper });
  const level = Number((confidence * 100).toPrecision(6));
  return `${scoreText(value)}, bounds ${bounds} each one-sided ${level} %, over ${counted(units, 'independent unit')}${without}`;
}

/** One criterion of a suite with its verdict. */
export function criterionLine(criterion: CriterionResult, paint: Painter): string {
  const { metric, threshold, verdict } = criterion;
  const word = { pass: paint.good, fail: paint.bad, inconclusive: paint.warn }[verdict](verdict);
  return `criterion ${terminalLine(metric)} at least ${threshold}: ${word}, ${boundsText(criterion)}`;
}

/** The mean of one metric with its interval. */
export function metricLine({ metric, score, cases, interval }: MetricResult): string {
  const name = `metric ${terminalLine(metric)}`;
  if (interval === null) return `${name}: nothing scored`;
  return `${name}: ${scoreText(score)} ${scoreIntervalText(interval)} over ${counted(cases, 'case')}`;
}
