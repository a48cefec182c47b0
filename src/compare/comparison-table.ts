import { terminalLine } from '../core/index.js';
import type { Comparison, PairComparisonResult } from './compare-runs.js';
import { caseRows, dimensionRows, factRows, notableCases, spendingRows } from './comparison-text.js';

const MOST_CASES = 20;

/** Rows of cells as lines in columns two spaces apart, indented by two. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const safe = rows.map((row) => row.map(terminalLine));
  const widths: number[] = [];
  for (const row of safe) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, Array.from(cell).length);
  }
  return safe.map((row) => {
    const cells = row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - Array.from(cell).length));
    return `  ${cells.join('  ').trimEnd()}`;
  });
}

function pairLines(result: PairComparisonResult): string[] {
  const notable = notableCases(result.cases);
  const shown = notable.slice(0, MOST_CASES);
  const lines = [
    `A ${terminalLine(result.a.label)} (${terminalLine(result.a.agentModel)})`,
    `B ${terminalLine(result.b.label)} (${terminalLine(result.b.agentModel)})`,
    '',
    `B is ${result.verdict.name === 'not enough data' ? 'undecided: not enough data' : result.verdict.name}`,
    `  ${terminalLine(result.verdict.reason)}`,
    '',
    ...columns(factRows(result)),
  ];
  if (shown.length > 0) {
    lines.push('', ...columns([['case', 'A', 'B', 'points', 'p (adjusted)', ''], ...caseRows(shown)]));
    if (notable.length > shown.length) lines.push(`  and ${notable.length - shown.length} more`);
  }
  if (result.dimensions.length > 0) {
    lines.push('', ...columns([['dimension', 'A', 'B', 'points'], ...dimensionRows(result)]));
  }
  lines.push('', ...columns([['a trial', 'A', 'B', 'difference'], ...spendingRows(result.spending)]));
  if (result.restrictions.length > 0) {
    lines.push('', 'Left out', ...result.restrictions.map((line) => `  ${terminalLine(line)}`));
  }
  if (result.differences.length > 0) {
    lines.push('', 'What differs', ...result.differences.map((line) => `  ${terminalLine(line)}`));
  }
  return lines;
}

/** A comparison for people at a terminal. */
export function comparisonTable(comparison: Comparison): string {
  const many = comparison.comparisons.length > 1;
  const lines = [`Comparison of ${terminalLine(comparison.suite)}`];
  const tolerance = `tolerance ${(comparison.tolerance * 100).toFixed(1)} points`;
  const adjusted = many ? `, adjusted over ${comparison.comparisons.length} comparisons` : '';
  lines.push(`${tolerance}, chance of a false verdict at most ${comparison.alpha * 100}%${adjusted}`);
  for (const result of comparison.comparisons) lines.push('', ...pairLines(result));
  return `${lines.join('\n')}\n`;
}
