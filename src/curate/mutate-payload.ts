import { canonicalJson, parseJson, type JsonValue, type Recording, type ToolCall } from '../core/index.js';
import { jsonNodes, pointerOf, withChange } from './json-nodes.js';
import { emptyValue, flippedValue, otherValue, type Mutant } from './mutant.js';
import type { CallPlace } from './mutate-calls.js';
import { otherText } from './text-edits.js';

const CHANGES: readonly (readonly [string, string, (value: JsonValue) => JsonValue])[] = [
  ['changed', 'was something else', otherValue],
  ['emptied', 'was empty', emptyValue],
  ['flipped', 'was of another type', flippedValue],
];

type Rewrite = (call: ToolCall) => Recording;

function* argumentMutants(call: ToolCall, place: CallPlace, rewrite: Rewrite): Generator<Mutant> {
  const parsed = parseJson(call.arguments);
  const fault = (pointer: string, kind: string, claim: string, payload: string): Mutant => ({
    id: `${place.id}:argument:${pointer}:${kind}`,
    claim: `${pointer === '' ? 'the arguments' : `argument ${pointer}`} of ${place.shown} ${claim}`,
    facet: 'calls',
    recording: rewrite({ ...call, arguments: payload }),
  });
  if (!parsed.ok) {
    yield fault('', 'changed', 'were something else', otherText(call.arguments));
    yield fault('', 'emptied', 'were empty', '');
    return;
  }
  const { value } = parsed;
  if (typeof value !== 'object' || value === null) {
    for (const [kind, , change] of CHANGES) {
      const claim =
        kind === 'changed'
          ? 'were something else'
          : kind === 'emptied'
            ? 'were empty'
            : 'were of another type';
      yield fault('', kind, claim, canonicalJson(change(value)));
    }
    return;
  }
  for (const node of jsonNodes(value)) {
    const isLeaf = typeof node.value !== 'object' || node.value === null;
    for (const [kind, claim, change] of CHANGES) {
      // Lists and objects change with what is in them.
      if (!isLeaf && kind === 'changed') continue;
      const changed = withChange(value, node.path, change) ?? null;
      yield fault(pointerOf(node.path), kind, claim, canonicalJson(changed));
    }
  }
}

function* resultMutants(call: ToolCall, place: CallPlace, rewrite: Rewrite): Generator<Mutant> {
  const fault = (kind: string, claim: string, result: string): Mutant => ({
    id: `${place.id}:result:${kind}`,
    claim: `the result of ${place.shown} ${claim}`,
    facet: 'calls',
    recording: rewrite({ ...call, result }),
  });
  const parsed = parseJson(call.result);
  yield fault(
    'changed',
    'was something else',
    parsed.ok ? canonicalJson(otherValue(parsed.value)) : otherText(call.result),
  );
  yield fault('emptied', 'was empty', '');
  // Text that is not JSON has no type that could be another.
  if (parsed.ok) yield fault('flipped', 'was of another type', canonicalJson(flippedValue(parsed.value)));
}

/** Faults in what went into one call and what came back from it. */
export function* payloadMutants(call: ToolCall, place: CallPlace, rewrite: Rewrite): Generator<Mutant> {
  yield* argumentMutants(call, place, rewrite);
  yield* resultMutants(call, place, rewrite);
}
