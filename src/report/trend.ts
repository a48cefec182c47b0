import { terminalLine, type Interval, type RunOutcome } from '../core/index.js';
import { columns } from './lists.js';
import { counted, countText, intervalText, percent } from './number-text.js';
import { createPainter } from './painter.js';

/** One run of a suite in its history. */
export interface TrendPoint {
  runId: string;
  /** ISO time. */
  at: string;
  /** Beginning of the commit; null outside of a repository. */
  commit: string | null;
  dirty: boolean;
  mode: string;
  model: string;
  outcome: RunOutcome;
  /** Cases that passed, of those that were scored. */
  passed: number;
  scored: number;
  /** Cases that could not be scored, or were not run. */
  missing: number;
  /** 95 % interval of the pass rate; null when no case was scored. */
  interval: Interval | null;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

function rateOf(point: TrendPoint): number | null {
  return point.scored === 0 ? null : point.passed / point.scored;
}

/** Shares of 0..1 as one character each, `·` where there is none: `▁▄█·█`. Only a whole 1 is a full bar. */
export function sparkline(shares: readonly (number | null)[]): string {
  const top = BARS.length - 1;
  return shares
    .map((share) => {
      if (share === null || !Number.isFinite(share)) return '·';
      if (share >= 1) return BARS[top];
      return BARS[Math.min(top - 1, Math.max(0, Math.floor(share * top)))];
    })
    .join('');
}

function row(point: TrendPoint): string[] {
  const commit = point.commit === null ? '-' : `${terminalLine(point.commit)}${point.dirty ? '+' : ''}`;
  return [
    terminalLine(point.at),
    point.outcome,
    percent(rateOf(point), 1),
    point.interval === null ? '-' : intervalText(point.interval),
    `${countText(point.passed)}/${countText(point.scored)}`,
    point.missing === 0 ? '' : countText(point.missing),
    commit,
    point.mode,
    terminalLine(point.model),
    terminalLine(point.runId),
  ];
}

/** The history of one suite, oldest run first: a table, and one character a run. */
export function formatTrend(
  suite: string,
  points: readonly TrendPoint[],
  options: { color: boolean },
): string {
  const paint = createPainter(options.color);
  const title = `${paint.bold(terminalLine(suite))}: ${counted(points.length, 'run')}, pass rates of cases with 95 % intervals`;
  const header = [
    'when',
    'outcome',
    'rate',
    'interval',
    'passed',
    'missing',
    'commit',
    'mode',
    'model',
    'run',
  ];
  const table = columns([header, ...points.map(row)], (index, text) => {
    const point = points[index - 1];
    if (point === undefined) return paint.bold(text);
    if (point.outcome === 'passed') return text;
    return point.outcome === 'failed' ? paint.bad(text) : paint.warn(text);
  });
  return `${title}\n${table}${sparkline(points.map(rateOf))}\n`;
}
