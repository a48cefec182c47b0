import { canonicalJson, isJsonObject, yamlLibrary, type JsonObject, type JsonValue } from '../core/index.js';
import { compactJson } from './compact-json.js';
import type { Suggestion } from './suggest.js';

/** Text to put into a suite file, and where it belongs. */
export interface Paste {
  /** `expects`, `turns[0].expects` or `assert`. */
  into: string;
  text: string;
}

function merged(left: JsonValue, right: JsonValue): JsonValue {
  if (Array.isArray(left) && Array.isArray(right)) {
    const known = new Set(left.map((item) => canonicalJson(item)));
    return [...left, ...right.filter((item) => !known.has(canonicalJson(item)))];
  }
  return isJsonObject(left) && isJsonObject(right) ? mergedExpects(left, right) : right;
}

/** Two `expects` blocks as one: lists are joined, blocks merged. */
export function mergedExpects(left: JsonObject, right: JsonObject): JsonObject {
  const whole: JsonObject = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined;
    whole[key] = before === undefined ? value : merged(before, value);
  }
  return whole;
}

function fixtureParts(suggestions: readonly Suggestion[]): Paste[] {
  const parts = new Map<string, JsonObject>();
  for (const { fixture } of suggestions) {
    if (fixture === null) continue;
    const into = fixture.turn === null ? 'expects' : `turns[${fixture.turn}].expects`;
    parts.set(into, mergedExpects(parts.get(into) ?? {}, fixture.expects));
  }
  return [...parts].map(([into, expects]) => ({ into, text: compactJson(expects) }));
}

/** Two values as one that contains both; null when they cannot be one. */
function subsetOfBoth(left: JsonValue | undefined, right: JsonValue | undefined): JsonValue | null {
  if (Array.isArray(left) && Array.isArray(right)) return left.length < right.length ? right : left;
  if (!isJsonObject(left ?? null) || !isJsonObject(right ?? null)) return null;
  const whole: JsonObject = isJsonObject(left) ? { ...left } : {};
  for (const [key, value] of Object.entries(right ?? {})) {
    const before = Object.hasOwn(whole, key) ? whole[key] : undefined;
    const both = before === undefined ? value : subsetOfBoth(before, value);
    if (both === null && before !== undefined) return null;
    whole[key] = both;
  }
  return whole;
}

/** Checks of one call, or of one JSON answer, that differ only in the part they look for, as one. */
function joined(assertions: readonly JsonObject[]): JsonObject[] {
  const kept: JsonObject[] = [];
  for (const assertion of assertions) {
    const key = canonicalJson({ ...assertion, value: null });
    const index = kept.findIndex((other) => canonicalJson({ ...other, value: null }) === key);
    const both = index < 0 ? null : subsetOfBoth(kept[index]?.['value'], assertion['value']);
    if (both === null) kept.push(assertion);
    else kept[index] = { ...kept[index], value: both };
  }
  return kept;
}

/** The suggested checks as text that is ready to paste: JSON for a fixture, YAML for a suite. */
export function pasteText(suggestions: readonly Suggestion[]): Paste[] {
  const assertions = suggestions.flatMap(({ assertion }) => (assertion === null ? [] : [assertion]));
  const parts = fixtureParts(suggestions);
  if (assertions.length === 0) return parts;
  const { stringify } = yamlLibrary();
  return [...parts, { into: 'assert', text: stringify(joined(assertions), { lineWidth: 0 }).trimEnd() }];
}
