import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AssayError,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import {
  parseJsonDocument,
  parseYamlDocument,
  type Case,
  type Suite,
  type WrittenDocument,
} from '../suite/index.js';

/** A case as a person wrote it, and what its suite says about all cases. */
export interface WrittenCase {
  value: JsonObject;
  /** The keys of the suite apart from its cases; empty for a fixture. */
  head: JsonObject;
}

const TEXTUAL = new Set(['value', 'vars', 'prompt', 'calls', 'parameters', 'output']);

/** The value at a path, numbers in places of text as they were written (`1.10` stays that). */
function asWritten(value: JsonValue, document: WrittenDocument, path: KeyPath, textual: boolean): JsonValue {
  if (typeof value === 'number') {
    const source = textual ? document.sourceAt(path) : null;
    return source === null || source === '' || source === String(value) ? value : source;
  }
  if (Array.isArray(value))
    return value.map((item, index) => asWritten(item, document, [...path, index], textual));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries<JsonValue>(value).map(([key, item]) => [
      key,
      asWritten(item, document, [...path, key], textual || TEXTUAL.has(key)),
    ]),
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AssayError('INPUT', `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function notWritten(tested: Case, why: string): AssayError {
  return new AssayError('INPUT', `case ${JSON.stringify(tested.id)} cannot be copied: ${why}`, {
    fix: 'write the case by hand, with the failed answer as known_bad',
  });
}

/** Names that stand between double braces anywhere in a value. */
function usedNames(value: JsonValue): Set<string> {
  return new Set(
    [...JSON.stringify(value).matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1] ?? ''),
  );
}

function filledVariables(value: JsonObject, head: JsonObject, tested: Case): JsonObject {
  const suite = isJsonObject(head['vars']) ? head['vars'] : {};
  const own = isJsonObject(value['vars']) ? value['vars'] : {};
  const all = { ...suite, ...own, ...tested.variables };
  const used = usedNames({ ...value, vars: null });
  return Object.fromEntries(Object.entries<JsonValue>(all).filter(([name]) => used.has(name)));
}

function fromSuite(suite: Suite, tested: Case): WrittenCase {
  const parsed = parseYamlDocument(suite.displayPath, readText(suite.path));
  if (!parsed.ok || !isJsonObject(parsed.document.value)) throw notWritten(tested, 'its suite changed');
  const { document } = parsed;
  const { cases, ...head } = parsed.document.value;
  const rows = isJsonObject(cases) ? cases['template'] : undefined;
  const list = Array.isArray(cases) ? cases : [];
  const index = list.findIndex((_, at) => document.locate(['cases', at]).line === tested.source.line);
  const path = rows === undefined ? ['cases', index] : ['cases', 'template'];
  const found = rows === undefined ? list[index] : rows;
  if (!isJsonObject(found)) throw notWritten(tested, 'it is no longer in its suite');
  const written = asWritten(found, document, path, false);
  const value = isJsonObject(written) ? written : found;
  const variables = filledVariables(value, head, tested);
  const { vars: _, ...rest } = value;
  const templated = Object.keys(variables).length > 0 ? { vars: variables } : {};
  return { value: { ...rest, id: tested.id, ...templated }, head };
}

/**
 * A case as it was written, complete in itself: a row's values and the suite's variables that it uses are its own.
 * @throws AssayError `INPUT` for cases of programs, and for those that are gone
 */
export function writtenCase(suite: Suite, tested: Case): WrittenCase {
  if (suite.format === 'program') throw notWritten(tested, 'its suite is a program');
  if (suite.format === 'assertion') return fromSuite(suite, tested);
  const path = join(suite.root, tested.source.name);
  const parsed = parseJsonDocument(tested.source.file, readText(path));
  if (!parsed.ok || !isJsonObject(parsed.document.value)) throw notWritten(tested, 'its file changed');
  return { value: parsed.document.value, head: {} };
}
