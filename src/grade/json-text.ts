import { canonicalJson, clip, parseJson, type JsonValue, type ParsedJson } from '../core/index.js';

/** Trims what JSON calls white space and nothing else; a byte order mark, for one, stays and makes the text no JSON. */
export function trimJson(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\n\r'.includes(text.charAt(start))) start += 1;
  while (end > start && ' \t\n\r'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The whole text as JSON. */
export function parseWholeText(text: string): ParsedJson {
  return parseJson(trimJson(text));
}

const FENCE = '```';
const OPENING = '```json';

/** The whole trimmed text as JSON, else the content of its first fenced block opened by ` ```json `. */
export function parseAnswer(text: string): ParsedJson {
  const whole = parseJson(text.trim());
  if (whole.ok) return whole;
  const opening = text.indexOf(OPENING);
  if (opening < 0) return whole;
  const start = opening + OPENING.length;
  const closing = text.indexOf(FENCE, start);
  return closing < 0 ? whole : parseJson(text.slice(start, closing).trim());
}

/** A JSON value in evidence: compact and clipped. A model may nest deeper than there is stack to write it out. */
export function shownJson(value: JsonValue, limit = 400): string {
  try {
    return clip(canonicalJson(value), limit);
  } catch {
    return 'a value nested too deeply to show';
  }
}
