import { parseJson, type JsonValue, type Recording } from '../core/index.js';
import { jsonNodes, pointerOf, withChange } from './json-nodes.js';
import { otherValue, withTexts, type Mutant } from './mutant.js';

/** JSON in an answer, and how to put other JSON in its place. */
export interface JsonAnswer {
  value: JsonValue;
  replaced(value: JsonValue): string;
}

const FENCE = /```(?:json)?[ \t]*\n([\s\S]*?)\n?[ \t]*```/;

/** JSON written again the way it was written: on one line, or with the same indentation. */
function rewritten(value: JsonValue, written: string): string {
  const indent = /\n([ \t]+)\S/.exec(written)?.[1];
  return JSON.stringify(value, null, indent ?? 0);
}

/** The object or list that an answer is, or that its first fenced block holds; null when there is none. */
export function jsonAnswer(text: string): JsonAnswer | null {
  const whole = parseJson(text.trim());
  if (whole.ok) {
    if (typeof whole.value !== 'object' || whole.value === null) return null;
    return { value: whole.value, replaced: (value) => rewritten(value, text) };
  }
  const block = FENCE.exec(text);
  const inside = block?.[1];
  if (block === null || inside === undefined) return null;
  const parsed = parseJson(inside);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return null;
  const start = block.index + block[0].indexOf(inside, block[0].indexOf('\n'));
  return {
    value: parsed.value,
    replaced: (value) => text.slice(0, start) + rewritten(value, inside) + text.slice(start + inside.length),
  };
}

/** Faults in an answer that is JSON: every value in it left out, and every one changed. */
export function* jsonAnswerMutants(recording: Recording): Generator<Mutant> {
  const turn = recording.turns.length - 1;
  const answer = jsonAnswer(recording.turns[turn]?.text ?? '');
  if (answer === null) return;
  for (const { path, value } of jsonNodes(answer.value)) {
    const pointer = pointerOf(path);
    const isLeaf = typeof value !== 'object' || value === null;
    const changes: readonly (readonly [string, string, JsonValue | undefined])[] = [
      ['dropped', `${pointer} was missing from the JSON of the answer`, undefined],
      // Lists and objects change with what is in them.
      ...(isLeaf
        ? [['changed', `${pointer} in the JSON of the answer was another value`, otherValue(value)] as const]
        : []),
    ];
    for (const [kind, claim, other] of changes) {
      const changed = withChange(answer.value, path, () => other);
      if (changed === undefined) continue;
      yield {
        id: `json:${pointer}:${kind}`,
        claim,
        facet: 'text',
        recording: withTexts(recording, new Map([[turn, answer.replaced(changed)]])),
      };
    }
  }
}
