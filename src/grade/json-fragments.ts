import { parseJson, type JsonValue } from '../core/index.js';
import { walkContainer } from './json-scanner.js';

/** One JSON object or array found in a text. */
export interface JsonFragment {
  /** Index of its first UTF-16 unit. */
  start: number;
  value: JsonValue;
}

function nextOpening(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) return index;
  }
  return -1;
}

/**
 * Every JSON object and array in a text, from left to right, outermost only: what a found fragment contains is part of
 * it. Quotes and brackets of the prose around it do not hide a fragment.
 *
 * Linear in the text. A walk that fails has decided every container that it opened, so those are never walked again;
 * what it took for the inside of a string is walked once more at most, since two walks that are alive at one place
 * disagree about the quotes before it (a backslash, the only thing that could make them agree again, ends the walk
 * that is outside a string).
 */
export function* jsonFragments(text: string): Generator<JsonFragment> {
  const ends = new Map<number, number>();
  let start = nextOpening(text, 0);
  while (start >= 0) {
    if (!ends.has(start)) walkContainer(text, start, ends);
    const end = ends.get(start) ?? -1;
    if (end < 0) {
      start = nextOpening(text, start + 1);
      continue;
    }
    const parsed = parseJson(text.slice(start, end));
    if (parsed.ok) yield { start, value: parsed.value };
    start = nextOpening(text, end);
  }
}
