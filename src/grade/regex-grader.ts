import { clip, errorMessage, quote, type CheckSpecOf } from '../core/index.js';
import { characterAt, responseWas } from './graded-text.js';
import { cannotGrade, decide, regexLimit, type GradeContext, type Verdict } from './grader.js';
import { searchPattern, type PatternMatch } from '../match/index.js';

/**
 * The pattern with canonically equivalent characters as the text will have them. Compatibility forms are left out on
 * this side: they would turn a full-width bracket into syntax.
 */
function patternOf(spec: CheckSpecOf<'regex'>): string {
  if (spec.normalize === undefined) return spec.pattern;
  return spec.pattern.normalize(spec.normalize === 'NFC' || spec.normalize === 'NFKC' ? 'NFC' : 'NFD');
}

/** Passes when the pattern matches anywhere in the text, within the time bound. */
export function gradeRegex(spec: CheckSpecOf<'regex'>, text: string, context: GradeContext): Verdict {
  const limitMs = regexLimit(context);
  const shown = quote(spec.pattern);
  let found: PatternMatch;
  try {
    found = searchPattern(patternOf(spec), spec.flags, spec.dialect, text, limitMs);
  } catch (error) {
    return cannotGrade(`invalid pattern ${shown}: ${errorMessage(error)}`);
  }
  if (found.status === 'timeout') {
    return cannotGrade(`the pattern ${shown} exceeded ${limitMs / 1000} s on ${text.length} characters`);
  }
  if (found.status === 'none') return decide(false, `no match for ${shown}: ${responseWas(text)}`);
  if (found.index === null || found.text === null) return decide(true, `matches ${shown}`);
  const place = `at character ${characterAt(text, found.index)}`;
  return decide(true, `matches ${shown} ${place}: ${quote(clip(found.text, 200))}`);
}
