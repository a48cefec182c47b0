import { quote, type Recording } from '../core/index.js';
import { ordinal, withTexts, type Mutant } from './mutant.js';
import {
  COMPLIANCE,
  firstHalf,
  looksLikeRefusal,
  nameEdits,
  negationEdits,
  numberEdits,
  REFUSAL,
  unrelatedTo,
  type TextEdit,
} from './text-edits.js';

/** The text of one turn as mutants name it. */
interface Place {
  turn: number;
  /** `text` for the last turn, `turn[0]` for an earlier one. */
  id: string;
  /** `the answer`, `the answer of turn 1`. */
  shown: string;
}

function placeOf(recording: Recording, turn: number): Place {
  if (turn === recording.turns.length - 1) return { turn, id: 'text', shown: 'the answer' };
  return { turn, id: `turn[${turn}]`, shown: `the answer of the ${ordinal(turn)} turn` };
}

function* edited(
  recording: Recording,
  place: Place,
  kind: string,
  edits: readonly TextEdit[],
): Generator<Mutant> {
  const seen = new Map<string, number>();
  for (const { from, to, text } of edits) {
    const repeat = seen.get(from) ?? 0;
    seen.set(from, repeat + 1);
    const nth = repeat === 0 ? '' : `#${repeat + 1}`;
    const claim =
      to === ''
        ? `${place.shown} left out ${quote(from)}`
        : `${place.shown} said ${quote(to)} instead of ${quote(from)}`;
    yield {
      id: `${place.id}:${kind}:${from}${nth}`,
      claim,
      facet: 'text',
      recording: withTexts(recording, new Map([[place.turn, text]])),
    };
  }
}

function* wholeTexts(recording: Recording, place: Place, text: string): Generator<Mutant> {
  const half = firstHalf(text);
  const refuses = looksLikeRefusal(text);
  const others: readonly (readonly [string, string, string | null])[] = [
    ['empty', `${place.shown} was empty`, ''],
    ['truncated', `${place.shown} broke off half-way`, half],
    refuses
      ? ['complied', `${place.shown} went along instead of declining`, COMPLIANCE]
      : ['refused', `${place.shown} declined instead`, REFUSAL],
    ['unrelated', `${place.shown} was about something else`, unrelatedTo(text)],
  ];
  for (const [kind, claim, other] of others) {
    if (other === null) continue;
    yield {
      id: `${place.id}:${kind}`,
      claim,
      facet: 'text',
      recording: withTexts(recording, new Map([[place.turn, other]])),
    };
  }
}

/** Faults in the text that one turn ended with. */
export function* textMutants(recording: Recording, turn: number): Generator<Mutant> {
  const text = recording.turns[turn]?.text ?? '';
  const place = placeOf(recording, turn);
  yield* wholeTexts(recording, place, text);
  yield* edited(recording, place, 'number', numberEdits(text));
  yield* edited(recording, place, 'name', nameEdits(text));
  yield* edited(recording, place, 'negation', negationEdits(text));
}

/** The texts of every two turns swapped with each other. */
export function* swappedTurnMutants(recording: Recording): Generator<Mutant> {
  const { turns } = recording;
  for (let first = 0; first < turns.length; first += 1) {
    for (let second = first + 1; second < turns.length; second += 1) {
      const texts = new Map([
        [first, turns[second]?.text ?? ''],
        [second, turns[first]?.text ?? ''],
      ]);
      yield {
        id: `turns:swapped:${first}-${second}`,
        claim: `the answers of the ${ordinal(first)} and the ${ordinal(second)} turn were swapped`,
        facet: 'text',
        recording: withTexts(recording, texts),
      };
    }
  }
}
