import {
  exitCodeOf,
  type AssayError,
  type CaseResult,
  type RunEvent,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { assertionCase, assertionDetail, assertionHead, type AssertionTotals } from './assertion-json.js';
import { addErrors } from './case-facts.js';
import type { Output } from './output.js';
import { RepeatedRate } from './repeated-rate.js';
import type { Reporter } from './reporter.js';
import { Spool, type Stretch } from './spool.js';
import { traceCase, traceHead } from './trace-json.js';

/** Schema of the JSON report of several suites, or of a run that was refused. */
export const RUN_REPORT_SCHEMA = 'assay/run/v1';

/** A list of the document that waits in a spool. */
interface List {
  key: string;
  spool: Spool;
  stretch: Stretch;
}

/** One suite's document: everything but its lists, and where those are. */
interface SuiteDocument {
  head: object;
  lists: List[];
}

/** One list of a suite while it grows. */
class ListWriter {
  readonly #key: string;
  readonly #spool: Spool;
  readonly #start: number;
  #first = true;

  constructor(key: string, spool: Spool) {
    this.#key = key;
    this.#spool = spool;
    this.#start = spool.position;
  }

  add(item: object): void {
    this.#spool.append(`${this.#first ? '\n' : ',\n'}${JSON.stringify(item)}`);
    this.#first = false;
  }

  end(): List {
    return {
      key: this.#key,
      spool: this.#spool,
      stretch: { start: this.#start, end: this.#spool.position },
    };
  }
}

/** A suite that is running. */
interface OpenSuite {
  name: string;
  planned: number;
  /** Null when the suite is known to have the other format. */
  trace: ListWriter | null;
  assertion: { cases: ListWriter; detail: ListWriter } | null;
  totals: AssertionTotals;
  repeated: RepeatedRate;
}

interface JsonOptions {
  suites: number;
  formats?: readonly RunSummary['format'][];
}

/** One JSON document for all suites; the cases wait in temporary files until the totals are known. */
export class JsonReporter implements Reporter {
  readonly #output: Output;
  readonly #options: JsonOptions;
  readonly #spools = { trace: new Spool(), cases: new Spool(), detail: new Spool() };
  readonly #documents: SuiteDocument[] = [];
  readonly #summaries: RunSummary[] = [];
  #started = 0;
  #open: OpenSuite | null = null;

  constructor(output: Output, options: JsonOptions) {
    this.#output = output;
    this.#options = options;
  }

  event(event: RunEvent): void {
    if (event.type === 'run-start') this.#start(event.suite, event.cases);
    else if (event.type === 'case-end') this.#add(event.result, event.trials);
    else if (event.type === 'run-end') this.#end(event.summary);
  }

  finish(refusal?: AssayError): void {
    try {
      this.#abandonOpen(refusal);
      const [only] = this.#documents;
      const single =
        this.#options.suites === 1 && this.#documents.length === 1 && this.#summaries.length === 1;
      if (single && only !== undefined && refusal === undefined) this.#writeSuite(only);
      else this.#writeRun(refusal);
      this.#output.write('\n');
    } finally {
      for (const spool of Object.values(this.#spools)) spool.close();
    }
  }

  #start(name: string, planned: number): void {
    this.#abandonOpen(undefined);
    const format = this.#options.formats?.[this.#started];
    this.#started += 1;
    this.#open = {
      name,
      planned,
      trace: format === undefined || format === 'trace' ? new ListWriter('cases', this.#spools.trace) : null,
      assertion:
        format === 'trace'
          ? null
          : {
              cases: new ListWriter('cases', this.#spools.cases),
              detail: new ListWriter('detail', this.#spools.detail),
            },
      totals: { errors: new Map(), negative: 0, seen: 0 },
      repeated: new RepeatedRate(),
    };
  }

  #add(result: CaseResult, trials: readonly TrialResult[]): void {
    const open = this.#open;
    if (open === null) return;
    open.trace?.add(traceCase(result, trials));
    open.assertion?.cases.add(assertionCase(result, trials));
    open.assertion?.detail.add(assertionDetail(result, trials));
    addErrors(open.totals.errors, result);
    open.totals.seen += 1;
    if (result.negative) open.totals.negative += 1;
    open.repeated.add(result);
  }

  #end(summary: RunSummary): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    this.#summaries.push(summary);
    if (summary.format === 'trace' && open.trace !== null) {
      const head = traceHead(summary, open.totals.errors, open.repeated);
      this.#documents.push({ head, lists: [open.trace.end()] });
    } else if (summary.format !== 'trace' && open.assertion !== null) {
      const lists = [open.assertion.cases.end(), open.assertion.detail.end()];
      this.#documents.push({ head: assertionHead(summary, open.totals, open.repeated), lists });
    } else throw new Error(`the suite ${summary.suite} was announced with another format than it ran with`);
  }

  /** A suite that began and never ended is in the report as an error, never left out. */
  #abandonOpen(refusal: AssayError | undefined): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const reason = `the run broke off${refusal === undefined ? '' : `: ${refusal.message}`}`;
    const { seen } = open.totals;
    const head = {
      suite: open.name,
      outcome: 'error',
      reason,
      cases_finished: seen,
      cases_planned: open.planned,
    };
    this.#documents.push({ head, lists: [] });
  }

  #writeRun(refusal: AssayError | undefined): void {
    const ended = this.#summaries.length === this.#documents.length && refusal === undefined;
    // A suite that was announced and never began leaves the run undecided, however well the others went.
    const missing = Math.max(0, this.#options.suites - this.#started);
    const complete = ended && missing === 0;
    const known = ended ? overallOutcome(this.#summaries) : 'error';
    const outcome = missing > 0 && known === 'passed' ? 'inconclusive' : known;
    const head = {
      schema: RUN_REPORT_SCHEMA,
      outcome,
      exit_code: complete ? exitCodeOf(this.#summaries) : 1,
      ...(missing === 0 ? {} : { suites_not_run: missing }),
      ...(refusal === undefined ? {} : { error: refusalFacts(refusal) }),
    };
    this.#output.write(`${openObject(head)},\n"suites": [`);
    this.#documents.forEach((document, index) => {
      this.#output.write(index === 0 ? '\n' : ',\n');
      this.#writeSuite(document);
    });
    this.#output.write('\n]\n}');
  }

  #writeSuite(document: SuiteDocument): void {
    this.#output.write(openObject(document.head));
    for (const { key, spool, stretch } of document.lists) {
      this.#output.write(`,\n${JSON.stringify(key)}: [`);
      spool.copy(this.#output, stretch);
      this.#output.write('\n]');
    }
    this.#output.write('\n}');
  }
}

/** The members of an object, one a line, without the closing brace. */
function openObject(members: object): string {
  const lines = Object.entries(members).map(
    ([key, value]: [string, unknown]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}`;
}

/** The worst outcome of several runs; a run without suites is an error. */
function overallOutcome(summaries: readonly RunSummary[]): RunSummary['outcome'] {
  for (const outcome of ['error', 'failed', 'inconclusive'] as const) {
    if (summaries.some((summary) => summary.outcome === outcome)) return outcome;
  }
  return summaries.length === 0 ? 'error' : 'passed';
}

function refusalFacts(refusal: AssayError): object {
  return {
    code: refusal.code,
    message: refusal.message,
    fix: refusal.fix,
    problems: refusal.problems,
  };
}
