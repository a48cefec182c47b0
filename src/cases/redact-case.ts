import { canonicalJson, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { redactSecrets } from '../store/index.js';
import { scrubCredentials } from '../tool/index.js';

const HIDDEN = '[REDACTED]';
const SENSITIVE_KEY =
  /(?:^|[_-])(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|authorization|cookie|bearer)$/i;
const CAMEL = /([a-z0-9])([A-Z])/g;

/** Hides what has the shape of a key, and what stands after a word such as password or token. */
export function redactText(text: string): string {
  return scrubCredentials(redactSecrets(text));
}

function isSensitive(key: string): boolean {
  return SENSITIVE_KEY.test(key.replace(CAMEL, '$1_$2'));
}

function hidden(key: string, value: JsonValue): JsonValue {
  return isSensitive(key) && typeof value === 'string' && value !== '' ? HIDDEN : redactJson(value);
}

/**
 * `redactText` for every text and every key in a value, at any depth; a text under a key such as `password` or
 * `apiKey` is hidden whatever it looks like. JSON inside a text stays JSON.
 */
export function redactJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : null;
    if (parsed?.ok === true && typeof parsed.value === 'object') {
      const shown = redactJson(parsed.value);
      if (canonicalJson(shown) !== canonicalJson(parsed.value)) return canonicalJson(shown);
    }
    return redactText(value);
  }
  if (Array.isArray(value)) return value.map(redactJson);
  if (value === null || typeof value !== 'object') return value;
  return redactObject(value);
}

/** `redactJson` for an object. */
export function redactObject(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries<JsonValue>(value).map(([key, item]) => [redactSecrets(key), hidden(key, item)]),
  );
}
