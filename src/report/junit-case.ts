import type { CaseComparison, CaseResult, Check, TrialResult } from '../core/index.js';
import { caseError, checkFlips, inOrder, missedChecks, suspicion, wasNotRun } from './case-facts.js';
import { headAndTail } from './clip-text.js';
import { comparisonNotes, skipReason } from './junit-baseline.js';
import { counted, intervalText } from './number-text.js';
import { xmlAttributes, xmlText } from './xml.js';

/** What one `<testcase>` counts as; exactly one of the three, or none for a pass. */
export type JunitVerdict = 'passed' | 'failure' | 'error' | 'skipped';

/** One `<testcase>` and what it counts as. */
export interface JunitCase {
  xml: string;
  verdict: JunitVerdict;
}

/** A test report is read by machines that keep it: far more evidence than on a terminal, but bounded. */
const EVIDENCE_CHARACTERS = 20_000;
/** A message is a headline; the whole text stands in the element. */
const MESSAGE_CHARACTERS = 1000;
const TRIALS = 10;

function checkLine(check: Check): string {
  const kind = check.outcome === 'fail' ? '' : ` [${check.outcome}]`;
  return `${check.label}${kind}: ${headAndTail(check.evidence, EVIDENCE_CHARACTERS)}`;
}

/** Lines about one trial, under its number when there are several. */
function underTrial(trial: TrialResult, planned: number, lines: readonly string[]): string[] {
  return planned < 2 || lines.length === 0 ? [...lines] : [`trial ${trial.trial} of ${planned}:`, ...lines];
}

/** Why a trial could not be scored, and the gating checks that it missed. */
function missedLines(trial: TrialResult): string[] {
  const lines = missedChecks(trial)
    .filter((check) => !check.diagnostic)
    .map(checkLine);
  const { error } = trial;
  return error === null
    ? lines
    : [`${error.kind}: ${headAndTail(error.message, EVIDENCE_CHARACTERS)}`, ...lines];
}

/** Notes that never change the verdict: missed diagnostics, rates, warnings. */
function notes(result: CaseResult, trials: readonly TrialResult[]): string[] {
  const lines: string[] = [];
  if (result.planned > 1 && result.interval !== null) {
    const rate = `${result.passed} of ${counted(result.scored, 'scored trial')} passed`;
    lines.push(`${rate}, 95 % interval ${intervalText(result.interval)}`);
    const flips = Object.entries(checkFlips(trials)).map(([label, count]) => `${label}×${count}`);
    if (flips.length > 0) lines.push(`flips: ${flips.join(', ')}`);
  }
  if (result.expectedFailing && result.outcome === 'passed') {
    lines.push('unexpected pass: the case is marked as expected to fail');
  }
  const doubt = suspicion(result);
  if (doubt === 'suspect') lines.push('suspect: no trial ever passed; inspect the task before the agent');
  if (doubt === 'low-signal') lines.push('low signal: no trial passed yet; run more trials');
  for (const trial of trials) {
    const missed = missedChecks(trial).filter((check) => check.diagnostic);
    const shown = missed.map((check) => `diagnostic: ${checkLine(check)}`);
    lines.push(...underTrial(trial, result.planned, shown));
  }
  return lines;
}

function body(result: CaseResult, trials: readonly TrialResult[]): string {
  const missing = trials.filter((trial) => trial.status !== 'passed');
  const lines = missing
    .slice(0, TRIALS)
    .flatMap((trial) => underTrial(trial, result.planned, missedLines(trial)));
  const hidden = missing.length - TRIALS;
  if (hidden > 0) lines.push(`and ${counted(hidden, 'more trial')}`);
  return lines.join('\n');
}

/** Label of the first gating check that was missed; what a failure says when there is none. */
function firstMissed(result: CaseResult, trials: readonly TrialResult[]): string {
  for (const trial of trials) {
    const check = missedChecks(trial).find((candidate) => !candidate.diagnostic);
    if (trial.status === 'failed' && check !== undefined) return check.label;
  }
  return result.scored < result.planned
    ? `${result.scored} of ${counted(result.planned, 'trial')} scored`
    : 'no check passed';
}

function outcomeElement(
  result: CaseResult,
  trials: readonly TrialResult[],
  comparison: CaseComparison | undefined,
): { verdict: JunitVerdict; element: string } {
  if (wasNotRun(result)) {
    return { verdict: 'skipped', element: `<skipped${xmlAttributes({ message: 'not run: cancelled' })}/>` };
  }
  const skipped = comparison === undefined ? null : skipReason(result, comparison);
  if (skipped !== null) {
    return { verdict: 'skipped', element: `<skipped${xmlAttributes({ message: skipped })}/>` };
  }
  const text = xmlText(body(result, trials));
  if (result.outcome === 'error' || comparison?.classification === 'current_error') {
    const type = trials.find((trial) => trial.error !== null)?.error?.kind ?? 'incomplete';
    const message = headAndTail(caseError(result, trials) ?? '', MESSAGE_CHARACTERS);
    return { verdict: 'error', element: `<error${xmlAttributes({ message, type })}>${text}</error>` };
  }
  if (result.outcome === 'failed') {
    const message = headAndTail(firstMissed(result, trials), MESSAGE_CHARACTERS);
    if (result.expectedFailing) {
      const attributes = xmlAttributes({ message: `expected to fail: ${message}` });
      return { verdict: 'skipped', element: `<skipped${attributes}>${text}</skipped>` };
    }
    return { verdict: 'failure', element: `<failure${xmlAttributes({ message })}>${text}</failure>` };
  }
  return { verdict: 'passed', element: '' };
}

/** Seconds with three decimals, as JUnit readers expect. */
export function junitSeconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1000).toFixed(3);
}

/** One case as a `<testcase>`. */
export function junitCase(
  result: CaseResult,
  unordered: readonly TrialResult[],
  comparison?: CaseComparison,
): JunitCase {
  const trials = inOrder(unordered);
  const { verdict, element } = outcomeElement(result, trials, comparison);
  const skipped = comparison !== undefined && verdict === 'skipped' && !wasNotRun(result);
  const failing = skipped ? body(result, trials) : '';
  const noted = [
    ...notes(result, trials),
    ...(comparison === undefined ? [] : comparisonNotes(comparison)),
    ...(failing === '' ? [] : [failing]),
  ].join('\n');
  const output = noted === '' ? '' : `<system-out>${xmlText(noted)}</system-out>`;
  const attributes = xmlAttributes({
    name: result.id,
    classname: result.source,
    time: junitSeconds(result.durationMs),
  });
  const inner = `${element}${output}`;
  return {
    verdict,
    xml: inner === '' ? `<testcase${attributes}/>` : `<testcase${attributes}>${inner}</testcase>`,
  };
}
