import type { Problem } from '../core/index.js';
import type { Variables } from './template.js';

/** The rows of a data file. Rows are read on demand, so that a big file costs little more than its own text. */
export interface DataRows {
  /** The file as the user would name it. */
  file: string;
  /** The file's own name, without directories. */
  name: string;
  /** Names that a row has; the first row's where rows may differ. Null when that row cannot be read. */
  columns: ReadonlySet<string> | null;
  readonly length: number;
  /** The values of a row; 0-based. With `problems` given, a row that is wrong is noted there and null. */
  row(index: number, problems?: Problem[]): Variables | null;
  /** 1-based line at which a row begins; 0-based index. Null where the format does not tell. */
  line(index: number): number | null;
}

/** Rows that can be used, or what is wrong with the file. */
export type ReadRows = { ok: true; rows: DataRows } | { ok: false; problems: Problem[] };

/** A problem of a data file. */
export function rowProblem(
  file: string,
  line: number | null,
  column: number | null,
  key: string,
  message: string,
  fix: string,
): Problem {
  return { file, line, column, key, message, fix };
}
