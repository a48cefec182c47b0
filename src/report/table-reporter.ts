import { terminalLine, type AssayError, type RunEvent } from '../core/index.js';
import type { ReportLimits } from './limits.js';
import { counted, durationText } from './number-text.js';
import type { Output } from './output.js';
import { createPainter, type Painter } from './painter.js';
import type { Reporter } from './reporter.js';
import { assertionTable } from './table-assertion.js';
import { traceTable } from './table-trace.js';
import { SuiteTally } from './tally.js';

interface TableOptions {
  color: boolean;
  columns: number;
  limits: ReportLimits;
  suites: number;
  quiet?: boolean;
  wallMs?: () => number;
}

/** The report for a terminal: one table a suite, written when the suite ends. */
export class TableReporter implements Reporter {
  readonly #output: Output;
  readonly #options: TableOptions;
  readonly #paint: Painter;
  #open: SuiteTally | null = null;
  #started = 0;

  constructor(output: Output, options: TableOptions) {
    this.#output = output;
    const { limits, columns } = options;
    // As many characters as fit into the lines that a check may take, on a narrow terminal as on a wide one.
    const fitting = Math.max(120, columns * limits.evidenceLines);
    const evidenceCharacters = Math.min(limits.evidenceCharacters, fitting);
    this.#options = { ...options, limits: { ...limits, evidenceCharacters } };
    this.#paint = createPainter(options.color);
  }

  event(event: RunEvent): void {
    if (event.type === 'run-start') {
      this.#breakOff(undefined);
      this.#started += 1;
      const { limits, quiet } = this.#options;
      this.#open = new SuiteTally(event.suite, limits, quiet ?? false);
    } else if (event.type === 'case-end') this.#open?.add(event.result, event.trials);
    else if (event.type === 'run-end' && this.#open !== null) {
      const tally = this.#open;
      this.#open = null;
      const { summary } = event;
      if (summary.format !== 'trace') this.#output.write(assertionTable(tally, summary, this.#paint));
      else {
        if (this.#options.suites !== 1) {
          this.#output.write(`\n${this.#paint.bold(terminalLine(summary.suite))}`);
        }
        this.#output.write(traceTable(tally, summary, this.#paint));
      }
    }
  }

  /** The error itself is the caller's to print: a table has no place for it but a suite that broke off says so. */
  finish(refusal?: AssayError): void {
    this.#breakOff(refusal);
    const missing = this.#options.suites - this.#started;
    if (refusal === undefined && missing > 0) {
      this.#output.write(`\n${this.#paint.warn(`${counted(missing, 'suite')} not run`)}\n`);
    }
    const elapsed = this.#options.wallMs?.();
    if (elapsed !== undefined && refusal === undefined) {
      this.#output.write(`${this.#paint.dim(`in ${durationText(elapsed)}`)}\n`);
    }
  }

  #breakOff(refusal: AssayError | undefined): void {
    const tally = this.#open;
    if (tally === null) return;
    this.#open = null;
    const why = refusal === undefined ? '' : `: ${terminalLine(refusal.message)}`;
    const line = `${terminalLine(tally.suite)}: the run broke off after ${tally.seen} cases${why}`;
    this.#output.write(`\n${this.#paint.bad(line)}\n`);
  }
}
