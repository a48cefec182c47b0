import { countText } from './number-text.js';

/** Moves a cut so that it does not fall between the two halves of one character. */
function wholeCharacter(text: string, cut: number): number {
  const before = text.charCodeAt(cut - 1);
  const after = text.charCodeAt(cut);
  const split = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return split ? cut - 1 : cut;
}

/** The beginning and the end of a long text, with a note of how much is left out between; short text as it is. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tailLength = Math.floor(limit / 4);
  const head = wholeCharacter(text, limit - tailLength);
  const tail = wholeCharacter(text, text.length - tailLength);
  return `${text.slice(0, head)}… (${countText(tail - head)} characters left out) …${text.slice(tail)}`;
}

/** The lines of a text, at most `lines` of them: the first ones, a note, and the last one. */
export function clipLines(text: string, limits: { lines: number; characters: number }): string[] {
  const lines = headAndTail(text, limits.characters).split(/\r\n|\n/);
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  if (lines.length <= limits.lines) return lines;
  const head = Math.max(1, limits.lines - 2);
  const note = `… (${countText(lines.length - head - 1)} lines left out)`;
  return [...lines.slice(0, head), note, lines.at(-1) ?? ''];
}
