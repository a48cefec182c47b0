/** Thrown for syntax that the linear-time dialect does not have. */
export class PatternSyntaxError extends Error {}

const DIGIT = '\\p{Nd}';
const NOT_DIGIT = '\\P{Nd}';
const WORD_MEMBERS = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}';
const SPACE_MEMBERS = '\\p{White_Space}';
const NOT_SPACE = '\\P{White_Space}';
const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const LAST_CODE_POINT = 0x10ffff;

let notWordMembers: string | undefined;

/** The complement of a word character, as class members. A class cannot hold a negated union, so it is spelled out. */
function notWord(): string {
  if (notWordMembers !== undefined) return notWordMembers;
  let members = '';
  let first = -1;
  for (let point = 0; point <= LAST_CODE_POINT + 1; point += 1) {
    const outside = point <= LAST_CODE_POINT && !WORD.test(String.fromCodePoint(point));
    if (outside && first < 0) first = point;
    if (outside || first < 0) continue;
    members += `\\x{${first.toString(16)}}-\\x{${(point - 1).toString(16)}}`;
    first = -1;
  }
  notWordMembers = members;
  return members;
}

const PERL_IN_CLASS: ReadonlyMap<string, () => string> = new Map([
  ['d', () => DIGIT],
  ['D', () => NOT_DIGIT],
  ['w', () => WORD_MEMBERS],
  ['W', notWord],
  ['s', () => SPACE_MEMBERS],
  ['S', () => NOT_SPACE],
]);

const PERL_OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['d', DIGIT],
  ['D', NOT_DIGIT],
  ['w', `[${WORD_MEMBERS}]`],
  ['W', `[^${WORD_MEMBERS}]`],
  ['s', SPACE_MEMBERS],
  ['S', NOT_SPACE],
]);

const CODE_POINT = /\\(?:[uU]\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const PROPERTY = /\\([pP])\{(\^?)(?:(?:script|sc|general_category|gc)=)?([^}=]*)\}/y;
const COUNTED = /\{\d+(?:,\d*)?\}/y;
const POSIX = /\[:\^?[a-z]+:\]/y;

function refuse(what: string, instead: string): never {
  throw new PatternSyntaxError(`${what}; ${instead}`);
}

/** The escape at `index` in RE2's spelling, and the index behind it. */
function translateEscape(pattern: string, index: number, inClass: boolean): [string, number] {
  const letter = pattern.charAt(index + 1);
  const perl = inClass ? PERL_IN_CLASS.get(letter)?.() : PERL_OUTSIDE.get(letter);
  if (perl !== undefined) return [perl, index + 2];
  CODE_POINT.lastIndex = index;
  const point = CODE_POINT.exec(pattern);
  if (point !== null) return [`\\x{${point[1] ?? point[2] ?? point[3] ?? ''}}`, CODE_POINT.lastIndex];
  PROPERTY.lastIndex = index;
  const property = PROPERTY.exec(pattern);
  if (property !== null) {
    return [`\\${property[1] ?? 'p'}{${property[2] ?? ''}${property[3] ?? ''}}`, PROPERTY.lastIndex];
  }
  if (/[0-9]/.test(letter))
    refuse(`\\${letter}: back-references are not supported`, 'a code point is \\x{…}');
  if (letter === 'k') refuse('\\k: back-references are not supported', 'write the text out');
  if (/[QEC]/.test(letter)) refuse(`\\${letter} is not supported`, 'escape each character');
  if (/[<>]/.test(letter))
    refuse(`\\${letter} is not supported`, `a literal is ${letter}, a word boundary \\b`);
  if (letter === 'b' && pattern.charAt(index + 2) === '{') refuse('\\b{…} is not supported', 'use \\b');
  return [pattern.slice(index, index + 2), index + 2];
}

/** The class at `index` in RE2's spelling, and the index behind it. */
function translateClass(pattern: string, start: number): [string, number] {
  let index = start + 1;
  let translated = '[';
  if (pattern.charAt(index) === '^') {
    translated += '^';
    index += 1;
  }
  // A closing bracket that comes first is a member.
  if (pattern.charAt(index) === ']') {
    translated += '\\]';
    index += 1;
  }
  while (index < pattern.length) {
    const character = pattern.charAt(index);
    POSIX.lastIndex = index;
    const posix = POSIX.exec(pattern);
    if (character === ']') return [`${translated}]`, index + 1];
    if (character === '\\') {
      const [escape, behind] = translateEscape(pattern, index, true);
      translated += escape;
      index = behind;
    } else if (posix !== null) {
      translated += posix[0];
      index = POSIX.lastIndex;
    } else if (character === '[') {
      refuse('a class inside a class is not supported', 'write \\[ for a bracket');
    } else if (/^(?:&&|--|~~)/.test(pattern.slice(index, index + 2))) {
      const operator = pattern.slice(index, index + 2);
      refuse(`the class operator ${operator} is not supported`, 'escape the signs or write one class');
    } else {
      translated += character;
      index += 1;
    }
  }
  return refuse('a class is not closed', 'write the missing ]');
}

/**
 * Rewrites a pattern from the syntax of Rust's regex crate to RE2's: `\d \w \s` become Unicode-aware, `\u{…}` becomes
 * `\x{…}`, and what the two read differently is refused. `\b` stays ASCII. Throws PatternSyntaxError.
 */
export function translateRust(pattern: string): string {
  let translated = '';
  let index = 0;
  while (index < pattern.length) {
    const character = pattern.charAt(index);
    let piece = character;
    let behind = index + 1;
    if (character === '\\') [piece, behind] = translateEscape(pattern, index, false);
    else if (character === '[') [piece, behind] = translateClass(pattern, index);
    else if (character === '{') {
      COUNTED.lastIndex = index;
      const counted = COUNTED.exec(pattern);
      if (counted === null) return refuse('{ starts a repetition such as {2,3}', 'write \\{ for a brace');
      [piece, behind] = [counted[0], COUNTED.lastIndex];
    } else if (/^\(\?<?[=!]/.test(pattern.slice(index, index + 4))) {
      refuse(
        'look-around is not supported',
        'match the surrounding text, or use a check in the JavaScript dialect',
      );
    }
    translated += piece;
    index = behind;
  }
  return translated;
}
