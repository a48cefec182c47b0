import { acceptable, terminalLine, type RunSummary } from '../core/index.js';
import { baselineLines } from './baseline-lines.js';
import {
  checkLines,
  indented,
  flipText,
  hiddenLine,
  rateText,
  repeatedLine,
  spreadText,
  suspicionText,
} from './case-lines.js';
import { counted, countText } from './number-text.js';
import { statusMark, type Painter } from './painter.js';
import { storedRun, type CaseBrief, type SuiteTally } from './tally.js';

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function repeatLines(brief: CaseBrief): string[] {
  const { planned, scored, passed } = brief.result;
  if (planned < 2) return [];
  const truncated = scored < planned ? ` (${scored} of ${planned} completed)` : '';
  const flips = flipText(brief);
  const parts = [
    `repeats: ${rateText(brief)}${truncated}`,
    `pass@${planned} ${yesNo(passed > 0)}`,
    `pass^${planned} ${yesNo(passed === planned)}`,
    ...(flips === '' ? [] : [`flips: ${flips}`]),
  ];
  const doubt = suspicionText(brief);
  const spread = spreadText(brief);
  return [
    `    ${parts.join(', ')}`,
    ...(spread === '' ? [] : [`    ${spread}`]),
    ...(doubt === '' ? [] : [`    ${doubt}`]),
  ];
}

function caseLines(brief: CaseBrief, paint: Painter): string[] {
  const { result } = brief;
  const name = `${paint.bold(terminalLine(result.id))} (${terminalLine(result.source)})`;
  if (brief.notRun) return [`${paint.dim('-')} ${name} not run`];
  const expected = result.expectedFailing
    ? result.outcome === 'passed'
      ? ' (unexpected pass: marked as expected to fail)'
      : ' (expected to fail)'
    : '';
  const mark = statusMark(paint, result.outcome);
  const verdict = result.outcome === 'error' ? '' : ` ${brief.passedChecks}/${brief.totalChecks} checks`;
  const kind = brief.error?.kind ?? 'incomplete';
  const error = brief.error === null ? '' : ` ${kind}: ${indented(brief.error.lines, '    ')}`;
  const checks = brief.shown === null ? [] : checkLines(brief.shown, paint, '    ');
  return [`${mark} ${name}${verdict}${expected}${error}`, ...repeatLines(brief), ...checks];
}

function lastLines(tally: SuiteTally, summary: RunSummary, paint: Painter): string[] {
  const { totals } = summary;
  const failed = totals.failed + totals.errored;
  const lines: string[] = [];
  if (totals.notRun > 0) lines.push(paint.warn(`${counted(totals.notRun, 'case')} not run`));
  if (tally.unexpectedPasses.count > 0) {
    lines.push(paint.warn(`unexpected passes: ${countText(tally.unexpectedPasses.count)}`));
  }
  const count = `${countText(totals.passed)}/${countText(totals.cases)} cases passed`;
  if (failed > 0) {
    const errors = totals.errored === 0 ? '' : `, ${countText(totals.errored)} of them could not be scored`;
    lines.push(`${count} ${paint.bad(`(${countText(failed)} failed${errors})`)}`);
  } else
    lines.push(totals.passed === totals.cases && totals.cases > 0 ? `${count} ${paint.good('✓')}` : count);
  const repeated = repeatedLine(tally.repeated, totals.cases);
  if (repeated !== null) lines.push(repeated);
  if (summary.baseline !== undefined) {
    return [...lines, '', ...baselineLines(summary.baseline, tally.limits.failures, paint)];
  }
  // The count above explains a failed case; anything else that makes the result unacceptable needs its reason.
  if (!acceptable(summary) && (summary.outcome !== 'failed' || totals.failed === 0)) {
    lines.push(paint.warn(`${summary.outcome}: ${terminalLine(summary.reason)}`));
  }
  return lines;
}

/** The table of one suite of trace fixtures. */
export function traceTable(tally: SuiteTally, summary: RunSummary, paint: Painter): string {
  const hidden = hiddenLine(tally, storedRun(summary));
  const lines = [
    '',
    ...tally.cases.flatMap((brief) => caseLines(brief, paint)),
    ...(hidden === null ? [] : [hidden]),
    '',
    ...lastLines(tally, summary, paint),
  ];
  return `${lines.join('\n')}\n`;
}
