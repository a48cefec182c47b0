import type { JsonValue } from '../core/index.js';
import { compileSchema } from './json-schema.js';
import { compilePattern, type PatternDialect } from './pattern-search.js';

/** Why a pattern with these flags cannot be used, in the words of its compiler; null when it can. */
export function patternFault(pattern: string, flags: string, dialect: PatternDialect): string | null {
  const compiled = compilePattern(pattern, flags, dialect);
  return compiled.ok ? null : compiled.message;
}

/** Why a JSON Schema (draft 7, or 2020-12 when `$schema` says so) does not compile; null when it does. */
export function schemaFault(schema: JsonValue): string | null {
  const compiled = compileSchema(schema);
  return compiled.ok ? null : compiled.message;
}
