import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/** A stored value does not have the shape it must have. Never leaves the room: readers turn it into a report. */
export class ShapeError extends Error {}

function wrong(key: string, wanted: string): ShapeError {
  return new ShapeError(`\`${key}\` must be ${wanted}`);
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** True when the object has the key itself, whatever its value. */
export function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** A member that must be a string. */
export function textAt(object: JsonObject, key: string): string {
  const value = own(object, key);
  if (typeof value !== 'string') throw wrong(key, 'text');
  return value;
}

/** A member that must be a number. */
export function numberAt(object: JsonObject, key: string): number {
  const value = own(object, key);
  if (typeof value !== 'number') throw wrong(key, 'a number');
  return value;
}

/** A member that must be true or false. */
export function booleanAt(object: JsonObject, key: string): boolean {
  const value = own(object, key);
  if (typeof value !== 'boolean') throw wrong(key, 'true or false');
  return value;
}

/** A member that must be an object. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  if (!isJsonObject(value)) throw wrong(key, 'an object');
  return value;
}

/** A member that must be null, or what `read` accepts. */
export function nullableAt<Value>(
  object: JsonObject,
  key: string,
  read: (object: JsonObject, key: string) => Value,
): Value | null {
  return own(object, key) === null ? null : read(object, key);
}

/**
 * The words of a union, from a table in which a missing one is a compile error: a word that core gains must not turn
 * stored trials into unreadable ones.
 */
export function words<Word extends string>(table: { [Each in Word]: Each }): readonly Word[] {
  return Object.values<Word>(table);
}

/** A member that must be one of a few words. */
export function wordAt<Word extends string>(object: JsonObject, key: string, allowed: readonly Word[]): Word {
  const value = own(object, key);
  const found = allowed.find((word) => word === value);
  if (found === undefined) throw wrong(key, `one of ${allowed.join(', ')}`);
  return found;
}

/** A member that must be a list of objects, each read by `read`. */
export function listAt<Item>(
  object: JsonObject,
  key: string,
  read: (item: JsonObject, index: number) => Item,
): Item[] {
  const value = own(object, key);
  if (!Array.isArray(value)) throw wrong(key, 'a list');
  return value.map((item, index) => {
    if (!isJsonObject(item)) throw wrong(`${key}[${index}]`, 'an object');
    return read(item, index);
  });
}

/** A member that must be a list of strings. */
export function textsAt(object: JsonObject, key: string): string[] {
  const value = own(object, key);
  if (!Array.isArray(value)) throw wrong(key, 'a list');
  return value.map((item, index) => {
    if (typeof item !== 'string') throw wrong(`${key}[${index}]`, 'text');
    return item;
  });
}

/** `{ key: read(...) }` when the object has the key, else `{}`: for members that are absent, never undefined. */
export function optionalAt<Key extends string, Value>(
  object: JsonObject,
  key: Key,
  read: (object: JsonObject, key: string) => Value,
): { [Name in Key]?: Value } {
  const result: { [Name in Key]?: Value } = {};
  if (has(object, key)) result[key] = read(object, key);
  return result;
}
