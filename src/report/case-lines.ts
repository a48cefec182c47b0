import { terminalLine } from '../core/index.js';
import { counted, countText, durationText, intervalText, percent } from './number-text.js';
import { outcomeMark, shellWord, type Painter } from './painter.js';
import type { RepeatedRate } from './repeated-rate.js';
import type { CaseBrief, CheckBrief, SuiteTally, TrialBrief } from './tally.js';

/** Lines of untrusted text, each safe to print, all but the first indented. */
export function indented(lines: readonly string[], indent: string): string {
  return lines.map(terminalLine).join(`\n${indent}`);
}

function remarks(check: CheckBrief): string {
  const words: string[] = [];
  if (check.diagnostic) words.push('diagnostic, does not gate');
  if (check.required) words.push('required');
  if (check.weight !== 1) words.push(`weight ${check.weight}`);
  if (check.outcome === 'unknown') words.push('could not be determined');
  if (check.outcome === 'error') words.push('could not be evaluated');
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** `✗ label: detail`, with what is special about the check behind its label. */
export function checkLine(check: CheckBrief, paint: Painter, indent: string): string {
  const mark = outcomeMark(paint, check.outcome);
  const evidence = indented(check.evidence, `${indent}    `);
  return `${indent}${mark} ${terminalLine(check.label)}${paint.dim(remarks(check))}: ${evidence}`;
}

/** The missed checks of a trial, one after the other. */
export function checkLines(trial: TrialBrief, paint: Painter, indent: string): string[] {
  const lines = trial.missed.map((check) => checkLine(check, paint, indent));
  if (trial.more > 0) lines.push(`${indent}and ${counted(trial.more, 'more missed check')}`);
  return lines;
}

/** `response_contains("x")×2, ...`: the checks that passed in some trials and not in others. */
export function flipText(brief: CaseBrief): string {
  return Object.entries(brief.repeat?.flips ?? {})
    .map(([label, count]) => `${terminalLine(label)}×${count}`)
    .join(', ');
}

/**
 * `tokens 24 ± 12, duration 200 ms ± 100 ms` over the trials of a repeated case, as mean and sample standard deviation;
 * '' when there are not two scored trials. Only live trials take time of their own.
 */
export function spreadText(brief: CaseBrief): string {
  if (brief.repeat === null) return '';
  const { tokens, durations } = brief.repeat;
  const parts: string[] = [];
  if (tokens.mean !== null && tokens.deviation !== null && tokens.mean > 0) {
    parts.push(`tokens ${countText(Math.round(tokens.mean))} ± ${countText(Math.round(tokens.deviation))}`);
  }
  if (durations.mean !== null && durations.deviation !== null && durations.mean > 0) {
    parts.push(`duration ${durationText(durations.mean)} ± ${durationText(durations.deviation)}`);
  }
  return parts.join(', ');
}

/** The error bar over repeated cases, by the formula that names its units, beside the one for few units; null without. */
export function repeatedLine(repeated: RepeatedRate, total: number): string | null {
  const rate = repeated.interval(total);
  if (rate === null) return null;
  const basis = `${rate.repeated_cases} of ${counted(total, 'case')} have complete repeat statistics`;
  const { pass_rate: mean, lower, upper, small_sample: small } = rate;
  if (mean === null || lower === null || upper === null) {
    return `repeated-case pass rate: insufficient independent units (${basis})`;
  }
  const interval = `[${percent(lower, 1)}, ${percent(upper, 1)}]`;
  const units = counted(rate.independent_units, 'independent unit');
  const beside = small === null ? '' : `, for few units ${intervalText(small)}`;
  return `repeated-case pass rate ${percent(mean, 1)} ${interval}, 95 %, ${units}${beside}; ${basis}`;
}

/** What to think of a case that never passed; '' when there is nothing to say. */
export function suspicionText(brief: CaseBrief): string {
  const { passed, scored } = brief.result;
  if (passed > 0 || scored < 5) return '';
  // The one-sided 95 % bound of Clopper and Pearson for no pass in n, in closed form.
  const bound = percent(1 - 0.05 ** (1 / scored), 1);
  const rate = `0 of ${scored} passed, true rate at most ${bound} (one-sided 95 %)`;
  return scored >= 20
    ? `suspect: ${rate}; inspect the task before the agent`
    : `low signal: ${rate}; run more trials`;
}

/** `3 of 5 passed [23.1%, 88.2%]`; says so when nothing was scored. */
export function rateText(brief: CaseBrief): string {
  const { passed, scored, interval } = brief.result;
  if (scored === 0) return 'nothing scored';
  const rate = `${passed} of ${scored} passed`;
  return interval === null ? rate : `${rate} ${intervalText(interval)}`;
}

/** `and 37 more (35 failed, 2 errors): assay show RUN --failed`; null when every case is shown. */
export function hiddenLine(tally: SuiteTally, run: string | null): string | null {
  const { failed, errored, passed, notRun } = tally.hidden;
  const parts: string[] = [];
  if (failed > 0) parts.push(`${countText(failed)} failed`);
  if (errored > 0) parts.push(`${countText(errored)} could not be scored`);
  if (notRun > 0) parts.push(`${countText(notRun)} not run`);
  const pointer = run === null ? '' : `: assay show ${shellWord(run)} --failed`;
  const lines: string[] = [];
  const more = failed + errored + notRun;
  if (more > 0) lines.push(`and ${countText(more)} more (${parts.join(', ')})${pointer}`);
  if (passed > 0) lines.push(`${counted(passed, 'passing case')} not listed`);
  return lines.length === 0 ? null : lines.join('\n');
}
