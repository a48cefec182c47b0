import type { Problem } from '../core/index.js';
import { loadSuiteAt, type Suite, type SuiteKind } from '../suite/index.js';
import { inspectVacuity } from './vacuity.js';

/** How to open a suite. */
export interface OpenSuiteOptions {
  /** Directory that relative paths and messages refer to; default the working directory. */
  cwd?: string;
  /** Overrides the kind that the suite's place or text gives. */
  kind?: SuiteKind;
  /** Refuse cases of regression suites that an idle run would pass. Default true. */
  gate?: boolean;
  /** Golden files need not exist: this run writes them. Default false. */
  goldenFilesMayBeMissing?: boolean;
  /** Recordings of simulated users are about to be written. Default false. */
  recordingAgain?: boolean;
  /** Directory that no path in the suite may leave. Default the suite's own directory. */
  within?: string;
  /** Called with what deserves a look and stops nothing, such as a variable that is never used. */
  warn?: (problem: Problem) => void;
}

/**
 * Loads the suite at a path (a directory of trace fixtures, one fixture, an assertion suite, a program), and refuses
 * the cases of a regression suite that an agent which does nothing would pass.
 * @throws AssayError `SUITE_NOT_FOUND`, `SUITE_EMPTY`, `SUITE_LEGACY`, `SUITE_INVALID` or `VACUOUS`, with every problem
 */
export function loadSuite(path: string, options: OpenSuiteOptions = {}): Promise<Suite> {
  return loadSuiteAt(path, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    goldenFilesMayBeMissing: options.goldenFilesMayBeMissing === true,
    recordingAgain: options.recordingAgain === true,
    ...(options.within === undefined ? {} : { within: options.within }),
    ...(options.warn === undefined ? {} : { warn: options.warn }),
    ...(options.gate === false
      ? {}
      : { inspect: (kind) => (kind === 'regression' ? inspectVacuity : undefined) }),
  });
}
