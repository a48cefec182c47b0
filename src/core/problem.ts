import { terminalLine } from './text.js';

/** One thing that is wrong with something a human wrote, placed so that an editor can jump to it. */
export interface Problem {
  /** The file, as the user would name it (relative to the working directory where possible). */
  file: string;
  /** 1-based; null when the problem concerns the file as a whole. */
  line: number | null;
  /** 1-based; null when the problem concerns the file as a whole. */
  column: number | null;
  /** The key it is about, dotted from the top of the document (`turns[0].steps`), or '' for the whole document. */
  key: string;
  /** What is wrong. */
  message: string;
  /** What to write instead. */
  fix: string;
}

/** A path from the top of a document to one value. */
export type KeyPath = readonly (string | number)[];

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** `['turns', 0, 'a b']` as people write it: `turns[0]["a b"]`. */
export function formatKeyPath(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (PLAIN_KEY.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** `file:line:column key: what is wrong; what to write`, on one line and safe to print. */
export function formatProblem(problem: Problem): string {
  const place =
    problem.line === null
      ? problem.file
      : `${problem.file}:${problem.line}${problem.column === null ? '' : `:${problem.column}`}`;
  const key = problem.key === '' ? '' : ` ${problem.key}`;
  const fix = problem.fix === '' ? '' : `; ${problem.fix}`;
  return terminalLine(`${place}${key}: ${problem.message}${fix}`);
}

/** Sorts problems by file, then by place in the file. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((left, right) => {
    if (left.file !== right.file) return left.file < right.file ? -1 : 1;
    return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
  });
}
