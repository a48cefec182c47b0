import { parseJson, type CheckParameters, type JsonValue, type ToolCall } from '../core/index.js';
import { containsValue, firstDifference } from './json-difference.js';

/** A call that a check expects: its tool, and JSON that its arguments must contain. */
export type ExpectedCall = NonNullable<CheckParameters['tool-calls']['calls']>[number];

/** A recorded call with its arguments read once. */
export interface ReadCall {
  name: string;
  /** The raw text of the arguments. */
  text: string;
  /** Undefined when the arguments were not JSON. */
  value: JsonValue | undefined;
}

/** Reads the arguments of recorded calls. */
export function readCalls(calls: readonly ToolCall[]): ReadCall[] {
  return calls.map((call) => {
    const parsed = parseJson(call.arguments);
    return { name: call.name, text: call.arguments, value: parsed.ok ? parsed.value : undefined };
  });
}

/** Whether a recorded call is the expected one. */
export function callMatches(expected: ExpectedCall, actual: ReadCall): boolean {
  if (expected.tool !== actual.name) return false;
  if (expected.arguments === undefined) return true;
  return actual.value !== undefined && containsValue(expected.arguments, actual.value);
}

/** Why a recorded call is not the expected one; null when it is. */
export function callMismatch(expected: ExpectedCall, actual: ReadCall): string | null {
  if (expected.tool !== actual.name) return `the tool is ${actual.name}`;
  if (expected.arguments === undefined) return null;
  if (actual.value === undefined) return 'its arguments are not JSON';
  return firstDifference(expected.arguments, actual.value, 'subset');
}

/**
 * For every expected call the index of a recorded call of its own, or -1: as many pairs as can be made at once
 * (maximum bipartite matching by augmenting paths), so that a broad expectation never takes the only call that a
 * narrow one could have had.
 */
export function matchCalls(expected: readonly ExpectedCall[], actual: readonly ReadCall[]): number[] {
  const candidates = expected.map((wanted) =>
    actual.flatMap((call, index) => (callMatches(wanted, call) ? [index] : [])),
  );
  const ownerOf = new Map<number, number>();
  const assign = (wanted: number, seen: Set<number>): boolean => {
    for (const index of candidates[wanted] ?? []) {
      if (seen.has(index)) continue;
      seen.add(index);
      const owner = ownerOf.get(index);
      if (owner === undefined || assign(owner, seen)) {
        ownerOf.set(index, wanted);
        return true;
      }
    }
    return false;
  };
  for (const wanted of expected.keys()) assign(wanted, new Set());
  const matched = expected.map(() => -1);
  for (const [index, wanted] of ownerOf) matched[wanted] = index;
  return matched;
}
