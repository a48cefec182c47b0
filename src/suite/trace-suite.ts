import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  AssayError,
  compareUtf8,
  errorMessage,
  isJsonObject,
  plural,
  requireRegularFile,
  sortProblems,
  type Problem,
} from '../core/index.js';
import type { Case, CaseList, CaseTraits } from './case.js';
import { addTraits, emptyTraits } from './case-traits.js';
import { placeProblem } from './document.js';
import { parseJsonDocument } from './json-document.js';
import { SIMULATOR_ENDING } from './simulator-recording.js';
import { admitTrace, type AdmittedCase } from './trace.js';

/** Looks at an admitted case and returns what else is wrong with it; used for the idle-run gate. */
export type InspectCase = (admitted: Case) => { message: string; fix: string; key?: string }[];

/**
 * Cases kept in memory after admission. Beyond this many a suite is read again as it is walked, so that memory does
 * not grow with the suite.
 */
const CASES_KEPT = 10_000;

function wholeFile(file: string, message: string, fix: string): Problem {
  return { file, line: null, column: null, key: '', message, fix };
}

/** Room for most fixtures, so that not every file needs a buffer of its own. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The bytes of a file, valid until the next call. Throws what the file system throws. */
function readBytes(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const state = fstatSync(descriptor);
    requireRegularFile(state);
    if (state.size >= scratch.length) return readFileSync(descriptor);
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, scratch, length, scratch.length - length, length);
      length += count;
      // One call nearly always: a file that is as long as it was has been read.
      if (count === 0 || length === state.size) return scratch.subarray(0, length);
      if (length === scratch.length) return readFileSync(path);
    }
  } finally {
    closeSync(descriptor);
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function readCase(path: string, shown: string): AdmittedCase {
  let bytes: Buffer;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const message = isDirectory(path)
      ? 'is a directory, not a fixture'
      : `cannot be read: ${errorMessage(error)}`;
    return { ok: false, problems: [wholeFile(shown, message, 'a suite holds readable *.json files only')] };
  }
  if (!isUtf8(bytes)) {
    return { ok: false, problems: [wholeFile(shown, 'is not UTF-8 text', 'save it as UTF-8')] };
  }
  try {
    const parsed = parseJsonDocument(shown, bytes.toString('utf8'));
    return parsed.ok ? admitTrace(parsed.document, path) : { ok: false, problems: parsed.problems };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [wholeFile(shown, 'is nested too deeply', 'nest values less deeply')] };
  }
}

/**
 * A problem of an admitted file, at the first of these top-level keys that has a value. Reads the file again: only a
 * suite that is refused anyway comes here.
 */
function atKey(path: string, shown: string, keys: readonly string[], message: string, fix: string): Problem {
  const parsed = parseJsonDocument(shown, readFileSync(path, 'utf8'));
  if (!parsed.ok || !isJsonObject(parsed.document.value)) return wholeFile(shown, message, fix);
  const { value } = parsed.document;
  const key = keys.find((name) => (value[name] ?? null) !== null);
  return placeProblem(parsed.document, { path: key === undefined ? [] : [key], at: 'key', message, fix });
}

/** The admitted files of one directory, in order. */
interface AdmittedFiles {
  directory: string;
  shown: string;
  names: readonly string[];
  ids: readonly string[];
  hashes: readonly string[];
  /** The first cases, kept in memory. */
  kept: readonly Case[];
  traits: CaseTraits;
}

/** Cases that are walked in file order; those beyond the kept ones are read again and must not have changed. */
class TraceCases implements CaseList {
  readonly length: number;
  readonly traits: CaseTraits;
  private readonly files: AdmittedFiles;

  constructor(files: AdmittedFiles) {
    this.files = files;
    this.length = files.names.length;
    this.traits = files.traits;
  }

  ids(): Iterable<string> {
    return this.files.ids;
  }

