/**
 * Fences around untrusted text in a judge's prompt. A marker is a line in white square brackets that carries a random
 * boundary. The brackets never occur in fenced text (they are replaced), nor does the boundary, so no text can close
 * its own fence or open another, even when its author can guess the boundary.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BOUNDARY_LENGTH = 24;

/** A fresh boundary: 24 characters of 5 random bits each. */
export function drawBoundary(random: () => number): string {
  let boundary = '';
  for (let index = 0; index < BOUNDARY_LENGTH; index += 1) {
    boundary += ALPHABET[Math.floor(random() * ALPHABET.length)] ?? ALPHABET[0];
  }
  return boundary;
}

/** One part of a prompt. */
export interface Part {
  /** Our own words, never text from outside: `answer`, `task turn 2`. */
  name: string;
  text: string;
  /** Code points shown at most; of a longer text the middle is left out. */
  limit: number;
}

const LINE_ENDS = /\r\n?/g;
// Controls, format characters (bidirectional overrides, invisible tag letters), lone surrogates, line separators.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
// Line feed and tab are layout; the two joiners are part of scripts and emoji.
const KEPT = new Set(['\n', '\t', '\u200c', '\u200d']);
const OPENING = /[\u27e6\u301a]/g;
const CLOSING = /[\u27e7\u301b]/g;
const MARKER_START = /^\s*[\p{P}\p{S}]+\s*assay\b/iu;
const MARKER_WORD = /\b(?:begin|end|cut)\b/i;
const MARKER_REACH = 200;

function visible(character: string): string {
  return KEPT.has(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A line written to look like a marker in other brackets is set off, so that it reads as the quotation it is. */
function setOff(line: string): string {
  const folded = line.slice(0, MARKER_REACH).normalize('NFKC');
  return MARKER_START.test(folded) && MARKER_WORD.test(folded) ? `(quoted) ${line}` : line;
}

function withoutBoundary(text: string, boundary: string): string {
  if (boundary === '') return text;
  const lowered = text.toLowerCase();
  // Lower-casing can change the length of a text; then places do not carry over and only exact matches are cut.
  if (lowered.length !== text.length) return text.replaceAll(boundary, '[boundary]');
  let clean = '';
  let from = 0;
  for (let at = lowered.indexOf(boundary); at !== -1; at = lowered.indexOf(boundary, from)) {
    clean += `${text.slice(from, at)}[boundary]`;
    from = at + boundary.length;
  }
  return clean + text.slice(from);
}

/**
 * Makes a text unable to act outside its fence: no marker, nothing that looks like one, no boundary, no invisible
 * character. What is replaced stays visible.
 */
export function neutralise(text: string, boundary: string): string {
  const plain = text
    .replace(LINE_ENDS, '\n')
    .replace(INVISIBLE, visible)
    .replace(OPENING, '[')
    .replace(CLOSING, ']');
  return withoutBoundary(plain.split('\n').map(setOff).join('\n'), boundary);
}

/** How many code points a text has. */
export function countPoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

function firstPoints(text: string, count: number): string {
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

function lastPoints(text: string, count: number): string {
  if (count === 0) return '';
  return Array.from(text.slice(-2 * count))
    .slice(-count)
    .join('');
}

function bounded(text: string, limit: number, boundary: string): string {
  if (text.length <= 2 * limit) {
    const whole = neutralise(text, boundary);
    if (countPoints(whole) <= limit) return whole;
  }
  const headLength = Math.ceil(limit / 2);
  const tailLength = limit - headLength;
  const head = firstPoints(neutralise(firstPoints(text, headLength), boundary), headLength);
  const tail = lastPoints(neutralise(lastPoints(text, tailLength), boundary), tailLength);
  const note = `\u27e6assay ${boundary} cut: the middle is left out, the whole has ${countPoints(text)} characters\u27e7`;
  return `${head}\n${note}\n${tail}`;
}

/** A part between its two markers. Of a text over the limit the head and the tail are kept, with a marker between. */
export function fence(part: Part, boundary: string): string {
  const open = `\u27e6assay ${boundary} begin ${part.name}\u27e7`;
  const close = `\u27e6assay ${boundary} end ${part.name}\u27e7`;
  return `${open}\n${bounded(part.text, part.limit, boundary)}\n${close}`;
}
