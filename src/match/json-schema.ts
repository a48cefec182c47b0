import { createRequire } from 'node:module';
import type * as draft7 from 'ajv';
import type * as draft2020 from 'ajv/dist/2020.js';
import type * as ajvFormats from 'ajv-formats';
import { canonicalJson, errorMessage, isJsonObject, type JsonValue } from '../core/index.js';
import { BoundedCache, type Compiled } from './pattern-match.js';
import { compileJavaScript, searchJavaScript } from './regex-javascript.js';

const load = createRequire(import.meta.url);

const PATTERN_MS = 1000;

/** Thrown when a `pattern` of a schema runs out of time. */
class SlowPatternError extends Error {}

/** What Ajv takes instead of a RegExp: searches under the time bound. */
class BoundedExpression {
  readonly #pattern: string;
  readonly #flags: string;

  constructor(pattern: string, flags: string) {
    const compiled = compileJavaScript(pattern, flags);
    if (!compiled.ok) throw new Error(compiled.message);
    this.#pattern = pattern;
    this.#flags = flags;
  }

  test(text: string): boolean {
    const found = searchJavaScript(this.#pattern, this.#flags, text, PATTERN_MS);
    if (found.status === 'timeout') {
      throw new SlowPatternError(`the pattern ${this.toString()} exceeded ${PATTERN_MS / 1000} s`);
    }
    return found.status === 'match';
  }

  /** Ajv shares expressions whose text is equal, so every one needs its own. */
  toString(): string {
    return `/${this.#pattern}/${this.#flags}`;
  }
}

type RegExpEngine = NonNullable<NonNullable<draft7.Options['code']>['regExp']>;

const boundedExpressions: RegExpEngine = Object.assign(
  (pattern: string, flags: string) => new BoundedExpression(pattern, flags),
  { code: 'boundedExpression' },
);

// Unknown keywords are annotations. Nothing is logged: stdout and stderr are not Ajv's.
const AJV: draft7.Options = {
  strict: false,
  logger: false,
  multipleOfPrecision: 9,
  code: { regExp: boundedExpressions },
};

type Prepared = { ok: true; validate: draft7.ValidateFunction } | { ok: false; message: string };

const CACHED_SCHEMAS = 200;
const cache = new BoundedCache<Prepared>(CACHED_SCHEMAS);

function is2020(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const draft = schema['$schema'];
  return typeof draft === 'string' && /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(draft);
}

type Draft = 'draft-07' | '2020-12';

function newAjv(draft: Draft): draft7.default {
  const { Ajv }: typeof draft7 = load('ajv');
  const { Ajv2020 }: typeof draft2020 = load('ajv/dist/2020.js');
  const formats: typeof ajvFormats.default = load('ajv-formats');
  const ajv = draft === '2020-12' ? new Ajv2020(AJV) : new Ajv(AJV);
  formats.default(ajv);
  return ajv;
}

const shared = new Map<Draft, { ajv: draft7.default; schemas: number }>();

/**
 * An instance for this schema. One that names itself gets its own, so that two schemas with the same $id never meet;
 * the others share one, since a new instance compiles its meta-schema again. It is replaced before it holds too much.
 */
function ajvFor(schema: JsonValue): draft7.default {
  const draft = is2020(schema) ? '2020-12' : 'draft-07';
  if (/"(?:\$?id|\$anchor|\$dynamicAnchor)":/.test(canonicalJson(schema))) return newAjv(draft);
  let entry = shared.get(draft);
  if (entry === undefined || entry.schemas >= CACHED_SCHEMAS) {
    entry = { ajv: newAjv(draft), schemas: 0 };
    shared.set(draft, entry);
  }
  entry.schemas += 1;
  return entry.ajv;
}

function prepare(schema: JsonValue): Prepared {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return { ok: false, message: 'a JSON Schema is an object, true or false' };
  }
  if (isJsonObject(schema) && schema['$async'] === true) {
    return { ok: false, message: 'asynchronous schemas are not supported; remove $async' };
  }
  try {
    return { ok: true, validate: ajvFor(schema).compile(schema) };
  } catch (error) {
    return { ok: false, message: errorMessage(error) };
  }
}

function prepared(schema: JsonValue): Prepared {
  return cache.get(canonicalJson(schema), () => prepare(schema));
}

/** Whether a JSON Schema (draft 7, or 2020-12 when `$schema` says so) compiles, for the loader. */
export function compileSchema(schema: JsonValue): Compiled {
  const compiled = prepared(schema);
  return compiled.ok ? { ok: true } : compiled;
}

function describe(error: draft7.ErrorObject | undefined): string {
  if (error === undefined) return 'does not match the schema';
  const place = error.instancePath === '' ? 'at the top' : `at ${error.instancePath}`;
  const extra =
    'additionalProperty' in error.params ? ` (${String(error.params['additionalProperty'])})` : '';
  return `${place}: ${error.message ?? error.keyword}${extra}`;
}

/**
 * The first place where a value breaks a schema, as `at /a: must be number`; null when it matches. Throws an Error when
 * the schema does not compile or one of its patterns runs out of time.
 */
export function schemaDifference(schema: JsonValue, value: JsonValue): string | null {
  const compiled = prepared(schema);
  if (!compiled.ok) throw new Error(`the schema does not compile: ${compiled.message}`);
  const { validate } = compiled;
  return validate(value) ? null : describe(validate.errors?.[0]);
}
