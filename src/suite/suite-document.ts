import type { JsonValue, KeyPath, Problem } from '../core/index.js';
import { formatKeyPath } from '../core/index.js';
import type { SourceAt } from './assertion-text.js';
import { placeProblem, type RuleProblem, type WrittenDocument } from './document.js';

/** An assertion suite as a value, whatever it was written in. */
export interface SuiteDocument {
  /** The file as the user would name it. */
  file: string;
  value: JsonValue;
  sourceAt: SourceAt;
  /** Gives a problem its place. */
  place(problem: RuleProblem): Problem;
  /** 1-based line of the value at a path; 1 where the format does not tell. */
  line(path: KeyPath): number;
}

/** A suite written as a file with positions. */
export function writtenSuite(document: WrittenDocument): SuiteDocument {
  return {
    file: document.file,
    value: document.value,
    sourceAt: (path) => document.sourceAt(path),
    place: (problem) => placeProblem(document, problem),
    line: (path) => document.locate(path).line,
  };
}

/** A suite that a program exported: its problems are placed by key path alone, as `pathOf` gives it. */
export function exportedSuite(
  file: string,
  value: JsonValue,
  pathOf: (path: KeyPath) => KeyPath = (path) => path,
): SuiteDocument {
  return {
    file,
    value,
    sourceAt: () => null,
    place: ({ path, message, fix }) => ({
      file,
      line: null,
      column: null,
      key: formatKeyPath(pathOf(path)),
      message,
      fix,
    }),
    line: () => 1,
  };
}
