import { terminalLine, type CaseComparison, type Interval } from '../core/index.js';
import { baselineGroups } from './baseline-lines.js';
import { columns } from './lists.js';
import { counted, countText, intervalText, percent, scoreText } from './number-text.js';
import { createPainter } from './painter.js';

/** One case of a baseline, as `assay baseline show` lists it. */
export interface BaselineListEntry {
  id: string;
  verdict: 'pass' | 'fail';
  passes: number;
  trials: number;
  checksPassed: number;
  checks: number;
  score: number | null;
  tokens: number | null;
  mode: string;
  model: string;
  /** The judge as named; null without judged checks. */
  judge: string | null;
  /** Beginning of the case's hash. */
  hash: string;
}

/** A baseline as a table, under the share of its cases that passed. */
export function formatBaseline(
  file: string,
  entries: readonly BaselineListEntry[],
  interval: Interval | null,
  options: { color: boolean },
): string {
  const paint = createPainter(options.color);
  const passed = entries.filter((entry) => entry.verdict === 'pass').length;
  const rate =
    interval === null
      ? 'empty: nothing can be compared with it'
      : `${countText(passed)} of ${counted(entries.length, 'case')} passed, ${percent(passed / entries.length, 1)} ${intervalText(interval)} (95 %)`;
  const title = `${paint.bold(terminalLine(file))}: ${rate}\n`;
  if (entries.length === 0) return title;
  const rows = entries.map((entry) => [
    terminalLine(entry.id),
    entry.verdict,
    `${entry.passes}/${entry.trials}`,
    `${entry.checksPassed}/${entry.checks}`,
    scoreText(entry.score),
    entry.tokens === null ? '-' : countText(Math.round(entry.tokens)),
    entry.mode,
    terminalLine(entry.model),
    entry.judge === null ? '-' : terminalLine(entry.judge),
    terminalLine(entry.hash),
  ]);
  const header = ['case', 'verdict', 'trials', 'checks', 'score', 'tokens', 'mode', 'model', 'judge', 'hash'];
  return (
    title +
    columns([header, ...rows], (index, text) => {
      const entry = entries[index - 1];
      if (entry === undefined) return paint.bold(text);
      return entry.verdict === 'fail' ? paint.bad(text) : text;
    })
  );
}

/** What changed between two baselines, by kind of change. */
export function formatBaselineDiff(
  names: { before: string; after: string },
  cases: readonly ({ id: string } & CaseComparison)[],
  options: { color: boolean },
): string {
  const paint = createPainter(options.color);
  const same = cases.filter((one) => one.classification === 'unchanged').length;
  const title = `${terminalLine(names.before)} ${paint.dim('→')} ${terminalLine(names.after)}: ${counted(cases.length, 'case')}, ${countText(same)} with the same verdict`;
  return `${[title, ...baselineGroups(cases, Number.POSITIVE_INFINITY, paint)].join('\n')}\n`;
}
