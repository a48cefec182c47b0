import { terminalLine, type RunSummary } from '../core/index.js';
import { baselineLines } from './baseline-lines.js';
import {
  checkLines,
  indented,
  flipText,
  hiddenLine,
  rateText,
  spreadText,
  suspicionText,
} from './case-lines.js';
import { counted, percent, scoreText } from './number-text.js';
import { shellWord, statusMark, type Painter } from './painter.js';
import { suiteLines } from './suite-lines.js';
import { storedRun, type CaseBrief, type SuiteTally, type TrialBrief } from './tally.js';

function errorText(brief: CaseBrief): string {
  const kinds = Object.entries(brief.result.errors).filter(([, count]) => count > 0);
  if (kinds.length === 0) return '';
  const total = kinds.reduce((sum, [, count]) => sum + count, 0);
  const list = kinds.map(([kind, count]) => `${count} ${kind}`).join(', ');
  return `${counted(total, 'error')} (${list})`;
}

function estimates(brief: CaseBrief): string[] {
  const { planned, scored, passHatK, passAtK, meanScore } = brief.result;
  if (scored === 0) return [];
  const estimate = (value: number | null): string =>
    value === null ? `not defined with ${scored} of ${planned} scored` : percent(value, 0);
  return [
    `pass^${planned} ${estimate(passHatK)}`,
    `pass@${planned} ${estimate(passAtK)}`,
    `mean score ${scoreText(meanScore)}`,
  ];
}

function caseLine(brief: CaseBrief, paint: Painter): string {
  const { result } = brief;
  const name = paint.bold(terminalLine(result.id));
  if (brief.notRun) return `${paint.dim('-')} ${name}: not run`;
  const errors = errorText(brief);
  const parts = [
    `k=${result.planned}`,
    rateText(brief),
    ...estimates(brief),
    ...(errors === '' ? [] : [paint.warn(errors)]),
  ];
  return `${statusMark(paint, result.outcome)} ${name}: ${parts.join(', ')}`;
}

function noteLines(brief: CaseBrief): string[] {
  const { result } = brief;
  const notes: string[] = [];
  if (result.curtailed) {
    const rate =
      result.curtailedRate === null ? '' : `; unbiased pass rate ${percent(result.curtailedRate, 1)}`;
    notes.push(
      `stopped early after ${result.scored} of ${counted(result.planned, 'trial')}: the verdict could no longer change${rate}`,
    );
  }
  if (result.expectedFailing) {
    notes.push(
      result.outcome === 'passed'
        ? 'unexpected pass: the case is marked as expected to fail'
        : 'expected to fail',
    );
  }
  const flips = flipText(brief);
  if (flips !== '') notes.push(`flips: ${flips}`);
  const spread = spreadText(brief);
  if (spread !== '') notes.push(spread);
  const doubt = suspicionText(brief);
  if (doubt !== '') notes.push(doubt);
  return notes.map((note) => `    ${note}`);
}

function trialLines(trial: TrialBrief, brief: CaseBrief, run: string | null, paint: Painter): string[] {
  const status = trial.status === 'error' ? 'could not be scored' : trial.status;
  const score = trial.score === null ? '' : `, score ${scoreText(trial.score)}`;
  const lines = [`    trial ${trial.trial} ${status}${score}`];
  if (trial.error !== null) {
    const text = indented(trial.error.lines, '          ');
    lines.push(`      ${paint.warn('!')} ${trial.error.kind}: ${text}`);
  }
  lines.push(...checkLines(trial, paint, '      '));
  if (run !== null) {
    const command = `assay show ${shellWord(run)} ${shellWord(brief.result.id)} --trial ${trial.trial}`;
    lines.push(paint.dim(`      ${command}`));
  }
  return lines;
}

function caseLines(brief: CaseBrief, run: string | null, paint: Painter): string[] {
  if (brief.notRun) return [caseLine(brief, paint)];
  const lines = [caseLine(brief, paint), ...noteLines(brief)];
  for (const trial of brief.trials) lines.push(...trialLines(trial, brief, run, paint));
  if (brief.moreTrials > 0) lines.push(`    and ${counted(brief.moreTrials, 'more trial')}`);
  return lines;
}

/** The table of one assertion suite or program. */
export function assertionTable(tally: SuiteTally, summary: RunSummary, paint: Painter): string {
  const run = storedRun(summary);
  const { baseline } = summary;
  const hidden = hiddenLine(tally, run);
  const title = `${paint.bold(terminalLine(summary.suite))}: ${counted(summary.totals.cases, 'case')}, intervals are 95 %`;
  const lines = [
    '',
    title,
    ...tally.cases.flatMap((brief) => caseLines(brief, run, paint)),
    ...(hidden === null ? [] : [hidden]),
    '',
    ...(baseline === undefined ? [] : [...baselineLines(baseline, tally.limits.failures, paint), '']),
    ...suiteLines(tally, summary, paint),
  ];
  return `${lines.join('\n')}\n`;
}
