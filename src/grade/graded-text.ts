import {
  clip,
  finalText,
  plural,
  quote,
  type CheckBase,
  type Recording,
  type TextOptions,
} from '../core/index.js';
import { cannotGrade, settledFail, type GradeContext, type Verdict } from './grader.js';

const EVIDENCE_LIMIT = 4000;

/** Evidence of a check that fails because there is no text to grade. */
export const EMPTY_RESPONSE = 'the response is empty';

/** The text of the graded turn, untouched; null when that turn was never reached. */
export function turnText(spec: Pick<CheckBase, 'turn'>, recording: Recording): string | null {
  if (spec.turn === undefined) return finalText(recording);
  return recording.turns[spec.turn]?.text ?? null;
}

/** What a text is searched for: normalised like the text, never trimmed. */
export function shapeNeedle(options: TextOptions, needle: string): string {
  return options.normalize === undefined ? needle : needle.normalize(options.normalize);
}

/** The text a check compares: normalised, and trimmed when the check trims. */
export function shapeText(options: TextOptions, text: string): string {
  const normalized = shapeNeedle(options, text);
  return options.trim ? normalized.trim() : normalized;
}

function notReached(spec: Pick<CheckBase, 'turn'>, recording: Recording): Verdict {
  const reached = plural(recording.turns.length, 'turn');
  return cannotGrade(`turn ${(spec.turn ?? 0) + 1} was not reached: the recording has ${reached}`);
}

type TextGrader<Spec> = (spec: Spec, text: string, context: GradeContext) => Verdict;

/**
 * Finds the graded text, applies the rule for empty texts, and hands the untouched text on. Every check that looks at
 * a text goes through here or `onText`, so none can forget the rule.
 */
export function onRawText<Spec extends CheckBase>(
  spec: Spec,
  recording: Recording,
  context: GradeContext,
  grade: TextGrader<Spec>,
): Verdict {
  const text = turnText(spec, recording);
  if (text === null) return notReached(spec, recording);
  if (context.emptyText === 'fail' && text.trim() === '') return settledFail(EMPTY_RESPONSE);
  return grade(spec, text, context);
}

/** `onRawText` with the text shaped as the check asks. */
export function onText<Spec extends CheckBase & TextOptions>(
  spec: Spec,
  recording: Recording,
  context: GradeContext,
  grade: TextGrader<Spec>,
): Verdict {
  const text = turnText(spec, recording);
  if (text === null) return notReached(spec, recording);
  if (context.emptyText === 'fail' && text.trim() === '') return settledFail(EMPTY_RESPONSE);
  return grade(spec, shapeText(spec, text), context);
}

/** `response was "…"`, the whole text unless it is very long. */
export function responseWas(text: string): string {
  return `response was ${quote(clip(text, EVIDENCE_LIMIT))}`;
}

/** 1-based position in characters (code points) of the UTF-16 index `index`. */
export function characterAt(text: string, index: number): number {
  let position = 1;
  for (let unit = 0; unit < index; unit += 1) {
    const code = text.charCodeAt(unit);
    // The second half of a surrogate pair belongs to a character already counted.
    if (code < 0xdc00 || code > 0xdfff) position += 1;
  }
  return position;
}
