/** Upper bound of a backtracking search, as `factor * length ** power` over the length of the text. */
export interface RegexCost {
  factor: number;
  power: number;
}

const COUNTED = /\{(\d+)(,(\d*))?\}/y;
const GROUP_PREFIX = /\(\?(?:[:=!]|<[=!]|<[^>]*>)/y;

function endOfClass(pattern: string, start: number): number {
  let index = start + 1;
  while (index < pattern.length) {
    const character = pattern.charAt(index);
    if (character === ']') return index + 1;
    index += character === '\\' ? 2 : 1;
  }
  return index;
}

/** Index behind the escape at `start`; -1 when it is a back-reference or means something that is not bounded here. */
function endOfEscape(pattern: string, start: number, unicode: boolean): number {
  const escaped = pattern.charAt(start + 1);
  if (/[1-9k]/.test(escaped)) return -1;
  if (pattern.charAt(start + 2) !== '{' || !/[pPu]/.test(escaped)) return start + 2;
  // Without the u flag `\u{61}` repeats a letter u; rare enough to leave to the slow path.
  return unicode ? pattern.indexOf('}', start) + 1 || -1 : -1;
}

/**
 * An upper bound of the work of one search, or null when none is known: back-references, quantified groups (other
 * than `?`) and nested classes can be worse than any polynomial. Every quantifier and alternative multiplies the
 * number of ways to match; the last power of the length stands for the places where a match can start.
 */
export function regexCost(pattern: string, flags: string): RegexCost | null {
  if (flags.includes('v')) return null;
  const unicode = flags.includes('u');
  let factor = Math.max(1, pattern.length);
  let power = 1;
  let index = 0;
  let afterGroup = false;
  while (index < pattern.length) {
    const character = pattern.charAt(index);
    const quantifiesGroup = afterGroup;
    afterGroup = false;
    COUNTED.lastIndex = index;
    const counted = character === '{' ? COUNTED.exec(pattern) : null;
    if (counted !== null) {
      if (quantifiesGroup) return null;
      const least = Number(counted[1]);
      const most = counted[2] === undefined ? least : counted[3] === '' ? null : Number(counted[3]);
      if (most === null) power += 1;
      factor *= most === null ? Math.max(1, least) : Math.max(1, most) * (Math.max(0, most - least) + 1);
      index = COUNTED.lastIndex;
      if (pattern.charAt(index) === '?') index += 1;
    } else if (character === '*' || character === '+') {
      if (quantifiesGroup) return null;
      power += 1;
      index += pattern.charAt(index + 1) === '?' ? 2 : 1;
    } else if (character === '?' || character === '|') {
      factor *= 2;
      index += character === '?' && pattern.charAt(index + 1) === '?' ? 2 : 1;
    } else if (character === '\\') {
      index = endOfEscape(pattern, index, unicode);
      if (index < 0) return null;
    } else if (character === '[') index = endOfClass(pattern, index);
    else if (character === '(') {
      GROUP_PREFIX.lastIndex = index;
      index = GROUP_PREFIX.test(pattern) ? GROUP_PREFIX.lastIndex : index + 1;
    } else {
      afterGroup = character === ')';
      index += 1;
    }
  }
  return { factor, power };
}
