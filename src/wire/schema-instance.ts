import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { objectOf, textOf } from './json-read.js';

const DEEPEST = 24;
const WORD = 'Session';

function typeOf(schema: JsonObject): string {
  const named = schema['type'];
  const type = Array.isArray(named) ? (named.find((each) => each !== 'null') ?? 'null') : named;
  if (typeof type === 'string') return type.toLowerCase();
  if (isJsonObject(schema['properties'])) return 'object';
  return schema['items'] === undefined ? '' : 'array';
}

/** The schema a local reference points to; an empty one when it points nowhere. */
function referred(pointer: string, root: JsonObject): JsonObject {
  let found: JsonValue = root;
  for (const part of pointer.replace(/^#\/?/, '').split('/')) {
    if (part !== '') found = objectOf(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')] ?? null;
  }
  return objectOf(found);
}

function atLeast(schema: JsonObject, key: string): number {
  const bound = schema[key];
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : 0;
}

function objectInstance(schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  const properties = objectOf(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : Object.keys(properties);
  const made: JsonObject = {};
  for (const name of required) {
    if (typeof name === 'string') made[name] = instance(objectOf(properties[name]), root, depth + 1);
  }
  return made;
}

function instance(schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  if (depth > DEEPEST) return null;
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['default'] !== undefined) return schema['default'];
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  const pointer = textOf(schema['$ref']);
  if (pointer !== '') return instance(referred(pointer, root), root, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const options = schema[key];
    const first = Array.isArray(options) ? options[0] : undefined;
    if (first !== undefined) return instance(objectOf(first), root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectInstance(schema, root, depth);
    case 'array': {
      const length = Math.min(atLeast(schema, 'minItems'), DEEPEST);
      return Array.from({ length }, () => instance(objectOf(schema['items']), root, depth + 1));
    }
    case 'integer':
    case 'number':
      return atLeast(schema, 'minimum');
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return WORD.padEnd(Math.min(atLeast(schema, 'minLength'), 1000), '.');
  }
}

/**
 * A small value that a JSON Schema allows, for answering requests that are no part of a script: first choices, least
 * bounds, required members only. Constraints beyond types, choices and least sizes are not looked at.
 */
export function schemaInstance(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? instance(schema, schema, 0) : { title: WORD };
}
