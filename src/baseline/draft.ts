import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  AssayError,
  compareUtf8,
  errorMessage,
  plural,
  type CaseResult,
  type TrialResult,
} from '../core/index.js';
import { writeFileAtomic } from '../store/index.js';
import { entryOf } from './entry.js';
import { BASELINE_SCHEMA, type BaselineEntry } from './schema.js';

const PRIVATE_FILE = 0o600;
const SHOWN = 10;

/** A baseline in the making: the cases of one run as they finish. */
export class BaselineDraft {
  readonly #suite: string;
  readonly #entries: BaselineEntry[] = [];
  readonly #unfinished: string[] = [];

  constructor(suite: string) {
    this.#suite = suite;
  }

  add(result: CaseResult, trials: readonly TrialResult[]): void {
    const entry = entryOf(result, trials);
    if (entry === null) this.#unfinished.push(result.id);
    else this.#entries.push(entry);
  }

  /** The file's text: entries by id, so that two versions of it differ only where results do. */
  text(): string {
    const entries = this.#entries.toSorted((left, right) => compareUtf8(left.case_id, right.case_id));
    return `${JSON.stringify({ schema: BASELINE_SCHEMA, suite: this.#suite, entries }, null, 2)}\n`;
  }

  /**
   * Writes the baseline, whole or not at all, and only when every case finished. What stands at the path is not
   * touched before that is certain.
   * @param notRun cases of the suite that this run left out
   * @throws AssayError `INPUT` with the cases that did not finish; `STORE` when it cannot be written
   */
  async write(path: string, shown: string, notRun: number): Promise<void> {
    const offenders = this.#unfinished.map((id) => JSON.stringify(id));
    if (offenders.length + notRun > 0 || this.#entries.length === 0) {
      const names = offenders.slice(0, SHOWN).join(', ');
      const more = offenders.length > SHOWN ? ` and ${offenders.length - SHOWN} more` : '';
      const parts = [
        ...(offenders.length > 0
          ? [`${plural(offenders.length, 'case')} could not be scored in full: ${names}${more}`]
          : []),
        ...(notRun > 0 ? [`${plural(notRun, 'case')} not run`] : []),
        ...(offenders.length + notRun === 0 ? ['no case was run'] : []),
      ];
      throw new AssayError('INPUT', `${shown} was not written: ${parts.join('; ')}`, {
        fix: 'A baseline needs a result of every case. Repair these and run again.',
      });
    }
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch (error) {
      throw new AssayError('STORE', `cannot make the directory of ${shown}: ${errorMessage(error)}`, {
        cause: error,
      });
    }
    await writeFileAtomic(path, this.text(), PRIVATE_FILE);
  }
}

/**
 * Makes sure, before anything is run, that a baseline could be written at a path; nothing is made.
 * @throws AssayError `INPUT`
 */
export function checkBaselineTarget(path: string, shown: string): void {
  const refuse = (why: string): AssayError =>
    new AssayError('INPUT', `a baseline cannot be written to ${shown}: ${why}`, {
      fix: 'Name a file after --write-baseline.',
    });
  if (existsSync(path) && statSync(path).isDirectory()) throw refuse('it is a directory');
  let parent = dirname(path);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  if (!statSync(parent).isDirectory()) throw refuse(`${parent} is a file`);
}
