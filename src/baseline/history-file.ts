import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { errorMessage } from '../core/index.js';
import { redactSecrets, safeDirectoryName } from '../store/index.js';
import { makePrivateDirectory } from './dump.js';
import { historySchema, type HistoryRecord } from './history-schema.js';
import { publishNew } from './publish.js';

const LARGEST = 256 * 1024 * 1024;
/** Directories that build tools clear away. */
const CLEARED: ReadonlySet<string> = new Set(['target', 'node_modules', 'dist', 'build']);

/** True for a directory inside one that build tools clear away, so that history in it would not last. */
export function isShortLived(directory: string): boolean {
  return resolve(directory)
    .split(sep)
    .some((part) => CLEARED.has(part));
}

/** `20260102T030405Z-0123456789ab`, `...-nogit` outside of a repository. */
function stemOf(record: HistoryRecord): string {
  const at = record.recorded_at.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const commit = record.git_sha?.slice(0, 12) ?? '';
  return `${at}-${/^[0-9a-f]{12}$/.test(commit) ? commit : 'nogit'}`;
}

/**
 * Writes one run under `directory/<suite>/`, under a name of its own; nothing is overwritten, and a suite directory
 * that is a link or is replaced meanwhile is refused.
 * @returns the path of the file
 * @throws AssayError `STORE`
 */
export function writeHistory(directory: string, record: HistoryRecord): string {
  const root = resolve(directory);
  makePrivateDirectory(root, '--history-dir');
  const suite = join(root, safeDirectoryName(record.suite));
  makePrivateDirectory(suite, '--history-dir');
  const text = redactSecrets(JSON.stringify(record, null, 2));
  return join(suite, publishNew(suite, stemOf(record), `${text}\n`));
}

/** A file of a history directory that could not be read. */
export interface HistoryProblem {
  path: string;
  message: string;
}

function readRecord(path: string): HistoryRecord {
  const descriptor = openSync(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a file');
    if (stats.size > LARGEST) throw new Error('it is too large for a history file');
    const value: unknown = JSON.parse(readFileSync(descriptor, 'utf8'));
    const checked = historySchema.safeParse(value);
    if (checked.success) return checked.data;
    const [first] = checked.error.issues;
    throw new Error(
      `not a history file: ${first?.path.map(String).join('.') ?? ''}: ${first?.message ?? ''}`,
    );
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(path: string, kind: 'directory' | 'file', problems: HistoryProblem[]): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => (kind === 'directory' ? entry.isDirectory() : !entry.isDirectory()))
      .map((entry) => entry.name)
      .toSorted();
  } catch (error) {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      problems.push({ path, message: errorMessage(error) });
    }
    return [];
  }
}

/**
 * The runs of a history directory, oldest first. A file that cannot be read is a problem in the answer and never
 * hides the others.
 * @param suite name of a suite; all suites when null
 */
export function readHistory(
  directory: string,
  suite: string | null,
): { records: HistoryRecord[]; problems: HistoryProblem[] } {
  const root = resolve(directory);
  const problems: HistoryProblem[] = [];
  const records: HistoryRecord[] = [];
  const folders = suite === null ? namesIn(root, 'directory', problems) : [safeDirectoryName(suite)];
  for (const folder of folders) {
    const place = join(root, folder);
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const name of namesIn(place, 'file', problems)) {
      if (name.startsWith('.') || !name.endsWith('.json')) continue;
      const path = join(place, name);
      try {
        const record = readRecord(path);
        if (suite === null || record.suite === suite) records.push(record);
        else problems.push({ path, message: `it is of the suite ${JSON.stringify(record.suite)}` });
      } catch (error) {
        problems.push({ path, message: errorMessage(error) });
      }
    }
  }
  records.sort((left, right) => Date.parse(left.recorded_at) - Date.parse(right.recorded_at));
  return { records, problems };
}

/** Directory of a project's history, absolute; null when it is switched off by an empty value. */
export function historyDirectory(named: string, root: string): string | null {
  return named === '' ? null : resolve(root, named);
}
