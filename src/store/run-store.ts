import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  AssayError,
  isJsonObject,
  parseJson,
  type RunSummary,
  type Source,
  type TrialResult,
} from '../core/index.js';
import { PRIVATE_FILE, syncDirectory } from './directories.js';
import { endText, headerText, type RunHeader, type StoredHeader } from './header.js';
import { JOURNAL_NAME, readJournal } from './journal.js';
import { readStretch, readTail } from './journal-lines.js';
import { JournalWriter, type FsyncMode } from './journal-writer.js';
import { takeOwnership } from './owner.js';
import { storedHeader } from './read-run.js';
import { clearTemporaryFiles, makeRunDirectory } from './run-directory.js';
import {
  explainResume,
  hiddenTrials,
  resumeIndex,
  type CaseResumption,
  type IndexedTrial,
  type JournalProblem,
  type PlannedCase,
} from './resume-index.js';
import { errorCode, storeError } from './store-error.js';
import { wholeOf } from './text-slab.js';
import { trialText, type StoredTrial } from './trial-text.js';

/** A run to be stored. */
export interface CreateRun {
  /** Absolute path of the store, `.assay` by default. */
  root: string;
  /** Name of the suite; untrusted. */
  suite: string;
  /** Absent: a fresh id from the source. When it is taken, the run gets a fresh one. */
  runId?: string;
  header: RunHeader;
  fsync: FsyncMode;
  source: Source;
  /** Ids of the cases that are planned, so that a later resume can tell a new case from one that never ran. */
  caseIds?: Iterable<string>;
}

/** A stored run to go on with. */
export interface ResumeRun {
  /** Directory of the run, as `findRun` gives it. */
  directory: string;
  /** The cases as they are now. */
  cases: Iterable<PlannedCase>;
  fsync: FsyncMode;
  source: Source;
  /** Takes the run even from an owner that may be alive. */
  force?: boolean;
}

/** A run that is taken up again. */
export interface ResumedRun {
  store: RunStore;
  /** What becomes of every case, and why. */
  cases: CaseResumption[];
  /** Lines of the journal that could not be read. */
  problems: readonly JournalProblem[];
}

const APPEND = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
/** Case ids in one line of the journal. */
const PLAN_PIECE = 1000;

function planTexts(caseIds: Iterable<string>): string[] {
  const all = [...caseIds];
  const lines: string[] = [];
  for (let from = 0; from < all.length; from += PLAN_PIECE) {
    lines.push(JSON.stringify({ type: 'plan', cases: all.slice(from, from + PLAN_PIECE) }));
  }
  return lines;
}

function openJournal(path: string, flags: number): number {
  try {
    return openSync(path, flags, PRIVATE_FILE);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw storeError('open the journal', path, error);
    throw new AssayError('RUN_NOT_FOUND', `there is no journal at ${path}, so there is nothing to resume`, {
      fix: 'Start a new run with `assay run`; list the stored ones with `assay list`.',
      cause: error,
    });
  }
}

/** Cuts a torn last line off and returns the length of what is left. */
function trim(descriptor: number, path: string): number {
  try {
    const { whole, torn } = readTail(descriptor);
    if (torn > 0) ftruncateSync(descriptor, whole);
    return whole;
  } catch (error) {
    closeSync(descriptor);
    throw storeError('repair the journal', path, error);
  }
}

function syncUpTo(directory: string, top: string): void {
  for (let at = directory; at.length > top.length; at = dirname(at)) syncDirectory(at);
  syncDirectory(top);
}

function isoTime(source: Source): string {
  return new Date(source.now()).toISOString();
}

/**
 * One stored run while it is written: a directory `runs/<suite>/<run id>` with an append-only `journal.jsonl`, which
 * is the truth about the run. Only the process named in `owner.json` writes it.
 */
export class RunStore {
  readonly runId: string;
  readonly suite: string;
  readonly directory: string;
  readonly header: StoredHeader;
  readonly fsync: FsyncMode;
  readonly #descriptor: number;
  readonly #writer: JournalWriter;
  readonly #release: () => void;
  #closed = false;

  private constructor(
    directory: string,
    header: StoredHeader,
    fsync: FsyncMode,
    journal: { descriptor: number; size: number },
    release: () => void,
  ) {
    this.runId = header.runId;
    this.suite = header.suite;
    this.directory = directory;
    this.header = header;
    this.fsync = fsync;
    this.#descriptor = journal.descriptor;
    this.#writer = new JournalWriter(journal.descriptor, join(directory, JOURNAL_NAME), journal.size, fsync);
    this.#release = release;
  }

