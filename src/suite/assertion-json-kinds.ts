import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../core/index.js';
import { schemaFault } from '../match/index.js';
import { inexactNumbers } from './assertion-json.js';
import { assertionKind, graded, named } from './assertion-kind.js';
import { labelJson, type CheckMaker } from './check-maker.js';
import { json, text } from './assertion-text.js';
import { insidePath } from './inside-path.js';

const jsonSchema = json.optional().describe('JSON Schema, draft 7, or 2020-12 when $schema says so.');

function missing(value: JsonValue | undefined, key: string, maker: CheckMaker): boolean {
  return value === undefined || (value === null && maker.sourceAt(key) === '');
}

/** True after refusing a key that was written without a value. */
function refuseBlank(value: JsonValue | undefined, key: string, maker: CheckMaker): boolean {
  if (value === undefined || !missing(value, key, maker)) return false;
  maker.refuse(key, 'the key has no value', 'write one, or remove the key');
  return true;
}

/** True after refusing a schema that is no object or does not compile. */
function refuseSchema(schema: JsonValue | undefined, key: string, maker: CheckMaker): boolean {
  if (schema === undefined) return false;
  if (!isJsonObject(schema)) {
    maker.refuse(key, 'a JSON Schema must be an object', 'write the schema as keys below this one');
    return true;
  }
  if (inexactNumbers(schema, maker, [key])) return true;
  const fault = schemaFault(schema);
  if (fault === null) return false;
  maker.refuse(key, `the JSON Schema does not compile: ${fault}`, 'correct the schema');
  return true;
}

/** `is-json`: the whole answer is JSON, and fits a schema if there is one. */
export const isJsonKind = assertionKind(
  'is-json',
  z.strictObject({
    ...named('is-json'),
    ...graded,
    value: jsonSchema,
    schema: json.optional().describe('The same schema under its own name.'),
  }),
  (assertion, maker) => {
    const { value, schema } = assertion;
    if (refuseBlank(value, 'value', maker) || refuseBlank(schema, 'schema', maker)) return null;
    if (value !== undefined && schema !== undefined) {
      return maker.refuse(
        'schema',
        'the schema is written twice, as value and as schema',
        'keep one of them',
      );
    }
    if (refuseSchema(value, 'value', maker) || refuseSchema(schema, 'schema', maker)) return null;
    const used = value ?? schema;
    return {
      ...maker.textBase(used === undefined ? '' : labelJson(used)),
      type: 'is-json',
      ...(used === undefined ? {} : { schema: used }),
    };
  },
);

/** `contains-json`: some JSON in the answer contains a value or fits a schema. */
export const containsJsonKind = assertionKind(
  'contains-json',
  z.strictObject({
    ...named('contains-json'),
    ...graded,
    value: json
      .optional()
      .describe(
        'JSON that some object or list in the answer must contain: named keys recursively, lists by position.',
      ),
    schema: jsonSchema,
  }),
  (assertion, maker) => {
    const { value, schema } = assertion;
    if (refuseBlank(value, 'value', maker) || refuseBlank(schema, 'schema', maker)) return null;
    if (refuseSchema(schema, 'schema', maker)) return null;
    if (value !== undefined) {
      if (typeof value !== 'object' || value === null) {
        return maker.refuse(
          'value',
          'only an object or a list can occur as JSON in an answer',
          'write an object or a list, or use contains',
        );
      }
      if (Object.keys(value).length === 0) {
        return maker.refuse(
          'value',
          'is empty, so any JSON would do',
          'say what it must hold, or remove value to accept any JSON',
        );
      }
      if (inexactNumbers(value, maker, ['value'])) return null;
    }
    const shown = [value, schema].flatMap((part) => (part === undefined ? [] : [labelJson(part)])).join(', ');
    return {
      ...maker.textBase(shown),
      type: 'contains-json',
      ...(value === undefined ? {} : { subset: value }),
      ...(schema === undefined ? {} : { schema }),
    };
  },
);

/** Milliseconds a program may take when the suite does not say. */
const PROGRAM_TIMEOUT_MS = 10_000;
/** Longest time limit that can be asked for: one hour. */
export const LONGEST_TIMEOUT_MS = 3_600_000;

/** `program`: a function of the user's own module decides. */
export const programKind = assertionKind(
  'program',
  z.strictObject({
    ...named('program'),
    value: text.describe('Module that grades, relative to the suite file.'),
    export: text.default('default').describe('Name of the exported function.'),
    timeout_ms: z.int().min(1).max(LONGEST_TIMEOUT_MS).default(PROGRAM_TIMEOUT_MS),
    parameters: json.optional().describe('Any JSON, handed to the function.'),
  }),
  (assertion, maker) => {
    const { value, parameters } = assertion;
    const found = insidePath(value, maker.place.root);
    if (!found.ok) return maker.refuse('value', `${JSON.stringify(value)} ${found.message}`, found.fix);
    if (!found.exists)
      return maker.refuse('value', `there is no file ${value}`, 'write the module, or correct the path');
    if (assertion.export === '')
      return maker.refuse('export', 'must not be empty', 'write the name of an exported function');
    if (parameters !== undefined && inexactNumbers(parameters, maker, ['parameters'])) return null;
    const name = assertion.export === 'default' ? '' : `, ${assertion.export}`;
    return {
      ...maker.base('program', `${JSON.stringify(value)}${name}`),
      type: 'program',
      path: found.path,
      exportName: assertion.export,
      timeoutMs: assertion.timeout_ms,
      ...(parameters === undefined ? {} : { parameters }),
    };
  },
);
