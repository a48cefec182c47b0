import { canonicalJson, clip, isJsonObject, type JsonValue } from '../core/index.js';

/**
 * `equal`: both sides are the same value. `subset`: every expected key exists and matches, extra keys are allowed,
 * arrays are compared at the expected positions, scalars strictly.
 */
export type JsonComparison = 'equal' | 'subset';

function shown(value: JsonValue): string {
  return clip(canonicalJson(value), 80);
}

function place(pointer: string): string {
  return pointer === '' ? 'at the top' : `at ${pointer}`;
}

function step(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function differenceOfArrays(
  expected: JsonValue[],
  actual: JsonValue[],
  comparison: JsonComparison,
  pointer: string,
): string | null {
  for (const [index, item] of expected.entries()) {
    const found = actual[index];
    if (found === undefined) return `${place(step(pointer, index))}: expected ${shown(item)}, found nothing`;
    const difference = differenceAt(item, found, comparison, step(pointer, index));
    if (difference !== null) return difference;
  }
  const extra = actual[expected.length];
  if (comparison === 'subset' || extra === undefined) return null;
  return `${place(step(pointer, expected.length))}: expected nothing, found ${shown(extra)}`;
}

function differenceAt(
  expected: JsonValue,
  actual: JsonValue,
  comparison: JsonComparison,
  pointer: string,
): string | null {
  if (expected === actual) return null;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return differenceOfArrays(expected, actual, comparison, pointer);
  }
  if (!isJsonObject(expected) || !isJsonObject(actual)) {
    return `${place(pointer)}: expected ${shown(expected)}, found ${shown(actual)}`;
  }
  for (const [key, member] of Object.entries(expected)) {
    // Own members only: `constructor` is in no JSON object unless it was written there.
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    if (found === undefined) return `${place(step(pointer, key))}: expected ${shown(member)}, found nothing`;
    const difference = differenceAt(member, found, comparison, step(pointer, key));
    if (difference !== null) return difference;
  }
  if (comparison === 'subset') return null;
  for (const [key, member] of Object.entries(actual)) {
    if (!Object.hasOwn(expected, key)) {
      return `${place(step(pointer, key))}: expected nothing, found ${shown(member)}`;
    }
  }
  return null;
}

/** The first place where `actual` differs, as `at /a/b: expected 1, found 2` (a JSON pointer); null when nowhere. */
export function firstDifference(
  expected: JsonValue,
  actual: JsonValue,
  comparison: JsonComparison,
): string | null {
  return differenceAt(expected, actual, comparison, '');
}
