import { closeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  AssayError,
  compareUtf8,
  isJsonObject,
  parseJson,
  type JsonObject,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { headerFrom, summaryFrom, type StoredHeader } from './header.js';
import { JOURNAL_NAME, readJournal, refuseSchema } from './journal.js';
import { openForReading, readFirstLine, readStretch, readTail, withFile } from './journal-lines.js';
import { resumeIndex, type IndexedTrial, type JournalProblem, type ResumeIndex } from './resume-index.js';
import { ShapeError } from './shape.js';
import { parseTrial } from './trial-parse.js';

/** All trials of one case that belong to a stored run. */
export interface StoredCase {
  id: string;
  hash: string;
  /** By number. */
  trials: TrialResult[];
}

/** A run as it stands on disk. */
export interface StoredRun {
  directory: string;
  header: StoredHeader;
  /** How the run ended; null when it never did, or goes on. */
  summary: RunSummary | null;
  /** Every case with its trials, by id (in the order of its UTF-8 bytes); one case in memory at a time. */
  cases(): Generator<StoredCase, void, undefined>;
  /** One case; null when the run holds no trial of it. */
  find(id: string): StoredCase | null;
  /** Ids of the cases that were to run, whether they did or not. */
  planned(): ReadonlySet<string>;
  /** Lines of the journal that could not be read. */
  problems(): readonly JournalProblem[];
}

function objectOf(text: string | null): JsonObject | null {
  if (text === null) return null;
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
}

/** `read(object)`, or null when the object does not have the shape. */
function shaped<Value>(object: JsonObject | null, read: (object: JsonObject) => Value): Value | null {
  if (object === null) return null;
  try {
    return read(object);
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/**
 * The header of the run in a directory, read from the journal's first line only. Throws AssayError `RUN_NOT_FOUND`
 * when there is no journal and `STORE` when it has no readable header or another version wrote it.
 */
export function storedHeader(directory: string): StoredHeader {
  const path = join(directory, JOURNAL_NAME);
  const first = objectOf(withFile(path, readFirstLine));
  if (first !== null) refuseSchema(first, path);
  const header = first?.['type'] === 'run' ? shaped(first, headerFrom) : null;
  if (header !== null) return header;
  throw new AssayError('STORE', `${path} does not begin with the header of a run`, {
    fix: 'The run died before its first trial, or the file was damaged. Start a new run with `assay run`.',
  });
}

/** How the run in a directory ended, from the journal's last line only; null when that is not an end. */
export function storedSummary(directory: string): RunSummary | null {
  const last = objectOf(withFile(join(directory, JOURNAL_NAME), readTail).last);
  return last?.['type'] === 'end' ? shaped(last, (line) => summaryFrom(line, directory)) : null;
}

/** The trials that count: those of the content that was run last. */
function currentTrials(trials: readonly IndexedTrial[]): IndexedTrial[] {
  const visible = trials.filter((one) => !one.hidden);
  let newest: IndexedTrial | undefined;
  for (const one of visible) if (newest === undefined || one.offset > newest.offset) newest = one;
  return visible
    .filter((one) => one.hash === newest?.hash)
    .toSorted((left, right) => left.trial - right.trial);
}

/**
 * A stored run, finished or not. Only the ends of the journal are read at first; its trials when they are asked for.
 * Throws AssayError `RUN_NOT_FOUND` or `STORE`.
 */
export function readRun(directory: string): StoredRun {
  const absolute = resolve(directory);
  const path = join(absolute, JOURNAL_NAME);
  let known: ResumeIndex | null = null;
  const index = (): ResumeIndex => (known ??= resumeIndex(readJournal(path)));

  function load(descriptor: number, trials: readonly IndexedTrial[]): StoredCase | null {
    const [first] = trials;
    if (first === undefined) return null;
    return {
      id: first.caseId,
      hash: first.hash,
      trials: trials.map((one) => {
        const text = readStretch(descriptor, one.offset, one.length);
        if (text === null) throw new AssayError('STORE', `${path} changed while it was read`);
        return parseTrial(text);
      }),
    };
  }

  return {
    directory: absolute,
    header: storedHeader(absolute),
    summary: storedSummary(absolute),
    *cases() {
      const { cases } = index();
      const descriptor = openForReading(path);
      try {
        for (const id of [...cases.keys()].toSorted(compareUtf8)) {
          const loaded = load(descriptor, currentTrials(cases.get(id) ?? []));
          if (loaded !== null) yield loaded;
        }
      } finally {
        closeSync(descriptor);
      }
    },
    find(id) {
      const trials = currentTrials(index().cases.get(id) ?? []);
      return withFile(path, (descriptor) => load(descriptor, trials));
    },
    planned: () => index().planned,
    problems: () => index().problems,
  };
}
