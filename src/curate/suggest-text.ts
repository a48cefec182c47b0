import type { JsonObject, JsonValue } from '../core/index.js';
import { jsonNodes, onlyAt, pointerOf, withChange } from './json-nodes.js';
import { jsonAnswer } from './mutate-json-answer.js';
import type { Candidate } from './suggest-candidates.js';

/** Longest phrase that a suggested check looks for, in characters. */
const LONGEST_PHRASE = 80;

const EDGE = /^[\s"'“”‘’`([{<*_]+|[\s"'“”‘’`)\]}>*_.,;:!?…]+$/g;

interface Word {
  start: number;
  end: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The stretch of a text from one word to another, without punctuation around it. */
function phrase(text: string, words: readonly Word[], from: number, to: number): string | null {
  const first = words[Math.max(0, from)];
  const last = words[Math.min(words.length - 1, to)];
  if (first === undefined || last === undefined) return null;
  const found = text.slice(first.start, last.end).replace(EDGE, '');
  return found === '' || found.length > LONGEST_PHRASE || found.includes('\n') ? null : found;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

/** Number of the word that says most: the longest one, the first of several. */
function tellingWord(text: string, words: readonly Word[]): number {
  let best = 0;
  let length = 0;
  for (const [index, { start, end }] of words.entries()) {
    const bare = text.slice(start, end).replace(EDGE, '').length;
    if (bare > length) [best, length] = [index, bare];
  }
  return best;
}

/** Phrases of a text that another one lacks, the most fitting first. */
export function tellingPhrases(text: string, other: string): string[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const last = words.length - 1;
  const places: [number, number][] = [];
  const shared = firstDifference(text, other);
  if (shared === other.length && shared > 0) places.push([last - 2, last], [last, last]);
  else if (shared > 0) {
    const at = words.findIndex(({ end }) => end > shared);
    const near = at < 0 ? last : at;
    places.push([near, near], [near, near + 1], [near - 1, near], [near - 1, near + 1]);
  }
  const telling = tellingWord(text, words);
  places.push([telling, telling], [telling - 1, telling], [telling - 1, telling + 1], [last - 2, last]);
  const phrases = places.flatMap(([from, to]) => phrase(text, words, from, to) ?? []);
  return [...new Set(phrases)].filter((found) => !other.includes(found));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Checks of the text of a turn: that it holds a phrase, and at last that it is this text and no other. */
export function textCandidates(text: string, other: string, turn: number | null): Candidate[] {
  const about: JsonObject = turn === null ? {} : { turn };
  const candidates = tellingPhrases(text, other).map((found): Candidate => ({
    assertion: { type: 'contains', value: found, ...about },
    fixture: { turn, expects: { response_contains: [found] } },
  }));
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= LONGEST_PHRASE * 4) {
    candidates.push({
      assertion: { type: 'equals', value: trimmed, ...about },
      fixture: { turn, expects: { response_matches: [`^${escaped(text)}$`] } },
    });
  }
  return candidates;
}

function lacks(other: JsonValue, path: readonly (string | number)[], value: JsonValue): boolean {
  let found: JsonValue | undefined;
  withChange(other, path, (inner) => {
    found = inner;
    return inner;
  });
  return found === undefined || JSON.stringify(found) !== JSON.stringify(value);
}

/** Checks of single values in an answer that is JSON. */
export function jsonCandidates(text: string, other: string): Candidate[] {
  const [answer, changed] = [jsonAnswer(text), jsonAnswer(other)];
  if (answer === null) return [];
  const found: Candidate[] = [];
  for (const { path, value } of jsonNodes(answer.value)) {
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) continue;
    // An answer that is no JSON any more lacks all of it; one value then tells.
    if (changed === null ? found.length > 0 : !lacks(changed.value, path, value)) continue;
    found.push({
      assertion: { type: 'contains-json', value: onlyAt(answer.value, path) },
      fixture: { turn: null, expects: { response_json: { [pointerOf(path)]: value } } },
    });
  }
  return found;
}
