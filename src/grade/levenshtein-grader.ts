import { createRequire } from 'node:module';
import type * as fastestLevenshtein from 'fastest-levenshtein';
import type { CheckSpecOf } from '../core/index.js';
import { responseWas, shapeText } from './graded-text.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

const load = createRequire(import.meta.url);

/** Longest text, in characters, whose distance is computed. */
const LEVENSHTEIN_LIMIT = 20_000;

/** Writes every character as one UTF-16 unit, so that the library, which counts units, counts characters. */
function oneUnitEach(texts: readonly string[][]): string[] {
  const units = new Map<string, string>();
  return texts.map((characters) =>
    characters
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
  const sides = [Array.from(expected), Array.from(text)];
  const lengths = sides.map((side) => side.length);
  const least = Math.max(...lengths) - Math.min(...lengths);
  if (least > spec.maxDistance) {
    return decide(false, `edit distance is at least ${least}, ${bound}: ${responseWas(text)}`);
  }
  if (Math.max(...lengths) > LEVENSHTEIN_LIMIT) {
    return cannotGrade(
      `the text is too long for an edit distance: more than ${LEVENSHTEIN_LIMIT} characters`,
    );
  }
  const { distance }: typeof fastestLevenshtein = load('fastest-levenshtein');
  const [left = '', right = ''] = oneUnitEach(sides);
  const edits = distance(left, right);
  return decide(
    edits <= spec.maxDistance,
    `edit distance is ${edits}, ${bound}${edits <= spec.maxDistance ? '' : `: ${responseWas(text)}`}`,
  );
}
