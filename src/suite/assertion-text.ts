import { z } from 'zod';
import { isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';
import { unwrapSchema } from './schema-problems.js';

type Schema = z.core.$ZodType;

/** The text of a scalar as it was written in its file; null when there is none. */
export type SourceAt = (path: KeyPath) => string | null;

/**
 * Text. In a file an unquoted number, date, `on` or `null` in its place stays the text that was written; in a program a
 * number or boolean becomes its JSON text.
 */
export const text = z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value));

/** Any JSON value, taken as it is. */
export const json = z.unknown().transform((value) => value as JsonValue);

function takesText(schema: Schema): boolean {
  const definition = unwrapSchema(schema)._zod.def;
  if (definition.type === 'string') return true;
  return definition.type === 'union' && (definition as z.core.$ZodUnionDef).options.some(takesText);
}

function optionsOf(schema: Schema): readonly Schema[] {
  const current = unwrapSchema(schema);
  const definition = current._zod.def;
  return definition.type === 'union'
    ? (definition as z.core.$ZodUnionDef).options.flatMap(optionsOf)
    : [current];
}

/**
 * The value with every unquoted scalar that stands where `schema` takes text replaced by the text that was written, so
 * that `1.10` is not 1.1 and a 20-digit number keeps its digits. An empty scalar stays null: it is a missing value.
 */
export function asWritten(schema: Schema, value: JsonValue, path: KeyPath, sourceAt: SourceAt): JsonValue {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) {
    if (!takesText(schema)) return value;
    const source = sourceAt(path);
    return source === null || source === '' ? value : source;
  }
  for (const option of optionsOf(schema)) {
    const definition = option._zod.def;
    if (Array.isArray(value)) {
      if (definition.type !== 'array') continue;
      const { element } = definition as z.core.$ZodArrayDef;
      return value.map((item, index) => asWritten(element, item, [...path, index], sourceAt));
    }
    if (!isJsonObject(value)) continue;
    const shape = definition.type === 'object' ? (definition as z.core.$ZodObjectDef).shape : null;
    const valueType = definition.type === 'record' ? (definition as z.core.$ZodRecordDef).valueType : null;
    if (valueType === null && !(shape !== null && Object.keys(value).some((key) => key in shape))) continue;
    const written: { [key: string]: JsonValue } = {};
    for (const [key, member] of Object.entries(value)) {
      const inner = valueType ?? shape?.[key];
      written[key] = inner === undefined ? member : asWritten(inner, member, [...path, key], sourceAt);
    }
    return written;
  }
  return value;
}

/** True when a number as written is what JSON would write for it, so that holding it as a number changes nothing. */
export function isCanonicalNumber(value: number, written: string): boolean {
  return JSON.stringify(value) === written;
}