  /** Starts a new run on disk. Resolves when its header is stored. Throws AssayError `STORE`. */
  static async create(run: CreateRun): Promise<RunStore> {
    const root = resolve(run.root);
    const { runId, directory } = makeRunDirectory(root, run.suite, run.source, run.runId);
    const release = await takeOwnership(directory, isoTime(run.source));
    try {
      const header: StoredHeader = { runId, suite: run.suite, ...run.header };
      const path = join(directory, JOURNAL_NAME);
      const descriptor = openJournal(path, APPEND | constants.O_CREAT | constants.O_EXCL);
      const store = new RunStore(directory, header, run.fsync, { descriptor, size: 0 }, release);
      await store.#begin([headerText(header), ...planTexts(run.caseIds ?? [])]);
      // The names that lead to the journal must be on the disk as well as its lines.
      if (run.fsync !== 'off') syncUpTo(directory, dirname(root));
      return store;
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Takes a stored run up again: makes sure that nobody else writes it, cuts a torn last line off, and says for every
   * case which trials are reused. Throws AssayError `RUN_NOT_FOUND` or `STORE`, the latter also when the run is
   * still going.
   */
  static async resume(run: ResumeRun): Promise<ResumedRun> {
    const directory = resolve(run.directory);
    const path = join(directory, JOURNAL_NAME);
    closeSync(openJournal(path, APPEND));
    const header = storedHeader(directory);
    const at = isoTime(run.source);
    const release = await takeOwnership(directory, at, run.force === true);
    try {
      clearTemporaryFiles(directory);
      const index = resumeIndex(readJournal(path));
      const descriptor = openJournal(path, APPEND);
      const size = trim(descriptor, path);
      const store = new RunStore(directory, header, run.fsync, { descriptor, size }, release);
      const cases = explainResume(run.cases, index);
      const added = cases.filter((one) => one.hash !== null && !index.planned.has(one.id));
      await store.#begin([
        JSON.stringify({ type: 'resume', at, hidden: hiddenTrials(cases, index) }),
        ...planTexts(added.map((one) => one.id)),
      ]);
      return { store, cases, problems: index.problems };
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Stores a finished trial. The promise is kept when the line is where the fsync mode says; count the trial then,
   * and start the next one without waiting. Rejects with AssayError `STORE`; what was stored before stays intact.
   */
  async append(trial: TrialResult): Promise<StoredTrial> {
    const { line, stored } = this.put(trial);
    await stored;
    return line;
  }

  /** As `append`, with the line at once and the promise beside it: all lines of one write have the same promise. */
  put(trial: TrialResult): { line: StoredTrial; stored: Promise<void> } {
    const { bytes, stored } = this.#writer.put(trialText(trial));
    return { line: bytes, stored };
  }

  /** A finished trial that is taken over from the journal, with the text that `parseTrial` reads. */
  stored(trial: IndexedTrial): StoredTrial & { json: string } {
    const json = readStretch(this.#descriptor, trial.offset, trial.length);
    const parsed = json === null ? null : parseJson(json);
    if (json === null || parsed?.ok !== true || !isJsonObject(parsed.value)) {
      throw new AssayError('STORE', `the journal in ${this.directory} changed while it was read`, {
        fix: 'Nothing but the run itself may write it. Resume again.',
      });
    }
    return { json, ...wholeOf(Buffer.from(json, 'utf8')) };
  }

  /** Resolves when everything appended so far is stored. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Stores how the run ended and closes it. `run.json` should be finished before. */
  async end(summary: RunSummary): Promise<void> {
    try {
      const line = this.#writer.append(endText(summary));
      await Promise.all([line, this.#writer.flush()]);
    } finally {
      await this.close();
    }
  }

  /** Closes the run without an end: it can be resumed. Harmless after `end`. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#writer.close();
    } finally {
      this.#release();
    }
  }

  async #begin(lines: readonly string[]): Promise<void> {
    try {
      const written = lines.map((line) => this.#writer.append(line));
      await Promise.all([...written, this.#writer.flush()]);
    } catch (error) {
      await this.close().catch(() => undefined);
      throw error;
    }
  }
}
