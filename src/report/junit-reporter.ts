import { acceptable, formatProblem, type AssayError, type RunEvent, type RunSummary } from '../core/index.js';
import { junitCase, junitSeconds, type JunitCase, type JunitVerdict } from './junit-case.js';
import { counted } from './number-text.js';
import type { Output } from './output.js';
import type { Reporter } from './reporter.js';
import { Spool, type Stretch } from './spool.js';
import { xmlAttributes, xmlText } from './xml.js';

/** Elements written so far; the counters of a suite are these and nothing else. */
class Counters {
  tests = 0;
  failures = 0;
  errors = 0;
  skipped = 0;
  milliseconds = 0;

  count(verdict: JunitVerdict): void {
    this.tests += 1;
    if (verdict === 'failure') this.failures += 1;
    else if (verdict === 'error') this.errors += 1;
    else if (verdict === 'skipped') this.skipped += 1;
  }

  add(other: Counters): void {
    this.tests += other.tests;
    this.failures += other.failures;
    this.errors += other.errors;
    this.skipped += other.skipped;
    this.milliseconds += other.milliseconds;
  }

  attributes(): { [name: string]: string | number } {
    const { tests, failures, errors, skipped } = this;
    return { tests, failures, errors, skipped, time: junitSeconds(this.milliseconds) };
  }
}

interface JunitSuite {
  name: string;
  counters: Counters;
  stretch: Stretch;
}

/** A testcase that stands for the suite as a whole. */
function suiteCase(name: string, suite: string, element: string, verdict: JunitVerdict): JunitCase {
  const attributes = xmlAttributes({ name, classname: suite, time: junitSeconds(0) });
  return { verdict, xml: `<testcase${attributes}>${element}</testcase>` };
}

/** JUnit XML; the testcases wait in a temporary file until the counters before them are known. */
export class JunitReporter implements Reporter {
  readonly #output: Output;
  readonly #options: { suites: number };
  readonly #spool = new Spool();
  readonly #suites: JunitSuite[] = [];
  #open: { name: string; counters: Counters; start: number } | null = null;

  constructor(output: Output, options: { suites: number }) {
    this.#output = output;
    this.#options = options;
  }

  event(event: RunEvent): void {
    if (event.type === 'run-start') this.#start(event.suite);
    else if (event.type === 'case-end' && this.#open !== null) {
      this.#open.counters.milliseconds += Math.max(0, event.result.durationMs);
      this.#write(junitCase(event.result, event.trials, event.comparison));
    } else if (event.type === 'run-end') this.#end(event.summary);
  }

  finish(refusal?: AssayError): void {
    try {
      this.#breakOff(refusal);
      if (refusal !== undefined) this.#refuse(refusal);
      else this.#missing();
      this.#document();
    } finally {
      this.#spool.close();
    }
  }

  #start(name: string): void {
    this.#breakOff(undefined);
    this.#open = { name, counters: new Counters(), start: this.#spool.position };
  }

  #write({ xml, verdict }: JunitCase): void {
    this.#open?.counters.count(verdict);
    this.#spool.append(`${xml}\n`);
  }

  #close(): void {
    const open = this.#open;
    if (open === null) return;
    const stretch = { start: open.start, end: this.#spool.position };
    this.#suites.push({ name: open.name, counters: open.counters, stretch });
    this.#open = null;
  }

  #end(summary: RunSummary): void {
    const open = this.#open;
    if (open === null) return;
    const message = summary.interrupted ? 'not run: the run was interrupted' : `not run: ${summary.reason}`;
    const missing = summary.totals.cases - open.counters.tests;
    for (let index = 1; index <= missing; index += 1) {
      const name = `(case not run, ${index} of ${missing})`;
      this.#write(suiteCase(name, summary.suite, `<skipped${xmlAttributes({ message })}/>`, 'skipped'));
    }
    // A suite can miss its gate although no single case failed. A reader of the counters must not take it for green.
    if (!acceptable(summary) && open.counters.failures + open.counters.errors === 0) {
      const failed = summary.outcome === 'failed';
      const tag = failed ? 'failure' : 'error';
      const type = summary.interrupted ? 'interrupted' : summary.outcome;
      const attributes = xmlAttributes({ message: summary.reason, type });
      this.#write(suiteCase('(gate of the suite)', summary.suite, `<${tag}${attributes}/>`, tag));
    }
    this.#close();
  }

  /** A suite that began and never ended is an error. */
  #breakOff(refusal: AssayError | undefined): void {
    const open = this.#open;
    if (open === null) return;
    const message = `the run broke off${refusal === undefined ? '' : `: ${refusal.message}`}`;
    const attributes = xmlAttributes({ message, type: 'broken-off' });
    this.#write(suiteCase('(run of the suite)', open.name, `<error${attributes}/>`, 'error'));
    this.#close();
  }

  /** A run that was refused before anything started: one error for each problem. */
  #refuse(refusal: AssayError): void {
    this.#open = { name: 'assay', counters: new Counters(), start: this.#spool.position };
    const attributes = xmlAttributes({ message: refusal.message, type: refusal.code });
    const whole = xmlText(refusal.fix);
    if (refusal.problems.length === 0) {
      this.#write(suiteCase('(run)', 'assay', `<error${attributes}>${whole}</error>`, 'error'));
    }
    for (const problem of refusal.problems) {
      const text = xmlText(formatProblem(problem));
      const name = problem.key === '' ? '(document)' : problem.key;
      this.#write(suiteCase(name, problem.file, `<error${attributes}>${text}</error>`, 'error'));
    }
    this.#close();
  }

  /** Suites that were announced and never began: what has run cannot stand for them. */
  #missing(): void {
    const missing = Math.max(this.#options.suites, 1) - this.#suites.length;
    if (missing <= 0) return;
    this.#open = { name: 'assay', counters: new Counters(), start: this.#spool.position };
    const message = this.#suites.length === 0 ? 'nothing was run' : `${counted(missing, 'suite')} not run`;
    const attributes = xmlAttributes({ message, type: 'not-run' });
    this.#write(suiteCase('(run)', 'assay', `<error${attributes}/>`, 'error'));
    this.#close();
  }

  #document(): void {
    this.#output.write('<?xml version="1.0" encoding="UTF-8"?>\n');
    const several = this.#options.suites !== 1 || this.#suites.length !== 1;
    if (several) {
      const total = new Counters();
      for (const suite of this.#suites) total.add(suite.counters);
      this.#output.write(`<testsuites${xmlAttributes({ name: 'assay', ...total.attributes() })}>\n`);
    }
    for (const suite of this.#suites) {
      this.#output.write(
        `<testsuite${xmlAttributes({ name: suite.name, ...suite.counters.attributes() })}>\n`,
      );
      this.#spool.copy(this.#output, suite.stretch);
      this.#output.write('</testsuite>\n');
    }
    if (several) this.#output.write('</testsuites>\n');
  }
}
