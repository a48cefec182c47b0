import {
  canonicalJson,
  isJsonObject,
  parseJson,
  sha256,
  type JsonObject,
  type JsonValue,
} from '../core/index.js';

/** The text of a JSON value that should be a string; '' for anything else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The objects in a JSON value that should be a list of them; other members are left out. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A JSON value that should be an object; an empty one for anything else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A JSON value that should be a count; 0 for anything else. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Tool arguments that came as JSON text: canonical when they are JSON, as they are when not, `{}` when empty. */
export function argumentsText(raw: string): string {
  if (raw.trim() === '') return '{}';
  const parsed = parseJson(raw);
  return parsed.ok ? canonicalJson(parsed.value) : raw;
}

/** Tool arguments that came as JSON text, as a value; text that is not JSON stays a string. */
export function argumentsValue(raw: string): JsonValue {
  if (raw.trim() === '') return {};
  const parsed = parseJson(raw);
  return parsed.ok ? parsed.value : raw;
}

/** Stands for content that is not text (`[image 1f0c2d3e]`), so that different content stays different. */
export function placeholder(block: JsonObject): string {
  const { cache_control: _cache, ...content } = block;
  const type = textOf(block['type']) || Object.keys(block)[0] || 'content';
  return `[${type} ${sha256(canonicalJson(content)).slice(0, 8)}]`;
}

/** Body fields that are not named in `taken`, with credentials hidden. */
export function otherFields(body: JsonObject, taken: readonly string[]): JsonObject {
  const rest = Object.entries(body).filter(([key]) => !taken.includes(key));
  return Object.fromEntries(rest.map(([key, value]) => [key, hideCredentials(value)]));
}

const CREDENTIAL_KEY =
  /^(?:authorization(?:_token)?|(?:x[_-])?api[_-]?key|access[_-]?token|cookie|password|secret)$/i;

/** A JSON value with the text under credential-like keys replaced. */
export function hideCredentials(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(hideCredentials);
  if (!isJsonObject(value)) return value;
  const shown = Object.entries(value).map(([key, member]): [string, JsonValue] => {
    const secret = typeof member === 'string' && CREDENTIAL_KEY.test(key);
    return [key, secret ? '[REDACTED]' : hideCredentials(member)];
  });
  return Object.fromEntries(shown);
}
