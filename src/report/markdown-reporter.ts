import type { AssayError, RunEvent, RunSummary } from '../core/index.js';
import { baselineLines } from './baseline-lines.js';
import { errorCounts } from './case-facts.js';
import { boundsText } from './criteria-lines.js';
import type { ReportLimits } from './limits.js';
import { markdownCode } from './markdown-text.js';
import { counted, countText, intervalText, percent, scoreIntervalText, scoreText } from './number-text.js';
import type { Output } from './output.js';
import { createPainter } from './painter.js';
import type { Reporter } from './reporter.js';
import { basisText, trialsText, verdictWord } from './suite-lines.js';
import { SuiteTally, storedRun, type CaseBrief } from './tally.js';

interface Finished {
  tally: SuiteTally;
  summary: RunSummary;
}

const SENTENCE = 300;
const NAME = 120;

function named(name: string): string {
  return markdownCode(name, NAME);
}

function quoted(lines: readonly string[]): string {
  return markdownCode(lines.join('\n'));
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function suiteRow({ tally, summary }: Finished): string {
  const { totals } = summary;
  const notRun = totals.notRun === 0 ? '' : `, ${countText(totals.notRun)} not run`;
  const errors = Object.values(errorCounts(tally.errors)).reduce((sum, count) => sum + count, 0);
  return row([
    named(summary.suite),
    `**${verdictWord(summary)}**`,
    `${countText(totals.passed)} of ${countText(totals.cases)}${notRun}`,
    summary.passHatK === null
      ? 'n/a'
      : `${percent(summary.passHatK, 0)} ${basisText(tally.passHatK)}, k=${trialsText(tally)}`,
    summary.score === null
      ? 'n/a'
      : `${scoreText(summary.score)} ${basisText(tally.scores, scoreIntervalText)}`,
    countText(errors),
  ]);
}

/** The first thing that went wrong in a case. */
function firstTrouble(brief: CaseBrief): string {
  if (brief.error !== null && brief.result.outcome === 'error') return quoted(brief.error.lines);
  for (const trial of brief.trials) {
    const check = trial.missed.find((candidate) => !candidate.diagnostic);
    if (trial.status === 'failed' && check !== undefined) {
      return `${named(check.label)}: ${quoted(check.evidence)}`;
    }
  }
  return brief.result.outcome === 'passed' ? 'unexpected pass' : 'no check passed';
}

function caseRow(brief: CaseBrief): string {
  const { id, outcome, passed, scored, interval } = brief.result;
  const rate = interval === null ? '0 scored' : `${passed} of ${scored} ${intervalText(interval)}`;
  return row([named(id), outcome, rate, firstTrouble(brief)]);
}

/** The comparison with a baseline, as the table has it; one line of code each, so that no name can be markup. */
function comparison({ summary }: Finished, limit: number): string[] {
  if (summary.baseline === undefined) return [];
  const lines = baselineLines(summary.baseline, limit, createPainter(false));
  return ['', ...lines.map((line) => `- ${markdownCode(line.trim(), SENTENCE)}`)];
}

function troubles({ tally, summary }: Finished): string[] {
  const shown = tally.cases.filter(
    (brief) => !brief.notRun && (brief.result.outcome !== 'passed' || brief.result.expectedFailing),
  );
  if (shown.length === 0) return [];
  const hidden = tally.hidden.failed + tally.hidden.errored;
  const run = storedRun(summary);
  const pointer = run === null ? '' : `: ${markdownCode(`assay show ${run} --failed`)}`;
  return [
    '',
    `#### Needs a look in ${named(summary.suite)}`,
    '',
    row(['case', 'outcome', 'trials passed', 'why']),
    row(['---', '---', '---', '---']),
    ...shown.map(caseRow),
    ...(hidden === 0 ? [] : ['', `and ${countText(hidden)} more${pointer}`]),
  ];
}

/** The suite's criteria and the metrics its assertions name; nothing where it has neither. */
function criteriaTable(summary: RunSummary): string[] {
  const criteria = (summary.criteria ?? []).map((one) =>
    row([named(one.metric), `at least ${one.threshold}`, boundsText(one), `**${one.verdict}**`]),
  );
  const metrics = (summary.metrics ?? []).map(({ metric, score, cases, interval }) =>
    row([
      named(metric),
      '',
      interval === null
        ? 'nothing scored'
        : `${scoreText(score)} ${scoreIntervalText(interval)} over ${counted(cases, 'case')}`,
      '',
    ]),
  );
  if (criteria.length + metrics.length === 0) return [];
  return [
    '',
    `#### Criteria and metrics of ${named(summary.suite)}`,
    '',
    row(['metric', 'criterion', 'found', 'verdict']),
    row(['---', '---', '---', '---']),
    ...criteria,
    ...metrics,
  ];
}

/** A short summary for the comment of a continuous-integration run. */
export class MarkdownReporter implements Reporter {
  readonly #output: Output;
  readonly #limits: ReportLimits;
  readonly #suites: number;
  readonly #finished: Finished[] = [];
  readonly #broken: string[] = [];
  #open: SuiteTally | null = null;

  constructor(output: Output, options: { suites: number; limits: ReportLimits }) {
    this.#suites = Math.max(options.suites, 1);
    this.#output = output;
    // A table cell has room for a sentence.
    this.#limits = { ...options.limits, evidenceCharacters: SENTENCE, evidenceLines: 3 };
  }

  event(event: RunEvent): void {
    if (event.type === 'run-start') {
      this.#breakOff();
      this.#open = new SuiteTally(event.suite, this.#limits, true);
    } else if (event.type === 'case-end') this.#open?.add(event.result, event.trials);
    else if (event.type === 'run-end' && this.#open !== null) {
      this.#finished.push({ tally: this.#open, summary: event.summary });
      this.#open = null;
    }
  }

  finish(refusal?: AssayError): void {
    this.#breakOff();
    const missing = this.#suites - this.#finished.length - this.#broken.length;
    const lines = ['### Assay', ''];
    if (this.#finished.length > 0) {
      lines.push(
        row(['suite', 'result', 'cases passed', 'pass^k', 'mean score', 'errors']),
        row(['---', '---', '---', '---', '---', '---']),
        ...this.#finished.map(suiteRow),
        '',
        'Intervals are 95 %. Errors are trials that could not be scored; they are in no rate.',
        ...this.#finished.flatMap(({ summary }) =>
          summary.outcome === 'passed'
            ? []
            : ['', `${named(summary.suite)}: ${markdownCode(summary.reason, SENTENCE)}`],
        ),
        ...this.#finished.flatMap(({ summary }) => criteriaTable(summary)),
        ...this.#finished.flatMap((one) => comparison(one, this.#limits.failures)),
        ...this.#finished.flatMap(troubles),
      );
    }
    for (const suite of this.#broken) lines.push('', `**The run of ${named(suite)} broke off.**`);
    if (refusal !== undefined) lines.push(...refusalLines(refusal));
    else if (missing > 0) lines.push('', `**${counted(missing, 'suite')} not run.**`);
    this.#output.write(`${lines.join('\n')}\n`);
  }

  #breakOff(): void {
    if (this.#open !== null) this.#broken.push(this.#open.suite);
    this.#open = null;
  }
}

function refusalLines(refusal: AssayError): string[] {
  const shown = refusal.problems.slice(0, 20);
  const hidden = refusal.problems.length - shown.length;
  return [
    `**Could not run:** ${markdownCode(refusal.message, SENTENCE)}`,
    ...(shown.length === 0 ? [] : ['']),
    ...shown.map((problem) => {
      const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
      return `- ${named(place)} ${markdownCode(`${problem.key}: ${problem.message}`, SENTENCE)}`;
    }),
    ...(hidden > 0 ? [`- and ${counted(hidden, 'more problem')}`] : []),
  ];
}
