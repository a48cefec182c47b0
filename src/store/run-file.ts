import { dirname, join } from 'node:path';
import type { CaseResult, RunSummary } from '../core/index.js';
import { PRIVATE_FILE } from './directories.js';
import type { StoredHeader } from './header.js';
import type { FsyncMode } from './journal-writer.js';
import { caseText, detailHead, headText, LATEST_SCHEMA, RUN_SCHEMA } from './run-json.js';
import { TemporaryFile } from './temporary-file.js';
import type { StoredTrial } from './trial-text.js';

/** Name of the finished result in a run's directory. */
export const RUN_FILE_NAME = 'run.json';

/** Name of a suite's newest result, beside its runs. */
export const LATEST_NAME = 'latest.json';

/** Where a result is written and what it takes from the run's header. */
export interface RunFileTarget {
  /** Directory of the run. */
  directory: string;
  header: Pick<StoredHeader, 'promptHash' | 'settings'>;
  /** `off` leaves the sync out; the rename stays atomic for every process that looks. */
  fsync: FsyncMode;
  /** The run in one line, as reports print it. */
  describe: (summary: RunSummary) => string;
}

/**
 * Writes `run.json` and the suite's `latest.json`, case by case, holding one case in memory. Nothing is seen of
 * either before `finish`; then both are there whole. The lists come first in `run.json` and every case has a line of
 * its own, so that the file can be read line by line as well.
 */
export class RunFile {
  readonly #target: RunFileTarget;
  readonly #result: TemporaryFile;
  /** The `cases` of both files, waiting for `detail` to end. */
  readonly #cases: TemporaryFile;
  #count = 0;

  private constructor(target: RunFileTarget, result: TemporaryFile, cases: TemporaryFile) {
    this.#target = target;
    this.#result = result;
    this.#cases = cases;
  }

  /** Opens the temporary files in the run's directory. Throws AssayError `STORE`. */
  static create(target: RunFileTarget): RunFile {
    const result = TemporaryFile.create(target.directory, RUN_FILE_NAME, PRIVATE_FILE);
    try {
      result.write('{"detail":[');
      return new RunFile(target, result, TemporaryFile.create(target.directory, 'cases', PRIVATE_FILE));
    } catch (error) {
      result.discard();
      throw error;
    }
  }

  /**
   * Adds a case, in the order the files are to have. `storedTrials` are its trials as `append` or `stored` returned
   * them. Throws AssayError `STORE`.
   */
  addCase(result: CaseResult, storedTrials: readonly StoredTrial[]): void {
    const separator = this.#count === 0 ? '\n' : ',\n';
    this.#count += 1;
    this.#result.write(`${separator}${detailHead(result)},"trials":[`);
    for (let index = 0; index < storedTrials.length; index += 1) {
      const stored = storedTrials[index];
      if (stored === undefined) continue;
      if (index > 0) this.#result.write(',');
      this.#result.writeBytes(stored);
    }
    this.#result.write(']}');
    this.#cases.write(separator);
    this.#cases.write(caseText(result));
  }

  /** Completes both files and gives them their names. Throws AssayError `STORE`; nothing half-written is seen. */
  async finish(summary: RunSummary): Promise<void> {
    const { directory, header, fsync, describe } = this.#target;
    const line = describe(summary);
    // In the run's directory, so that a leftover is cleared away with the others.
    const latest = TemporaryFile.create(directory, LATEST_NAME, PRIVATE_FILE);
    try {
      this.#result.write('\n],"cases":[');
      this.#result.copy(this.#cases);
      this.#result.write(`\n],${headText(RUN_SCHEMA, summary, header, line).slice(1)}}\n`);
      latest.write(`${headText(LATEST_SCHEMA, summary, header, line)},"cases":[`);
      latest.copy(this.#cases);
      latest.write(`\n],"ts":${JSON.stringify(summary.finishedAt)}}\n`);
      await this.#result.publish(join(directory, RUN_FILE_NAME), fsync !== 'off');
      await latest.publish(join(dirname(directory), LATEST_NAME), fsync !== 'off');
    } finally {
      latest.discard();
      this.discard();
    }
  }

  /** Removes what was written, when there is to be no result. Harmless after `finish`. */
  discard(): void {
    this.#result.discard();
    this.#cases.discard();
  }
}
