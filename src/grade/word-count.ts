import { plural, type CheckSpecOf } from '../core/index.js';
import { cannotGrade, decide, type Verdict } from './grader.js';

// Scripts that do not put spaces between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let segmenter: Intl.Segmenter | undefined;

function segmentedWords(token: string): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  let words = 0;
  for (const segment of segmenter.segment(token)) if (segment.isWordLike === true) words += 1;
  return words;
}

/**
 * The number of words: pieces between white space, where a piece in a script without spaces (Chinese, Japanese, Thai,
 * Lao, Khmer, Burmese) counts as the words that Unicode word segmentation finds in it.
 */
function countWords(text: string): number {
  let words = 0;
  for (const token of text.split(/\s+/)) {
    if (token === '') continue;
    words += UNSPACED.test(token) ? segmentedWords(token) : 1;
  }
  return words;
}

/** Passes when the number of words lies within every bound that is given. */
export function gradeWordCount(spec: CheckSpecOf<'word-count'>, text: string): Verdict {
  const { exact, min, max } = spec;
  if (exact === undefined && min === undefined && max === undefined)
    return cannotGrade('there is no bound to compare with');
  const words = countWords(text);
  const holds =
    (exact === undefined || words === exact) &&
    (min === undefined || words >= min) &&
    (max === undefined || words <= max);
  const bounds = [
    ...(exact === undefined ? [] : [`exactly ${exact}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ];
  return decide(holds, `${plural(words, 'word')}, the bound is ${bounds.join(' and ')}`);
}