  *[Symbol.iterator](): Iterator<Case> {
    const { names, kept } = this.files;
    for (let index = 0; index < names.length; index += 1) yield kept[index] ?? this.again(index);
  }

  private again(index: number): Case {
    const { directory, shown, names, hashes } = this.files;
    const name = names[index] ?? '';
    const admitted = readCase(join(directory, name), join(shown, name));
    if (admitted.ok && admitted.case.hash === hashes[index]) return admitted.case;
    throw new AssayError('SUITE_INVALID', `${join(shown, name)} changed while the suite was running`, {
      fix: 'run the suite again',
    });
  }
}

/** True for the name of a file that is read as a trace fixture. */
export function isFixtureName(name: string): boolean {
  return name.endsWith('.json') && !name.endsWith(SIMULATOR_ENDING);
}

/**
 * Reads the `*.json` files of one directory (not its subdirectories), sorted by name.
 * @throws AssayError `SUITE_EMPTY` when there are none, `SUITE_INVALID` with every problem of every file.
 */
export function readTraceDirectory(directory: string, shown: string, inspect?: InspectCase): CaseList {
  const names = readdirSync(directory).filter(isFixtureName).toSorted(compareUtf8);
  if (names.length === 0) {
    throw new AssayError('SUITE_EMPTY', `no fixtures in ${shown}: an empty suite never passes`, {
      fix: 'put *.json trace fixtures directly into it (subdirectories are not read)',
    });
  }
  return admitFiles(directory, shown, names, inspect);
}

/** Reads a single fixture file as a suite of one case. Throws as `readTraceDirectory`. */
export function readTraceFile(
  directory: string,
  shownDirectory: string,
  name: string,
  inspect?: InspectCase,
): CaseList {
  return admitFiles(directory, shownDirectory, [name], inspect);
}

function admitFiles(
  directory: string,
  shown: string,
  names: readonly string[],
  inspect: InspectCase | undefined,
): CaseList {
  const problems: Problem[] = [];
  const vacuous: Problem[] = [];
  const fileOf = new Map<string, string>();
  const hashes: string[] = [];
  const kept: Case[] = [];
  const traits = emptyTraits();
  for (const name of names) {
    const file = join(shown, name);
    const path = join(directory, name);
    const admitted = readCase(path, file);
    // A file with other problems has an identity as well, so that all problems are told at once.
    const id = admitted.ok ? admitted.case.id : (admitted.id ?? null);
    const other = id === null ? undefined : fileOf.get(id);
    if (id !== null && other !== undefined) {
      const message = `the identity ${JSON.stringify(id)} is already used by ${other}`;
      const fix = 'give one of the two an id of its own';
      problems.push(atKey(path, file, ['id', 'model_name'], message, fix));
    } else if (id !== null) fileOf.set(id, file);
    if (!admitted.ok) problems.push(...admitted.problems);
    if (!admitted.ok || other !== undefined) continue;
    const { case: found } = admitted;
    for (const fault of inspect?.(found) ?? []) {
      vacuous.push(atKey(path, file, fault.key === undefined ? [] : [fault.key], fault.message, fault.fix));
    }
    hashes.push(found.hash);
    addTraits(traits, found);
    if (kept.length < CASES_KEPT) kept.push(found);
  }
  if (problems.length > 0) {
    throw new AssayError(
      'SUITE_INVALID',
      `${shown} cannot be loaded: ${plural(problems.length + vacuous.length, 'problem')}`,
      {
        problems: sortProblems([...problems, ...vacuous]),
      },
    );
  }
  if (vacuous.length > 0) {
    throw new AssayError(
      'VACUOUS',
      `${shown}: ${plural(vacuous.length, 'case')} would pass without the agent doing anything`,
      {
        problems: vacuous,
      },
    );
  }
  const ids = [...fileOf.keys()];
  return new TraceCases({ directory, shown, names, ids, hashes, kept, traits });
}
