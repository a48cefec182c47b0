import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/** A member of an object that came from outside; undefined when it has none of that name itself. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The first of several members that is there and is not null. */
export function anyMember(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = member(object, key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** A text member; '' when it is something else. */
export function textMember(object: JsonObject, ...keys: string[]): string {
  const value = anyMember(object, keys);
  return typeof value === 'string' ? value : '';
}

/** A count; 0 when it is no finite number above 0. OpenTelemetry writes counts as text. */
export function countMember(object: JsonObject, ...keys: string[]): number {
  const value = anyMember(object, keys);
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.floor(count) : 0;
}

/** An object member; empty when it is something else. */
export function objectMember(object: JsonObject, key: string): JsonObject {
  const value = member(object, key);
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; empty for anything else. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

const DEEPEST = 200;

/** True for a value that is nested deeper than anything meant to be read; looks without recursion. */
export function isTooDeep(value: JsonValue): boolean {
  const waiting: { value: JsonValue; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= DEEPEST) return true;
    for (const item of Object.values<JsonValue>(next.value))
      waiting.push({ value: item, depth: next.depth + 1 });
  }
  return false;
}
