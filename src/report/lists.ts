import { terminalLine, type RunOutcome } from '../core/index.js';
import { counted, countText } from './number-text.js';
import { createPainter, type Painter } from './painter.js';

/** One stored run, as `assay list` shows it. */
export interface RunListEntry {
  runId: string;
  suite: string;
  /** Null when the run was never finished. */
  outcome: RunOutcome | null;
  /** ISO time. */
  startedAt: string;
  /** Null when not known. */
  cases: { passed: number; total: number } | null;
  /** Why the run cannot be read; null when it can. */
  problem: string | null;
}

/** One suite that can be run, as `assay list` shows it. */
export interface SuiteListEntry {
  name: string;
  /** The file or directory, as the user would name it. */
  path: string;
  format: 'trace' | 'assertion' | 'program';
  kind: 'regression' | 'capability';
  /** Null when the suite does not load. */
  cases: number | null;
  description: string | null;
  /** The suite that hides this one by having the same name; null when it is not hidden. */
  shadowedBy: string | null;
  /** Why it does not load, in one line; null when it does. */
  problem: string | null;
}

/** Code points; enough for the names of suites and runs. */
function width(text: string): number {
  return Array.from(text).length;
}

/** Rows of plain cells under a header, in columns two spaces apart. `paintCell` colours a padded cell. */
export function columns(
  rows: readonly (readonly string[])[],
  paintRow: (row: number, text: string) => string,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell));
  }
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)));
    return paintRow(index, cells.join('  ').trimEnd());
  });
  return `${lines.join('\n')}\n`;
}

function outcomePaint(paint: Painter, entry: RunListEntry | undefined): (text: string) => string {
  if (entry === undefined) return paint.bold;
  if (entry.problem !== null || entry.outcome === null) return paint.warn;
  if (entry.outcome === 'passed') return (text) => text;
  return entry.outcome === 'failed' ? paint.bad : paint.warn;
}

/** Stored runs, one a line, in the given order. */
export function formatRunList(runs: readonly RunListEntry[], options: { color: boolean }): string {
  if (runs.length === 0) return 'no stored runs\n';
  const paint = createPainter(options.color);
  const rows = runs.map((run) => [
    terminalLine(run.runId),
    terminalLine(run.suite),
    run.problem === null ? (run.outcome ?? 'not finished') : 'unreadable',
    run.cases === null ? '-' : `${countText(run.cases.passed)}/${countText(run.cases.total)}`,
    terminalLine(run.startedAt),
    run.problem === null ? '' : terminalLine(run.problem),
  ]);
  return columns([['run', 'suite', 'outcome', 'cases', 'started', ''], ...rows], (index, text) =>
    outcomePaint(paint, runs[index - 1])(text),
  );
}

/** Suites, one a line, in the given order. */
export function formatSuiteList(suites: readonly SuiteListEntry[], options: { color: boolean }): string {
  if (suites.length === 0) return 'no suites found\n';
  const paint = createPainter(options.color);
  const rows = suites.map((suite) => {
    const remarks = [
      ...(suite.problem === null ? [] : [terminalLine(suite.problem)]),
      ...(suite.shadowedBy === null ? [] : [`hidden by ${terminalLine(suite.shadowedBy)}`]),
      ...(suite.description === null ? [] : [terminalLine(suite.description)]),
    ];
    return [
      terminalLine(suite.name),
      suite.kind,
      suite.format,
      suite.cases === null ? 'does not load' : counted(suite.cases, 'case'),
      terminalLine(suite.path),
      remarks.join('; '),
    ];
  });
  return columns([['suite', 'kind', 'format', 'cases', 'path', ''], ...rows], (index, text) => {
    const suite = suites[index - 1];
    if (suite === undefined) return paint.bold(text);
    if (suite.problem !== null) return paint.warn(text);
    return suite.shadowedBy === null ? text : paint.dim(text);
  });
}
