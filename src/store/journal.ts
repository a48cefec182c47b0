import { closeSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  AssayError,
  clip,
  isJsonObject,
  parseJson,
  type JsonObject,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { headerFrom, JOURNAL_SCHEMA, summaryFrom, type StoredHeader } from './header.js';
import { openForReading, readLines, type RawLine } from './journal-lines.js';
import { listAt, numberAt, ShapeError, textAt, textsAt } from './shape.js';
import { errorCode, storeError } from './store-error.js';
import { trialFrom } from './trial-parse.js';

/** Name of the journal in a run's directory. */
export const JOURNAL_NAME = 'journal.jsonl';

/** Names one stored trial. */
export interface TrialKey {
  case: string;
  hash: string;
  trial: number;
}

/** One line of a journal. `line` is 1-based; `offset` and `length` are bytes. */
export type JournalEntry =
  | { type: 'run'; line: number; header: StoredHeader }
  /** Ids of cases that the run is to execute. */
  | { type: 'plan'; line: number; caseIds: string[] }
  | { type: 'trial'; line: number; offset: number; length: number; trial: TrialResult }
  /** The run was taken up again at `at` (ISO); `hidden` trials are stored and no longer belong to it. */
  | { type: 'resume'; line: number; at: string; hidden: TrialKey[] }
  | { type: 'end'; line: number; summary: RunSummary }
  /** A kind of line that this version does not know. */
  | { type: 'unknown'; line: number; name: string }
  /** A line that cannot be read; the others can. */
  | { type: 'broken'; line: number; message: string }
  /** The last line has no end: the process died while it was written, and nothing had been promised for it. */
  | { type: 'torn'; line: number; offset: number; length: number };

/** Throws AssayError `STORE` for the header of a journal that another version wrote. */
export function refuseSchema(object: JsonObject, path: string): void {
  const schema = object['schema'];
  if (object['type'] !== 'run' || schema === JOURNAL_SCHEMA) return;
  const found = clip(JSON.stringify(schema ?? null), 80);
  throw new AssayError('STORE', `${path} has the schema ${found}, not "${JOURNAL_SCHEMA}"`, {
    fix: 'It was written by another version of Assay; read it with that version.',
  });
}

function trialKey(object: JsonObject): TrialKey {
  return { case: textAt(object, 'case'), hash: textAt(object, 'hash'), trial: numberAt(object, 'trial') };
}

function entryOf(object: JsonObject, raw: RawLine, directory: string): JournalEntry {
  const { line, offset, length } = raw;
  const name = textAt(object, 'type');
  switch (name) {
    case 'run':
      // Only the first line is the header.
      return line === 1 ? { type: 'run', line, header: headerFrom(object) } : { type: 'unknown', line, name };
    case 'plan':
      return { type: 'plan', line, caseIds: textsAt(object, 'cases') };
    case 'trial':
      return { type: 'trial', line, offset, length, trial: trialFrom(object) };
    case 'resume':
      return { type: 'resume', line, at: textAt(object, 'at'), hidden: listAt(object, 'hidden', trialKey) };
    case 'end':
      return { type: 'end', line, summary: summaryFrom(object, directory) };
    default:
      return { type: 'unknown', line, name };
  }
}

function readEntry(raw: RawLine, path: string): JournalEntry {
  const { line, offset, length, text } = raw;
  if (!raw.complete) return { type: 'torn', line, offset, length };
  if (text === null) return { type: 'broken', line, message: 'the line is not UTF-8 text' };
  const parsed = parseJson(text);
  if (!parsed.ok) return { type: 'broken', line, message: `the line is not JSON: ${parsed.message}` };
  if (!isJsonObject(parsed.value)) return { type: 'broken', line, message: 'the line is not an object' };
  if (line === 1) refuseSchema(parsed.value, path);
  try {
    return entryOf(parsed.value, raw, dirname(path));
  } catch (error) {
    if (error instanceof ShapeError) return { type: 'broken', line, message: error.message };
    throw error;
  }
}

/**
 * Reads a journal line by line, in constant memory. Every prefix of a journal is readable: a torn last line and
 * broken lines are entries of their own, and unknown keys and kinds of lines are passed over. Throws AssayError
 * `RUN_NOT_FOUND` when there is no such file and `STORE` when another version wrote it.
 */
export function* readJournal(path: string): Generator<JournalEntry, void, undefined> {
  const descriptor = openForReading(path);
  try {
    for (const raw of readLines(descriptor)) yield readEntry(raw, path);
  } catch (error) {
    throw errorCode(error) === null ? error : storeError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}
