import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type * as Ajv2020Module from 'ajv/dist/2020.js';
import type * as FormatsModule from 'ajv-formats';
import { canonicalJson, errorMessage, isJsonObject, quote, type JsonValue } from '../core/index.js';

const load = createRequire(import.meta.url);

const FLAGS = 'dgimsuvy';
const INLINE_FLAGS = /^\(\?([a-z]+)\)/;

function syntaxFault(source: string, flags: string): { at: 'value'; message: string } | null {
  try {
    RegExp(source, flags);
    return null;
  } catch (error) {
    return { at: 'value', message: errorMessage(error) };
  }
}

/** Why a JavaScript pattern with these flags cannot be used; null when it can. A leading `(?ims)` group is allowed. */
export function expressionFault(
  pattern: string,
  flags: string,
): { at: 'flags' | 'value'; message: string } | null {
  if (flags === '' && !pattern.startsWith('(?')) return syntaxFault(pattern, '');
  const unknown = Array.from(flags).find(
    (flag, index) => !FLAGS.includes(flag) || flags.indexOf(flag) !== index,
  );
  if (unknown !== undefined) {
    const message = FLAGS.includes(unknown) ? 'is given twice' : 'is not a flag';
    return { at: 'flags', message: `${quote(unknown)} ${message}` };
  }
  const inline = INLINE_FLAGS.exec(pattern);
  const all = new Set(Array.from(flags + (inline?.[1] ?? '')));
  return syntaxFault(pattern.slice(inline?.[0].length ?? 0), [...all].join(''));
}

const schemaFaults = new Map<string, string | null>();

function compileFault(schema: JsonValue): string | null {
  const draft = isJsonObject(schema) ? schema['$schema'] : undefined;
  const newest = typeof draft === 'string' && draft.includes('2020-12');
  const { Ajv }: typeof AjvModule = load('ajv');
  const { Ajv2020 }: typeof Ajv2020Module = load('ajv/dist/2020.js');
  const formats: typeof FormatsModule.default = load('ajv-formats');
  try {
    const ajv = newest
      ? new Ajv2020({ strict: false, logger: false })
      : new Ajv({ strict: false, logger: false });
    formats.default(ajv);
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) return 'a JSON Schema is an object';
    ajv.compile(schema);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Why a JSON Schema (draft 7, or 2020-12 when `$schema` says so) does not compile; null when it does. */
export function schemaFault(schema: JsonValue): string | null {
  const key = canonicalJson(schema);
  let fault = schemaFaults.get(key);
  if (fault === undefined) {
    fault = compileFault(schema);
    if (schemaFaults.size >= 200) schemaFaults.clear();
    schemaFaults.set(key, fault);
  }
  return fault;
}
