import type { PairComparisonResult } from './compare-runs.js';
import type { CaseComparison } from './case-comparison.js';
import type { JudgeVerdicts } from './compared-run.js';
import type { SpendingComparison } from './spending.js';

/** A rate as points: `82.5`. `n/a` for null. */
export function rateText(value: number | null): string {
  return value === null ? 'n/a' : `${(value * 100).toFixed(1)}%`;
}

/** A difference of rates in points, with its sign: `-1.1`. */
export function pointsText(value: number | null): string {
  if (value === null) return 'n/a';
  const text = (value * 100).toFixed(1);
  if (Number(text) === 0) return '0.0';
  return value > 0 ? `+${text}` : text;
}

/** An interval of a difference: `[-4.0, +1.8]`. */
export function pointsInterval(interval: { lo: number | null; hi: number | null } | null): string {
  return interval === null || interval.lo === null
    ? ''
    : `[${pointsText(interval.lo)}, ${pointsText(interval.hi)}]`;
}

/** c of n, and what could not be scored: `7/10`, `7/9 (1 error)`. */
export function countsText({ passed, scored, errored }: CaseComparison['a']): string {
  const errors = errored === 0 ? '' : ` (${errored} ${errored === 1 ? 'error' : 'errors'})`;
  return `${passed}/${scored}${errors}`;
}

const TESTS = {
  mcnemar: 'McNemar, exact',
  permutation: 'paired sign-flip test',
  'e-value': 'paired e-value, may be looked at any time',
};

/** How the difference was tested: `McNemar, exact: p = 0.031`. */
export function testText(result: PairComparisonResult): string {
  const { test, p } = result.difference;
  if (test === 'count') return 'counted: replays have no chance in them';
  const name = TESTS[test];
  if (p === null) return name;
  const { adjusted } = result;
  const holm = adjusted !== null && adjusted !== p ? `, adjusted ${pText(adjusted)}` : '';
  return `${name}: p = ${pText(p)}${holm}`;
}

/** A p-value: `0.031`, `<0.001`. */
export function pText(p: number | null): string {
  if (p === null) return '';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

const NAMES: Readonly<Record<SpendingComparison['what'], string>> = {
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'cost, $',
  durationMs: 'time, ms',
  judgeTokens: 'judge tokens',
  judgeCost: 'judge cost, $',
};

function amount(value: number | null, what: SpendingComparison['what']): string {
  if (value === null) return 'n/a';
  return what === 'cost' || what === 'judgeCost'
    ? value.toFixed(6)
    : value.toFixed(what === 'durationMs' ? 0 : 1);
}

/** Rows of what a trial spent: kind, A, B, difference with its interval. */
export function spendingRows(spending: readonly SpendingComparison[]): string[][] {
  // Without a judge its rows say nothing.
  const judged = spending.filter(({ what, a, b }) => !what.startsWith('judge') || a !== 0 || b !== 0);
  return judged.map(({ what, a, b, difference }) => [
    NAMES[what],
    amount(a, what),
    amount(b, what),
    difference === null
      ? ''
      : `${amount(difference.value, what)}${difference.lo === null ? '' : ` [${amount(difference.lo, what)}, ${amount(difference.hi, what)}]`}`,
  ]);
}

/** Rows of the dimensions: name, A, B, difference of the scores in points. */
export function dimensionRows(result: PairComparisonResult): string[][] {
  return result.dimensions.map(({ name, a, b, difference }) => [
    name,
    `${a.passed}/${a.total}`,
    `${b.passed}/${b.total}`,
    difference === null ? '' : `${pointsText(difference.value)} ${pointsInterval(difference)}`.trimEnd(),
  ]);
}

function judgedText({ pass, fail, unknown, error }: JudgeVerdicts): string {
  const asked = pass + fail + unknown + error;
  const share = (count: number): string => rateText(asked === 0 ? null : count / asked);
  return `${share(pass)} passed, ${share(unknown)} unknown, ${share(error)} error, of ${asked}`;
}

/** Rows of what the judges said: side and shares; empty when none was asked. */
function judgeRows({ judges }: PairComparisonResult): string[][] {
  if (judges === null) return [];
  return [
    ['judged, A', judgedText(judges.a)],
    ['judged, B', judgedText(judges.b)],
  ];
}

/** Cases worth a line: those that differ or could not be scored; moved ones first, then the largest differences. */
export function notableCases(cases: readonly CaseComparison[]): CaseComparison[] {
  const rank = (one: CaseComparison): number =>
    one.moved === null ? (one.result === 'unscored' ? 1 : 2) : 0;
  return cases
    .filter((one) => one.result !== 'tie' || one.moved !== null)
    .toSorted(
      (left, right) =>
        rank(left) - rank(right) || Math.abs(right.difference ?? 0) - Math.abs(left.difference ?? 0),
    );
}

/** Rows of cases: id, A, B, difference in points, p, note. */
export function caseRows(cases: readonly CaseComparison[]): string[][] {
  return cases.map((one) => [
    one.id,
    countsText(one.a),
    countsText(one.b),
    pointsText(one.difference),
    one.adjusted === null ? pText(one.p) : `${pText(one.p)} (${pText(one.adjusted)})`,
    one.moved ?? (one.result === 'unscored' ? 'not scored' : one.result),
  ]);
}

/** Headline facts as pairs of name and text. */
export function factRows(result: PairComparisonResult): string[][] {
  const { difference } = result;
  const coverage = `${Number((difference.confidence * 100).toFixed(2))}%`;
  const facts = [
    ['A', rateText(difference.meanA)],
    ['B', rateText(difference.meanB)],
    [
      'difference',
      `${pointsText(difference.difference)} points, ${coverage} ${pointsInterval(difference.interval)}`,
    ],
    ['test', testText(result)],
    [
      'cases',
      `${result.wins} better, ${result.losses} worse, ${result.ties} same` +
        (result.unscored > 0 ? `, ${result.unscored} not scored` : ''),
    ],
  ];
  if (difference.detectable !== null && difference.test !== 'count') {
    facts.push(['could show', `${(difference.detectable * 100).toFixed(1)} points or more`]);
  }
  facts.push(...judgeRows(result));
  return facts;
}
