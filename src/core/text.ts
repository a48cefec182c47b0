const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\0', '\\0'],
]);

const PRINTABLE_ASCII = /^[ !#-[\]-~]*$/;
// Everything a terminal would not show as a letter of its own: controls, format characters, unassigned, separators.
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const SPACE_OTHER = /\p{Zs}/u;

/**
 * A string in double quotes with quotes, backslashes and unprintable characters escaped and other Unicode left
 * readable: `a"b` becomes `"a\"b"`, a line feed `\n`, a zero-width space `\u{200b}`. Check labels use it, so its
 * output is part of the stored formats.
 */
export function quote(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    const named = NAMED_ESCAPES.get(character);
    if (named !== undefined) quoted += named;
    else if (NOT_PRINTABLE.test(character) || (character !== ' ' && SPACE_OTHER.test(character))) {
      quoted += `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    } else quoted += character;
  }
  return `${quoted}"`;
}

/**
 * Makes untrusted text safe to print on a terminal: control characters (escape sequences among them) and
 * bidirectional overrides become visible escapes. Line feeds and tabs stay.
 */
export function terminalSafe(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** `terminalSafe` for text that must stay on one line: line feeds and tabs become escapes as well. */
export function terminalLine(text: string): string {
  return terminalSafe(text.replace(/\n/g, '\\n').replace(/\t/g, '\\t'));
}

/** The first `limit` code points of a text, with a note of how many were left out. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = Array.from(text.slice(0, limit * 2 + 2));
  if (points.length <= limit && text.length <= limit * 2) return text;
  return `${points.slice(0, limit).join('')}… (${text.length} characters in all)`;
}

/** Edit distance with transpositions of neighbours, bounded: anything above `limit` is returned as `limit + 1`. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}

/** The candidate that was probably meant by a misspelt word, or null when none is near enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | null {
  const lowered = word.toLowerCase().replace(/[\s_-]/g, '');
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.toLowerCase().replace(/[\s_-]/g, '') === lowered) return candidate;
    const distance = editDistance(word, candidate, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `1 case`, `2 cases`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A character that can be seen. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** True for a text in which nothing can be seen: empty, spaces, or characters without a width. */
export function isInvisible(text: string): boolean {
  return !VISIBLE.test(text);
}
