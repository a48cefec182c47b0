import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { errorMessage, readRegularFile } from '../core/index.js';
import { readCsvRows } from './data-csv.js';
import { readJsonlRows, readJsonRows } from './data-json.js';
import { rowProblem, type ReadRows } from './data-rows.js';

const READERS: ReadonlyMap<string, (file: string, text: string) => ReadRows> = new Map([
  ['.csv', readCsvRows],
  ['.jsonl', readJsonlRows],
  ['.json', readJsonRows],
]);

/** Endings of the files that cases can be made from. */
export const DATA_ENDINGS: readonly string[] = [...READERS.keys()];

/** Reads the rows of a data file by its ending: CSV with a header, JSON lines, or a JSON list. */
export function readDataFile(path: string, file: string): ReadRows {
  const fault = (message: string, fix: string): ReadRows => ({
    ok: false,
    problems: [rowProblem(file, null, null, '', message, fix)],
  });
  const reader = READERS.get(extname(path).toLowerCase());
  if (reader === undefined)
    return fault('is no data file', `name a file that ends in ${DATA_ENDINGS.join(', ')}`);
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    return fault(`cannot be read: ${errorMessage(error)}`, 'check the path and its permissions');
  }
  if (!isUtf8(bytes)) return fault('is not UTF-8 text', 'save it as UTF-8');
  const read = reader(file, bytes.toString('utf8'));
  if (read.ok && read.rows.length === 0) {
    return fault('holds no rows, so there are no cases', 'write a row for every case');
  }
  return read;
}
