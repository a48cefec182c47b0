import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/** A filled text, or why it cannot be filled without the template language it is written in. */
export type Filled = { ok: true; text: string; unknown: string[] } | { ok: false; why: string };

const PLAIN = /\{\{-?\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*-?\}\}/g;

/** Values by name; as text a number is what was written. */
export interface TemplateValues {
  values: JsonObject;
  textOf: (name: string, value: JsonValue) => string;
}

function valueAt(values: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = values;
  for (const part of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** A value as text inside another text. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/**
 * Fills `{{name}}` and `{{name.member}}`. Filters, expressions, statements and comments of the template language have
 * no twin. A name without a value stays as it is written.
 */
export function fillTemplate(text: string, { values, textOf }: TemplateValues): Filled {
  if (!text.includes('{{') && !text.includes('{%') && !text.includes('{#'))
    return { ok: true, text, unknown: [] };
  const unknown: string[] = [];
  const rest = text.replace(PLAIN, '');
  const construct = /\{[{%#][\s\S]{0,40}/.exec(rest)?.[0];
  if (construct !== undefined)
    return { ok: false, why: `the template ${JSON.stringify(construct)} has no twin` };
  const filled = text.replace(PLAIN, (whole: string, path: string) => {
    const value = valueAt(values, path);
    if (value === undefined) {
      unknown.push(path);
      return whole;
    }
    return textOf(path, value);
  });
  return { ok: true, text: filled, unknown };
}

/** Fills every text in a value, at any depth. */
export function fillJson(
  value: JsonValue,
  template: TemplateValues,
): { ok: true; value: JsonValue; unknown: string[] } | { ok: false; why: string } {
  const unknown: string[] = [];
  let fault: string | null = null;
  const fill = (item: JsonValue): JsonValue => {
    if (typeof item === 'string') {
      const filled = fillTemplate(item, template);
      if (filled.ok) {
        unknown.push(...filled.unknown);
        return filled.text;
      }
      fault ??= filled.why;
      return item;
    }
    if (Array.isArray(item)) return item.map(fill);
    if (!isJsonObject(item)) return item;
    return Object.fromEntries(Object.entries<JsonValue>(item).map(([key, inner]) => [key, fill(inner)]));
  };
  const filled = fill(value);
  return fault === null ? { ok: true, value: filled, unknown } : { ok: false, why: fault };
}
