import { terminalLine, type JudgeUsage, type RunSummary } from '../core/index.js';
import { errorCounts } from './case-facts.js';
import { repeatedLine } from './case-lines.js';
import {
  costText,
  counted,
  countText,
  intervalText,
  percent,
  scoreIntervalText,
  scoreText,
} from './number-text.js';
import { criterionLine, metricLine } from './criteria-lines.js';
import { shellWord, type Painter } from './painter.js';
import { storedRun, type NameList, type SuiteTally } from './tally.js';
import type { UnitMeans } from './unit-means.js';

/** ` [43.6%, 97.0%] over 6 cases`; says so when there is no interval. `show` writes it. */
export function basisText(means: UnitMeans, show = intervalText): string {
  const interval = means.interval();
  const units = means.units === means.count ? '' : ` in ${counted(means.units, 'independent unit')}`;
  const over = `over ${counted(means.count, 'case')}${units}`;
  return interval === null ? `${over}, too few or too alike for an interval` : `${show(interval)} ${over}`;
}

/** PASSED, REGRESSED or COULD NOT DECIDE: the word that a run's outcome is announced with. */
export function verdictWord(summary: RunSummary): 'PASSED' | 'REGRESSED' | 'COULD NOT DECIDE' {
  if (summary.outcome === 'passed') return 'PASSED';
  return summary.outcome === 'failed' ? 'REGRESSED' : 'COULD NOT DECIDE';
}

/** How many trials the cases have: `3`, or `2..5` when they differ. */
export function trialsText(tally: SuiteTally): string {
  const numbers = [...tally.trialsEach].toSorted((left, right) => left - right);
  const [least, most] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  return least === most ? String(least) : `${least}..${most}`;
}

function rateLines(tally: SuiteTally, summary: RunSummary): string[] {
  const { totals } = summary;
  const trials = trialsText(tally);
  const counts = `${countText(totals.passed)} of ${counted(totals.cases, 'case')} passed every trial; ${countText(totals.passedTrials)} of ${counted(totals.scoredTrials, 'scored trial')} passed`;
  const lines = [counts];
  if (summary.passHatK !== null) {
    lines.push(`pass^k ${percent(summary.passHatK, 0)} ${basisText(tally.passHatK)}, k=${trials}`);
  }
  if (summary.passAtK !== null) {
    lines.push(`pass@k ${percent(summary.passAtK, 0)} ${basisText(tally.passAtK)}, k=${trials}`);
  }
  if (summary.score !== null)
    lines.push(`mean score ${scoreText(summary.score)} ${basisText(tally.scores, scoreIntervalText)}`);
  const repeated = repeatedLine(tally.repeated, totals.cases);
  // Without enough units the rates above say all there is to say.
  if (repeated !== null && tally.repeated.units >= 2) lines.push(repeated);
  for (const metric of summary.metrics ?? []) lines.push(metricLine(metric));
  return lines;
}

function names(list: NameList): string {
  const shown = list.names.map((name) => terminalLine(name)).join(', ');
  const more = list.count - list.names.length;
  return more > 0 ? `${shown} and ${countText(more)} more` : shown;
}

function noticeLines(tally: SuiteTally, summary: RunSummary, paint: Painter): string[] {
  const lines: string[] = [];
  const kinds = Object.entries(errorCounts(tally.errors));
  if (kinds.length > 0) {
    const total = kinds.reduce((sum, [, count]) => sum + count, 0);
    const list = kinds.map(([kind, count]) => `${countText(count)} ${kind}`).join(', ');
    lines.push(
      paint.warn(`errors: ${counted(total, 'trial')} could not be scored (${list}); they are in no rate`),
    );
  }
  if (summary.totals.notRun > 0) lines.push(paint.warn(`${counted(summary.totals.notRun, 'case')} not run`));
  if (tally.curtailed > 0) {
    lines.push(`stopped early: ${counted(tally.curtailed, 'case')} whose verdict could no longer change`);
    lines.push('the mean score of a case stopped early is over the trials that were run');
  }
  if (tally.unexpectedPasses.count > 0) {
    lines.push(paint.warn(`unexpected passes, marked as expected to fail: ${names(tally.unexpectedPasses)}`));
  }
  if (tally.expectedFailures > 0) {
    lines.push(`expected failures: ${counted(tally.expectedFailures, 'case')}`);
  }
  if (tally.suspects.count > 0) {
    lines.push(paint.warn(`suspect, never passed in 20 trials or more: ${names(tally.suspects)}`));
  }
  if (tally.lowSignal.count > 0) lines.push(`low signal, never passed yet: ${names(tally.lowSignal)}`);
  return lines;
}

function usageLine(summary: RunSummary): string {
  return `agent ${terminalLine(summary.agentModel)}: ${
    summary.mode === 'outputs' ? 'tokens and cost not known' : usageText(summary)
  }`;
}

function usageText(usage: Pick<JudgeUsage, 'inputTokens' | 'outputTokens' | 'cost'>): string {
  const tokens = `${countText(usage.inputTokens)} tokens in, ${countText(usage.outputTokens)} out`;
  return `${tokens}, ${usage.cost === null ? 'cost not known' : costText(usage.cost)}`;
}

function judgeLines(summary: RunSummary): string[] {
  const { judgeModel, judgeUsage } = summary;
  if (judgeModel === null) return [];
  const used =
    judgeUsage === undefined
      ? 'not asked, or answered from the cache'
      : `${counted(judgeUsage.calls, 'call')}, ${usageText(judgeUsage)}`;
  return [`judge ${terminalLine(judgeModel)}: ${used}`];
}

function simulatorLines({ simulatorModel, simulatorUsage }: RunSummary): string[] {
  if (simulatorModel === undefined) return [];
  const used =
    simulatorUsage === undefined
      ? 'not asked'
      : `${counted(simulatorUsage.calls, 'call')}, ${usageText(simulatorUsage)}`;
  return [`simulated user ${terminalLine(simulatorModel)}: ${used}`];
}

/** What a table says of an assertion suite as a whole; its last line is the verdict. */
export function suiteLines(tally: SuiteTally, summary: RunSummary, paint: Painter): string[] {
  const word = verdictWord(summary);
  const painted =
    word === 'PASSED' ? paint.good(word) : word === 'REGRESSED' ? paint.bad(word) : paint.warn(word);
  const run = storedRun(summary);
  const should = tally.seen - tally.negative;
  return [
    ...rateLines(tally, summary),
    `polarity: ${countText(should)} should, ${countText(tally.negative)} should not`,
    ...(summary.criteria ?? []).map((criterion) => criterionLine(criterion, paint)),
    ...noticeLines(tally, summary, paint),
    usageLine(summary),
    ...judgeLines(summary),
    ...simulatorLines(summary),
    ...(run === null ? [] : [`run ${shellWord(run)}: ${terminalLine(summary.directory ?? '')}`]),
    `${painted}: ${terminalLine(summary.reason)}`,
  ];
}
