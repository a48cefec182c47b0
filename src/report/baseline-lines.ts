import {
  terminalLine,
  type BaselineComparison,
  type CaseComparison,
  type Classification,
  type PassShare,
} from '../core/index.js';
import { counted, countText, intervalText, percent } from './number-text.js';
import type { Painter } from './painter.js';

type Compared = BaselineComparison['cases'][number];

function checksText(checks: CaseComparison['lost'], limit: number): string {
  const shown = checks.slice(0, limit).map((check) => terminalLine(check.check));
  const more = checks.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${counted(more, 'more check')}` : ''}`;
}

const CHECKS_SHOWN = 5;

/** What there is to say of one case behind its id. */
function remark(one: Compared): string {
  switch (one.classification) {
    case 'regression':
    case 'flaky_unconfirmed':
    case 'unchanged':
      return one.lost.length === 0 ? '' : `: lost ${checksText(one.lost, CHECKS_SHOWN)}`;
    case 'improvement':
      return one.won.length === 0 ? '' : `: won ${checksText(one.won, CHECKS_SHOWN)}`;
    case 'unverifiable':
      return `: ${one.verdict === 'fail' ? 'fails; ' : ''}differs in ${one.changed.join(', ')}`;
    case 'new':
    case 'current_error':
    case 'removed':
      return '';
  }
}

interface Group {
  /** What is said of its cases, behind their number. */
  title: string;
  holds: (one: Compared) => boolean;
  paint: 'good' | 'bad' | 'warn';
}

function isOf(classification: Classification, gates?: boolean): Group['holds'] {
  return (one) => one.classification === classification && (gates === undefined || one.gates === gates);
}

const GROUPS: readonly Group[] = [
  { title: 'regressed', holds: isOf('regression', true), paint: 'bad' },
  { title: 'regressed, marked as known to fail', holds: isOf('regression', false), paint: 'warn' },
  { title: 'could not be scored', holds: isOf('current_error'), paint: 'bad' },
  {
    title: 'flaky, not confirmed (failed, and passed when run once more)',
    holds: isOf('flaky_unconfirmed'),
    paint: 'warn',
  },
  {
    title: 'cannot be verified, not what the baseline knew (--allow-unverifiable lets them pass)',
    holds: isOf('unverifiable', true),
    paint: 'bad',
  },
  { title: 'cannot be verified, allowed', holds: isOf('unverifiable', false), paint: 'warn' },
  {
    title: 'new and failing (--allow-new-failures lets them pass)',
    holds: isOf('new', true),
    paint: 'bad',
  },
  {
    title: 'new and failing, allowed',
    holds: (one) => one.classification === 'new' && one.verdict === 'fail' && !one.gates,
    paint: 'warn',
  },
  {
    title: 'new and passing',
    holds: (one) => one.classification === 'new' && one.verdict === 'pass',
    paint: 'good',
  },
  {
    title: 'failing as before, and worse (checks that passed then are missed now)',
    holds: (one) => one.classification === 'unchanged' && one.verdict === 'fail' && one.lost.length > 0,
    paint: 'warn',
  },
  {
    title: 'passing as before, but checks that passed then are missed now',
    holds: (one) => one.classification === 'unchanged' && one.verdict === 'pass' && one.lost.length > 0,
    paint: 'warn',
  },
  { title: 'only in the baseline', holds: isOf('removed'), paint: 'warn' },
  { title: 'improved', holds: isOf('improvement'), paint: 'good' },
];

function groupLines(group: Group, cases: readonly Compared[], limit: number, paint: Painter): string[] {
  const held = cases.filter(group.holds);
  if (held.length === 0) return [];
  const shown = held.slice(0, limit).map((one) => `    ${terminalLine(one.id)}${remark(one)}`);
  const more = held.length - shown.length;
  return [
    `  ${paint[group.paint](`${counted(held.length, 'case')} ${group.title}`)}`,
    ...shown,
    ...(more > 0 ? [`    and ${countText(more)} more`] : []),
  ];
}

/** Cases by what changed, each kind under its title, at most `limit` of a kind. */
export function baselineGroups(cases: readonly Compared[], limit: number, paint: Painter): string[] {
  return GROUPS.flatMap((group) => groupLines(group, cases, limit, paint));
}

function shareText(share: PassShare): string {
  if (share.interval === null) return 'no case';
  return `${percent(share.rate, 1)} ${intervalText(share.interval)} of ${counted(share.total, 'case')}`;
}

function capabilityLines(comparison: BaselineComparison): string[] {
  const { capability } = comparison;
  if (capability === null) return [];
  const saturated = capability.saturated ? '; saturated: a candidate for the regression suite' : '';
  return [
    `  capability: pass rate ${shareText(capability.current)}, baseline ${shareText(capability.baseline)}${saturated}`,
  ];
}

/** The section of a table on a run against a baseline. Its last line is what the gate says. */
export function baselineLines(comparison: BaselineComparison, limit: number, paint: Painter): string[] {
  const { cases, notCompared } = comparison;
  const verdict = comparison.gates ? paint.bad('GATES') : paint.good('HOLDS');
  const unchanged = cases.filter((one) => one.classification === 'unchanged').length;
  return [
    `${paint.bold('baseline')} ${terminalLine(comparison.file)}: ${counted(comparison.comparable, 'comparable case')}, ${countText(unchanged)} unchanged`,
    ...baselineGroups(cases, limit, paint),
    ...(notCompared > 0 ? [`  ${counted(notCompared, 'case')} of the baseline not selected or not run`] : []),
    ...capabilityLines(comparison),
    `baseline ${verdict}: ${terminalLine(comparison.reason)}`,
  ];
}
