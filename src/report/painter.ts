import picocolors from 'picocolors';
import { terminalLine, type CheckOutcome } from '../core/index.js';

/** Colours of a report. Each takes text that is already safe to print. */
export interface Painter {
  good: (text: string) => string;
  bad: (text: string) => string;
  warn: (text: string) => string;
  dim: (text: string) => string;
  bold: (text: string) => string;
}

/** A painter that colours, or one that leaves every text as it is. */
export function createPainter(color: boolean): Painter {
  const colors = picocolors.createColors(color);
  return { good: colors.green, bad: colors.red, warn: colors.yellow, dim: colors.dim, bold: colors.bold };
}

/** `✓` passed, `✗` failed, `?` undecided, `!` could not be evaluated. */
export function outcomeMark(paint: Painter, outcome: CheckOutcome): string {
  switch (outcome) {
    case 'pass':
      return paint.good('✓');
    case 'fail':
      return paint.bad('✗');
    case 'unknown':
      return paint.warn('?');
    case 'error':
      return paint.warn('!');
  }
}

/** The mark of a case or a trial. */
export function statusMark(paint: Painter, status: 'passed' | 'failed' | 'error'): string {
  const outcome = status === 'passed' ? 'pass' : status === 'failed' ? 'fail' : 'error';
  return outcomeMark(paint, outcome);
}

/** A word of a command line that a shell reads as this one word, shown safely. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word)) return word;
  return terminalLine(`'${word.replaceAll("'", "'\\''")}'`);
}
