import { isJsonObject, type JsonValue } from '../core/index.js';
import { shownJson } from './json-text.js';

/**
 * `equal`: both sides are the same value. `subset`: every expected key exists and matches, extra keys are allowed,
 * arrays are compared at the expected positions, scalars strictly.
 */
export type JsonComparison = 'equal' | 'subset';

/** A place where two values differ. */
interface Difference {
  /** Keys and indexes that lead there, the last one first: it is built on the way back. */
  path: (string | number)[];
  /** Undefined where nothing was expected. */
  expected: JsonValue | undefined;
  /** Undefined where nothing was found. */
  found: JsonValue | undefined;
}

function at(key: string | number, difference: Difference): Difference {
  difference.path.push(key);
  return difference;
}

function ofArrays(expected: JsonValue[], actual: JsonValue[], comparison: JsonComparison): Difference | null {
  for (const [index, item] of expected.entries()) {
    const found = actual[index];
    const difference =
      found === undefined ? { path: [], expected: item, found } : differenceOf(item, found, comparison);
    if (difference !== null) return at(index, difference);
  }
  const found = actual[expected.length];
  if (comparison === 'subset' || found === undefined) return null;
  return at(expected.length, { path: [], expected: undefined, found });
}

function differenceOf(expected: JsonValue, actual: JsonValue, comparison: JsonComparison): Difference | null {
  if (expected === actual) return null;
  if (Array.isArray(expected) && Array.isArray(actual)) return ofArrays(expected, actual, comparison);
  if (!isJsonObject(expected) || !isJsonObject(actual)) return { path: [], expected, found: actual };
  for (const [key, member] of Object.entries(expected)) {
    // Own members only: `constructor` is in no JSON object unless it was written there.
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    const difference =
      found === undefined ? { path: [], expected: member, found } : differenceOf(member, found, comparison);
    if (difference !== null) return at(key, difference);
  }
  if (comparison === 'subset') return null;
  for (const [key, found] of Object.entries(actual)) {
    if (!Object.hasOwn(expected, key)) return at(key, { path: [], expected: undefined, found });
  }
  return null;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shownJson(value, 80);
}

/** True when `actual` contains `expected`: the comparison `subset`, without saying where it fails. */
export function containsValue(expected: JsonValue, actual: JsonValue): boolean {
  return differenceOf(expected, actual, 'subset') === null;
}

/** The first place where `actual` differs, as `at /a/b: expected 1, found 2` (a JSON pointer); null when nowhere. */
export function firstDifference(
  expected: JsonValue,
  actual: JsonValue,
  comparison: JsonComparison,
): string | null {
  const difference = differenceOf(expected, actual, comparison);
  if (difference === null) return null;
  const pointer = difference.path
    .toReversed()
    .map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`)
    .join('');
  const place = pointer === '' ? 'at the top' : `at ${pointer}`;
  return `${place}: expected ${shown(difference.expected)}, found ${shown(difference.found)}`;
}
