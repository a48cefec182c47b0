import { terminalLine } from '../core/index.js';
import type { Comparison, PairComparisonResult } from './compare-runs.js';
import { caseRows, dimensionRows, factRows, notableCases, spendingRows } from './comparison-text.js';

const MOST_CASES = 50;

/** Any text as one line of plain Markdown: every sign that could be markup is a character reference. */
export function markdownPlain(text: string): string {
  return terminalLine(text).replace(
    /[^\p{L}\p{N} .,;()%]|(?<=www)\./giu,
    (sign) => `&#${sign.codePointAt(0) ?? 32};`,
  );
}

/** A table in Markdown; the first row is its head. */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const [head, ...body] = rows.map((row) => `| ${row.map(markdownPlain).join(' | ')} |`);
  if (head === undefined) return [];
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...body];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ['', `**${title}**`, '', ...lines.map((line) => `- ${markdownPlain(line)}`)];
}

function pairLines(result: PairComparisonResult): string[] {
  const notable = notableCases(result.cases);
  const shown = notable.slice(0, MOST_CASES);
  const lines = [
    `### ${markdownPlain(result.b.label)} against ${markdownPlain(result.a.label)}: ${result.verdict.name}`,
    '',
    markdownPlain(result.verdict.reason),
    '',
    ...markdownTable([['', ''], ...factRows(result)]),
  ];
  if (shown.length > 0) {
    lines.push('', ...markdownTable([['case', 'A', 'B', 'points', 'p (adjusted)', ''], ...caseRows(shown)]));
    if (notable.length > shown.length) lines.push('', `and ${notable.length - shown.length} more`);
  }
  if (result.dimensions.length > 0) {
    lines.push('', ...markdownTable([['dimension', 'A', 'B', 'points'], ...dimensionRows(result)]));
  }
  lines.push('', ...markdownTable([['a trial', 'A', 'B', 'difference'], ...spendingRows(result.spending)]));
  return [...lines, ...list('Left out', result.restrictions), ...list('What differs', result.differences)];
}

/** A comparison in Markdown, for a comment on a change. */
export function comparisonMarkdown(comparison: Comparison): string {
  const lines = [`## Comparison of ${markdownPlain(comparison.suite)}`];
  for (const result of comparison.comparisons) lines.push('', ...pairLines(result));
  return `${lines.join('\n')}\n`;
}
