import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject, parseJson, type JsonObject } from '../core/index.js';

/**
 * What a suite was imported from, word for word, kept beside the suite: its export writes back what has no place in a
 * suite.
 */
export interface Origin {
  schema: 'assay/origin/v1';
  format: 'skill-evals';
  dialect: 'A' | 'B';
  document: JsonObject;
}

/** The file beside a suite in which its origin is kept. */
export function originPath(suitePath: string): string {
  return `${suitePath}.origin`;
}

/** The text of an origin. */
export function originText(origin: Origin): string {
  return `${JSON.stringify(origin, null, 2)}\n`;
}

/** The origin of a suite; null when it has none, or one that cannot be read. */
export function readOrigin(suitePath: string): Origin | null {
  const path = originPath(suitePath);
  if (!existsSync(path)) return null;
  const parsed = parseJson(readFileSync(path, 'utf8'));
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { schema, format, dialect, document } = parsed.value;
  if (schema !== 'assay/origin/v1' || format !== 'skill-evals' || !isJsonObject(document)) return null;
  return { schema, format, dialect: dialect === 'B' ? 'B' : 'A', document };
}
