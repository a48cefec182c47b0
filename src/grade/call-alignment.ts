import { canonicalJson, clip, plural, type ToolCall } from '../core/index.js';
import {
  callMatches,
  callMismatch,
  matchCalls,
  readCalls,
  type ExpectedCall,
  type ReadCall,
} from './call-matching.js';
import { decide, type Verdict } from './grader.js';
import { shownName } from './tool-facts.js';

const LINES_SHOWN = 40;
// Cells of the alignment table; a longer pair of sequences is shown from its first difference on.
const ALIGNMENT_CELLS = 1_000_000;

function shownExpected(call: ExpectedCall): string {
  const given = call.arguments === undefined ? '' : clip(canonicalJson(call.arguments), 120);
  return `${shownName(call.tool)}(${given})`;
}

function shownActual(call: ReadCall): string {
  return `${shownName(call.name)}(${clip(call.text, 120)})`;
}

function lines(rows: readonly string[]): string {
  const more = rows.length > LINES_SHOWN ? [`… ${rows.length - LINES_SHOWN} more`] : [];
  return [...rows.slice(0, LINES_SHOWN), ...more].map((row) => `\n  ${row}`).join('');
}

/** The recorded call of the same tool that is left over and comes nearest, for the evidence. */
function nearest(wanted: ExpectedCall, actual: readonly ReadCall[], taken: ReadonlySet<number>): string {
  const index = actual.findIndex((call, place) => call.name === wanted.tool && !taken.has(place));
  const call = actual[index];
  if (call === undefined) return '';
  return `; nearest is call [${index}] ${shownActual(call)}, ${callMismatch(wanted, call) ?? 'already matched'}`;
}

function gradeAnyOrder(expected: readonly ExpectedCall[], actual: readonly ReadCall[]): Verdict {
  const matched = matchCalls(expected, actual);
  const taken = new Set(matched);
  const found = matched.filter((index) => index >= 0).length;
  const rows = expected.map((wanted, place) => {
    const index = matched[place] ?? -1;
    if (index >= 0) return `= ${shownExpected(wanted)} is call [${index}]`;
    return `- ${shownExpected(wanted)} was not called${nearest(wanted, actual, taken)}`;
  });
  const summary = `${found} of ${plural(expected.length, 'expected call')} found among ${plural(actual.length, 'call')}`;
  return decide(found === expected.length, `${summary}:${lines(rows)}`);
}

/** Lengths of the longest common subsequences of the two tails, row by row. */
function tailLengths(expected: readonly ExpectedCall[], actual: readonly ReadCall[]): number[][] {
  const table = Array.from({ length: expected.length + 1 }, () =>
    Array.from({ length: actual.length + 1 }, () => 0),
  );
  for (let row = expected.length - 1; row >= 0; row -= 1) {
    const wanted = expected[row];
    const current = table[row];
    const below = table[row + 1];
    if (wanted === undefined || current === undefined || below === undefined) continue;
    for (let column = actual.length - 1; column >= 0; column -= 1) {
      const call = actual[column];
      const same = call !== undefined && callMatches(wanted, call);
      current[column] = same
        ? (below[column + 1] ?? 0) + 1
        : Math.max(below[column] ?? 0, current[column + 1] ?? 0);
    }
  }
  return table;
}

/** The two sequences side by side: `=` both, `-` expected only, `+` called only. */
function align(expected: readonly ExpectedCall[], actual: readonly ReadCall[]): string[] {
  const table = tailLengths(expected, actual);
  const rows: string[] = [];
  let row = 0;
  let column = 0;
  while (row < expected.length || column < actual.length) {
    const wanted = expected[row];
    const call = actual[column];
    if (wanted !== undefined && call !== undefined && callMatches(wanted, call)) {
      rows.push(`= ${shownExpected(wanted)} is call [${column}]`);
      row += 1;
      column += 1;
    } else if (
      wanted !== undefined &&
      (call === undefined || (table[row + 1]?.[column] ?? 0) >= (table[row]?.[column + 1] ?? 0))
    ) {
      rows.push(`- ${shownExpected(wanted)} was not called here`);
      row += 1;
    } else {
      rows.push(`+ call [${column}] ${call === undefined ? '' : shownActual(call)} was not expected here`);
      column += 1;
    }
  }
  return rows;
}

function gradeStrictOrder(expected: readonly ExpectedCall[], actual: readonly ReadCall[]): Verdict {
  const different = expected.findIndex((wanted, place) => {
    const call = actual[place];
    return call === undefined || !callMatches(wanted, call);
  });
  const holds = different < 0 && expected.length === actual.length;
  const summary = `${plural(actual.length, 'call')} against the expected sequence of ${expected.length}`;
  // Only the part from the first difference on needs aligning.
  const from = holds ? 0 : Math.max(0, different < 0 ? expected.length : different);
  const restExpected = expected.slice(from);
  const restActual = actual.slice(from);
  if (restExpected.length * restActual.length > ALIGNMENT_CELLS) {
    return decide(holds, `${summary}: they differ from call [${from}] on`);
  }
  return decide(holds, `${summary}:${lines(align(expected, actual))}`);
}

/**
 * Compares recorded calls with expected ones; the expected arguments are a subset of the recorded. `any`: every
 * expected call has a recorded call of its own, others may stand between. `strict`: exactly this sequence.
 */
export function gradeExpectedCalls(
  expected: readonly ExpectedCall[],
  actual: readonly ToolCall[],
  order: 'any' | 'strict',
): Verdict {
  const read = readCalls(actual);
  return order === 'strict' ? gradeStrictOrder(expected, read) : gradeAnyOrder(expected, read);
}
