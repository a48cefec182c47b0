import { AssayError, type CaseResult, type TrialResult } from '../core/index.js';
import { caseRecord } from '../report/index.js';
import { ensurePrivateDirectory, redactSecrets } from '../store/index.js';
import { publishNew } from './publish.js';

const LONGEST_STEM = 200;

/**
 * Name of the file that a case is dumped to, without `.json`: everything but ASCII letters, digits, `-`, `_` and `.`
 * becomes `_`, one for each character.
 */
export function recordStem(caseId: string): string {
  const stem = caseId.replace(/[^A-Za-z0-9._-]/gu, '_').slice(0, LONGEST_STEM);
  return stem === '' ? '_' : stem;
}

/** Makes a directory for results where there is none; a link in its place is refused. Throws AssayError `STORE`. */
export function makePrivateDirectory(path: string, option: string): void {
  try {
    ensurePrivateDirectory(path);
  } catch (error) {
    if (!AssayError.isInstance(error)) throw error;
    throw new AssayError('STORE', error.message, {
      fix: `Name a directory that can be written, and no link, after ${option}.`,
      cause: error,
    });
  }
}

/** A directory into which cases are dumped, one JSON file each; nothing in it is ever overwritten. */
export class RecordDump {
  readonly #directory: string;

  /** Throws AssayError `STORE` when the directory cannot be made. */
  constructor(directory: string) {
    makePrivateDirectory(directory, '--dump-records');
    this.#directory = directory;
  }

  /**
   * Writes one finished case; it is on disk when this returns.
   * @returns the file's name
   * @throws AssayError `STORE`
   */
  add(suite: string, result: CaseResult, trials: readonly TrialResult[]): string {
    const { case_id: caseId, ...rest } = caseRecord(suite, result, trials);
    const text = JSON.stringify({ case_id: caseId, ...rest }, null, 2);
    return publishNew(this.#directory, recordStem(result.id), `${redactSecrets(text)}\n`);
  }
}
