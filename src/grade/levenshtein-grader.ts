import { createRequire } from 'node:module';
import type * as fastestLevenshtein from 'fastest-levenshtein';
import type { CheckSpecOf } from '../core/index.js';
import { responseWas, shapeText } from './graded-text.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

const load = createRequire(import.meta.url);
let library: typeof fastestLevenshtein | null = null;

/** Loaded with the first distance, and kept: looking a module up again costs more than a short distance. */
function distance(left: string, right: string): number {
  library ??= load('fastest-levenshtein') as typeof fastestLevenshtein;
  return library.distance(left, right);
}

const SURROGATE = /[\ud800-\udfff]/;

/** Longest text, in characters, whose distance is computed. */
const LEVENSHTEIN_LIMIT = 20_000;

/** Writes every character as one UTF-16 unit, so that the library, which counts units, counts characters. */
function oneUnitEach(texts: readonly string[]): string[] {
  if (!texts.some((text) => SURROGATE.test(text))) return [...texts];
  const units = new Map<string, string>();
  return texts.map((text) =>
    Array.from(text)
      .map((character) => {
        const known = units.get(character);
        if (known !== undefined) return known;
        const unit = String.fromCharCode(units.size);
        units.set(character, unit);
        return unit;
      })
      .join(''),
  );
}

/** Passes when the text is at most `maxDistance` single-character edits away from the value; characters, not units. */
export function gradeLevenshtein(spec: CheckSpecOf<'levenshtein'>, text: string): Verdict {
  const expected = shapeText(spec, spec.value);
  const bound = `the upper limit ${spec.maxDistance}`;
  const [left = '', right = ''] = oneUnitEach([expected, text]);
  const least = Math.abs(left.length - right.length);
  if (least > spec.maxDistance) {
    return decide(false, `edit distance is at least ${least}, ${bound}: ${responseWas(text)}`);
  }
  if (Math.max(left.length, right.length) > LEVENSHTEIN_LIMIT) {
    return cannotGrade(
      `the text is too long for an edit distance: more than ${LEVENSHTEIN_LIMIT} characters`,
    );
  }
  const edits = left === right ? 0 : distance(left, right);
  return decide(
    edits <= spec.maxDistance,
    `edit distance is ${edits}, ${bound}${edits <= spec.maxDistance ? '' : `: ${responseWas(text)}`}`,
  );
}
