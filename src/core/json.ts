import { hash } from 'node:crypto';

/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Orders two strings by their UTF-8 bytes, which is the order of their code points.
 * The default order of JavaScript is by UTF-16 units and differs beyond the Basic Multilingual Plane.
 */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right)) {
    return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));
  }
  return left < right ? -1 : 1;
}

/** True when every object in a value has its keys in order, so that plain `JSON.stringify` is canonical. */
function isOrdered(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isOrdered(value[index])) return false;
    return true;
  }
  const keys = Object.keys(value);
  // The object's own keys first: where they are not in order, nothing inside need be looked at.
  let previous = '';
  for (const key of keys) {
    if (key < previous || SURROGATE.test(key)) return false;
    previous = key;
  }
  for (const key of keys) {
    const member: unknown = Reflect.get(value, key);
    if (typeof member === 'object' && !isOrdered(member)) return false;
  }
  return true;
}

/**
 * Compact JSON with the keys of every object sorted by their UTF-8 bytes and non-ASCII text left as it is.
 * Members that are `undefined` are left out, as `JSON.stringify` does. Everything that is hashed, and every
 * recorded tool argument, goes through this one function.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return isOrdered(value) ? (JSON.stringify(value) ?? 'null') : sortedJson(value);
}

function sortedJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let list = '[';
    for (let index = 0; index < value.length; index += 1) {
      list += index === 0 ? sortedJson(value[index]) : `,${sortedJson(value[index])}`;
    }
    return `${list}]`;
  }
  let text = '{';
  for (const key of sortedKeys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${sortedJson(member)}`;
  }
  return `${text}}`;
}

/** The keys of an object by UTF-8 bytes. The default order is the same one unless a key has surrogates. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  return keys.some((key) => SURROGATE.test(key)) ? keys.toSorted(compareUtf8) : keys.toSorted();
}

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** True for a plain JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Structural equality of two JSON values: key order is ignored, `-0` equals `0`, types never mix. */
export function jsonEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEqual(item, right[index] ?? null));
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false;
    if (!jsonEqual(left[key] ?? null, right[key] ?? null)) return false;
  }
  return true;
}

/** What `parseJson` returns. */
export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; message: string };

/** Parses JSON without throwing. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: JsonValue = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
