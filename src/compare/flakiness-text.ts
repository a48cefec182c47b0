import { columns } from './comparison-table.js';
import type { CaseFlakiness, Flakiness } from './flakiness.js';

const MOST_CASES = 40;

function share(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(3);
}

function row(one: CaseFlakiness): string[] {
  const interval =
    one.interval === null
      ? ''
      : `[${(one.interval.lo * 100).toFixed(1)}%, ${(one.interval.hi * 100).toFixed(1)}%]`;
  return [
    one.id,
    `${one.passed}/${one.scored}`,
    interval,
    share(one.index),
    share(one.grader),
    share(one.harness),
    one.fault === null ? '' : `${one.fault} noise: fix it`,
  ];
}

/** How a run varies, for people at a terminal. */
export function flakinessTable(flaky: Flakiness): string {
  const varying = flaky.cases.filter((one) => (one.index ?? 0) > 0 || one.fault !== null);
  const shown = varying.slice(0, MOST_CASES);
  const lines =
    shown.length === 0
      ? ['No case varied.']
      : columns([['case', 'passed', '95%', 'agent', 'grader', 'harness', ''], ...shown.map(row)]);
  if (varying.length > shown.length) lines.push(`  and ${varying.length - shown.length} more`);
  const ungraded = flaky.cases.reduce((sum, one) => sum + one.notRegraded, 0);
  if (ungraded > 0)
    lines.push('', `${ungraded} gradings could not be repeated: files are gone or a grader failed.`);
  const { variance } = flaky;
  if (variance === null) {
    lines.push(
      '',
      'Two cases with the same number of trials, two or more, are needed to split the variance.',
    );
  } else {
    lines.push(
      '',
      `Variance of one trial (${variance.cases} cases, ${variance.trials} trials each)`,
      ...columns([
        ['between cases', share(variance.betweenCases)],
        ['agent', share(variance.agent)],
        ['grader', share(variance.grader)],
        ['share between cases (ICC)', share(variance.icc)],
      ]),
    );
  }
  lines.push('', 'Agent noise is what is measured: it goes into pass^k, and no case is set aside for it.');
  return `${lines.join('\n')}\n`;
}
