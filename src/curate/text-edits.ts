/** One change of a text, with what it took out and put in. */
export interface TextEdit {
  from: string;
  to: string;
  text: string;
}

const UNRELATED_ANSWER = 'Herons wade slowly along quiet rivers.';

/** Answers that have nothing to do with each other, nor with any question that is likely to be asked. */
export const UNRELATED_ANSWERS: readonly string[] = [
  UNRELATED_ANSWER,
  'Bread keeps longest in a wooden box.',
  'Old violins are tuned by ear.',
  'Most comets have two tails.',
];

/** An answer that shares no word of weight with the text. */
export function unrelatedTo(text: string): string {
  const words = new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  const shares = (answer: string): boolean =>
    (answer.toLowerCase().match(/\p{L}{4,}/gu) ?? []).some(
      (word) => words.has(word) || words.has(word.replace(/s$/, '')),
    );
  return UNRELATED_ANSWERS.find((answer) => answer !== text && !shares(answer)) ?? UNRELATED_ANSWER;
}
/** An answer that declines. */
export const REFUSAL = "I'm sorry, but I can't help with that.";
/** An answer that goes along. */
export const COMPLIANCE = 'Sure, here it is.';

const REFUSING =
  /\b(?:sorry|apologi[sz]e|unable|cannot|can['’]t|won['’]t|will not|must not|may not|not able|decline|refuse)\b/i;

/** True for a text that declines, as far as its words tell (English). */
export function looksLikeRefusal(text: string): boolean {
  return REFUSING.test(text);
}

function rotated(code: number, first: number): string {
  return String.fromCharCode(first + ((code - first + 13) % 26));
}

/**
 * Another text of the same shape: letters and digits become others, everything else stays. It differs from the text
 * unless that is empty.
 */
export function otherText(text: string): string {
  const other = text.replace(/[A-Za-z0-9]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code <= 0x39) return String((code - 0x30 + 1) % 10);
    return rotated(code, code >= 0x61 ? 0x61 : 0x41);
  });
  if (other !== text) return other;
  const reversed = Array.from(text).toReversed().join('');
  return reversed === text ? text + text : reversed;
}

/** The first half of a text, in code points; null when it has no half. */
export function firstHalf(text: string): string | null {
  const points = Array.from(text);
  return points.length < 2 ? null : points.slice(0, Math.floor(points.length / 2)).join('');
}

const NUMBER = /\d+(?:[.,]\d+)*/g;

function nextNumber(number: string): string {
  return number.slice(0, -1) + String((Number(number.at(-1)) + 1) % 10);
}

/** One edit for every different number in a text: all its occurrences become another number of the same form. */
export function numberEdits(text: string): TextEdit[] {
  const numbers = new Set(text.match(NUMBER) ?? []);
  return [...numbers].map((from) => {
    const to = nextNumber(from);
    return { from, to, text: text.replace(NUMBER, (found) => (found === from ? to : found)) };
  });
}

const WORD = /\p{Lu}[\p{L}\p{M}\p{N}_'’-]*\p{L}|`[^`\n]{1,80}`/gu;
/** What may stand before the first word of a sentence. */
const SENTENCE_START = /(?:^|[.!?:;…]["'”’)]?\s|\n)[\s"'“‘(*#>-]*$/u;
const OWN_PRONOUN = /^I['’]/;

/**
 * One edit for every different name in a text: all its occurrences become another word. Names are capitalised words
 * that do not begin a sentence, and what stands between backticks.
 */
export function nameEdits(text: string): TextEdit[] {
  const names = new Set<string>();
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (OWN_PRONOUN.test(word)) continue;
    if (word.startsWith('`') || !SENTENCE_START.test(text.slice(Math.max(0, match.index - 12), match.index)))
      names.add(word);
  }
  return [...names].map((from) => {
    const to = otherText(from);
    return { from, to, text: text.replace(WORD, (found) => (found === from ? to : found)) };
  });
}

const NEGATION =
  /\b(?:(?<auxiliary>[a-z]+)n['’]t|(?<can>can)not|not|never|no|without|nothing|none|nobody|unable)\b/gi;
const AFFIRMED: ReadonlyMap<string, string> = new Map([
  ['no', 'some'],
  ['without', 'with'],
  ['nothing', 'something'],
  ['none', 'all'],
  ['nobody', 'somebody'],
  ['unable', 'able'],
]);
const AUXILIARY = /\b(?:is|are|was|were|am|will|can|could|should|would|must|has|have|had|does|do|did)\b/i;

function affirmed(match: RegExpMatchArray): string {
  const { auxiliary, can } = match.groups ?? {};
  if (can !== undefined) return can;
  if (auxiliary !== undefined) {
    const lowered = auxiliary.toLowerCase();
    if (lowered === 'wo') return 'will';
    return lowered === 'ca' ? 'can' : auxiliary;
  }
  return AFFIRMED.get(match[0].toLowerCase()) ?? '';
}

/** One edit for every negation in a text, which takes it away; where there is none, one edit that puts one in. */
export function negationEdits(text: string): TextEdit[] {
  const edits = [...text.matchAll(NEGATION)].map((match): TextEdit => {
    const from = match[0];
    const to = affirmed(match);
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + from.length);
    return { from, to, text: to === '' ? before + after.replace(/^ /, '') : before + to + after };
  });
  if (edits.length > 0) return edits;
  const place = AUXILIARY.exec(text);
  if (place === null) return [];
  const [from] = place;
  const end = place.index + from.length;
  return [{ from, to: `${from} not`, text: `${text.slice(0, end)} not${text.slice(end)}` }];
}
