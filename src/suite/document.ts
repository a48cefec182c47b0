import type { JsonValue, KeyPath, Problem } from '../core/index.js';
import { formatKeyPath } from '../core/index.js';

/** A place in a text; both 1-based. */
export interface Position {
  line: number;
  column: number;
}

/** A parsed document that can still say where each of its values was written. */
export interface PositionedDocument {
  /** The file as the user would name it. */
  file: string;
  value: JsonValue;
  /**
   * Where the value at `path` was written; with `'key'` where its key was. Falls back to the nearest ancestor that
   * exists, so a missing key is reported at the object that lacks it.
   */
  locate(path: KeyPath, target?: 'key' | 'value'): Position;
}

/** A document that also knows the text of its scalars as it was written. */
export interface WrittenDocument extends PositionedDocument {
  /**
   * The written text of the scalar at `path`: `1.10`, `0x1f`, `~`; for quoted and block text the text itself, '' for an
   * empty value. Null where there is no scalar.
   */
  sourceAt(path: KeyPath): string | null;
}

/** What parsing a file gives: a document, or the problems that kept it from being one. */
export type ParsedDocument = { ok: true; document: PositionedDocument } | { ok: false; problems: Problem[] };

/** One broken rule, placed by key path; `placeProblem` turns it into a `Problem`. */
export interface RuleProblem {
  path: KeyPath;
  message: string;
  fix: string;
  /** Whether the key or the value is at fault; decides which position is printed. */
  at?: 'key' | 'value';
}

/** Gives a broken rule its file, line and column. */
export function placeProblem(document: PositionedDocument, problem: RuleProblem): Problem {
  const position = document.locate(problem.path, problem.at ?? 'value');
  return {
    file: document.file,
    line: position.line,
    column: position.column,
    key: formatKeyPath(problem.path),
    message: problem.message,
    fix: problem.fix,
  };
}
