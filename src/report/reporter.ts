import type { AssayError, RunEvent, RunSummary } from '../core/index.js';
import type { ReportLimits } from './limits.js';

/** The forms a report can take. */
export type ReportFormat = 'table' | 'json' | 'junit' | 'markdown';

/** Every form, in the order in which help names them. */
export const reportFormats: readonly ReportFormat[] = ['table', 'json', 'junit', 'markdown'];

/** Turns the events of one or more runs, in order, into one report. */
export interface Reporter {
  event(event: RunEvent): void;
  /**
   * Writes what is left and frees everything. Call it exactly once, also after an error: `refusal` is the error that
   * kept the run from starting or broke it off, and the report then says so and is never green.
   */
  finish(refusal?: AssayError): void;
}

/** How to report. */
export interface ReporterOptions {
  /** Colours and bold; whether a terminal wants them is the caller's question. Only the table has any. */
  color: boolean;
  /** Columns of the terminal; 100 unless given. */
  columns?: number;
  limits?: Partial<ReportLimits>;
  /** How many suites are going to report; with one, the document is the suite's own. */
  suites: number;
  /**
   * Format of each suite, in the order in which they run. Left out, the JSON report prepares both layouts and picks
   * at the end of each run, for about twice the work.
   */
  formats?: readonly RunSummary['format'][];
  /** Milliseconds since the invocation began; when given, the table ends with it. */
  wallMs?: () => number;
  /** The table leaves out the cases that passed. */
  quiet?: boolean;
}
