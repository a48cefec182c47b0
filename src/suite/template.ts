import { canonicalJson, didYouMean, isJsonObject, type JsonValue, type KeyPath } from '../core/index.js';
import type { RuleProblem } from './document.js';

/** Values for placeholders. */
export interface Variables {
  /** Undefined when there is no such variable. */
  value(name: string): JsonValue | undefined;
  /** The value as text: as it was written where that is known, else as JSON. */
  text(name: string): string;
}

/** A text cut at its placeholders: text, name, text, name, …, text. */
type Parts = readonly string[];

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const parsed = new Map<string, Parts>();
const MOST_PARSED = 2000;

function partsOf(text: string): Parts {
  let parts = parsed.get(text);
  if (parts === undefined) {
    const cut: string[] = [];
    let from = 0;
    for (const match of text.matchAll(PLACEHOLDER)) {
      cut.push(text.slice(from, match.index), (match[1] ?? '').trim());
      from = match.index + match[0].length;
    }
    cut.push(text.slice(from));
    parts = cut;
    if (parsed.size >= MOST_PARSED) parsed.clear();
    parsed.set(text, parts);
  }
  return parts;
}

/** The names between `{{` and `}}` in a text. */
export function placeholderNames(text: string): string[] {
  return partsOf(text).filter((_, index) => index % 2 === 1);
}

/** The name, when a text is one placeholder and nothing else. */
export function solePlaceholder(text: string): string | null {
  const parts = partsOf(text);
  return parts.length === 3 && parts[0] === '' && parts[2] === '' ? (parts[1] ?? null) : null;
}

/** The text with every placeholder replaced; what is put in is not looked at again. */
export function fillText(text: string, variables: Variables): string {
  if (!text.includes('{{')) return text;
  const parts = partsOf(text);
  let filled = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    filled += index % 2 === 0 ? part : variables.text(part);
  }
  return filled;
}

/**
 * A value with every text in it filled, at any depth. A text that is one placeholder and nothing else becomes the value
 * itself when `keepTypes`, so that a number stays a number.
 */
export function fillValue<Value>(value: Value, variables: Variables, keepTypes: boolean): Value {
  return fillAny(value, variables, keepTypes) as Value;
}

function fillAny(value: unknown, variables: Variables, keepTypes: boolean): unknown {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return value;
    const sole = keepTypes ? solePlaceholder(value) : null;
    return sole === null ? fillText(value, variables) : (variables.value(sole) ?? null);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => fillAny(item, variables, keepTypes));
  const filled: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) filled[key] = fillAny(Reflect.get(value, key), variables, keepTypes);
  return filled;
}

/** True when some text in a value, at any depth, has a placeholder. */
export function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsPlaceholder);
}

/** One placeholder and the place of the text it stands in. */
export interface Placeholder {
  name: string;
  path: KeyPath;
  /** It is the whole text. */
  sole: boolean;
}

/** Every placeholder in the texts of a value, at any depth. */
export function placeholdersIn(value: JsonValue | undefined, path: KeyPath): Placeholder[] {
  if (typeof value === 'string') {
    const sole = solePlaceholder(value) !== null;
    return placeholderNames(value).map((name) => ({ name, path, sole }));
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => placeholdersIn(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => placeholdersIn(item, [...path, key]));
}

/** Placeholders that no variable answers. */
export function unknownNames(
  placeholders: readonly Placeholder[],
  known: ReadonlySet<string>,
): RuleProblem[] {
  return placeholders
    .filter(({ name }) => !known.has(name))
    .map(({ name, path }) => {
      const meant = didYouMean(name, known);
      const names = known.size === 0 ? 'there are none' : [...known].join(', ');
      return {
        path,
        message: `{{${name}}} is no variable here`,
        fix: meant === null ? `the variables here are: ${names}` : `did you mean {{${meant}}}?`,
      };
    });
}

/** A value as the text that takes its place inside another text. */
export function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
