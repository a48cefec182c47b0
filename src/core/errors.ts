import { formatProblem, type Problem } from './problem.js';

const MARKER = Symbol.for('assay.error');

/**
 * Codes of the errors Assay throws on purpose. `USAGE` means the command line itself is wrong (exit code 2); all
 * others are about the evaluation (exit code 1).
 */
export type AssayErrorCode =
  | 'USAGE'
  | 'CONFIG'
  | 'SUITE_NOT_FOUND'
  | 'SUITE_EMPTY'
  | 'SUITE_INVALID'
  | 'SUITE_LEGACY'
  | 'NOTHING_SELECTED'
  | 'VACUOUS'
  | 'MODE'
  | 'STORE'
  | 'RUN_NOT_FOUND'
  | 'MODEL'
  | 'JUDGE'
  | 'AGENT'
  | 'SCRIPT'
  | 'LIMIT'
  | 'INPUT';

/** An error that a person can act on: one sentence of what happened, one of what to do, and where to look. */
export class AssayError extends Error {
  readonly code: AssayErrorCode;
  /** What to do about it; '' when the message says it all. */
  readonly fix: string;
  /** Every problem found, when the error stands for several. */
  readonly problems: readonly Problem[];
  readonly [MARKER] = true;

  constructor(
    code: AssayErrorCode,
    message: string,
    details: { fix?: string; problems?: readonly Problem[]; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AssayError';
    this.code = code;
    this.fix = details.fix ?? '';
    this.problems = details.problems ?? [];
  }

  /** True for an AssayError of any loaded copy of this package. */
  static isInstance(value: unknown): value is AssayError {
    return typeof value === 'object' && value !== null && MARKER in value;
  }

  /** The whole error as one readable block, without a stack. */
  describe(): string {
    const lines = [this.fix === '' ? this.message : `${this.message}\n${this.fix}`];
    for (const problem of this.problems) lines.push(`  ${formatProblem(problem)}`);
    return lines.join('\n');
  }
}

/** The message of anything thrown, on one line with what to do about it where the error says that. */
export function errorAdvice(error: unknown): string {
  if (!AssayError.isInstance(error) || error.fix === '') return errorMessage(error);
  return `${error.message}; ${error.fix}`;
}

/** The message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
