import { readFileSync } from 'node:fs';
import { AssayError, isJsonObject, type JsonObject } from '../core/index.js';
import { parseYamlDocument, type Suite } from '../suite/index.js';

/** A case of a suite as it is written, with its line. */
export interface WrittenSuiteCase {
  value: JsonObject;
  line: number;
}

/** An assertion suite as it is written. */
export interface WrittenSuite {
  head: JsonObject;
  cases: WrittenSuiteCase[];
}

/**
 * The cases of a suite as they are written.
 * @throws AssayError `INPUT` for suites that are not written in YAML, or whose cases are made from rows
 */
export function writtenSuiteCases(suite: Suite): WrittenSuite {
  const refuse = (why: string): AssayError =>
    new AssayError('INPUT', `${suite.displayPath} cannot be exported: ${why}`, {
      fix: 'name an assertion suite that lists its cases',
    });
  if (suite.format !== 'assertion') throw refuse('it is no assertion suite');
  const parsed = parseYamlDocument(suite.displayPath, readFileSync(suite.path, 'utf8'));
  if (!parsed.ok || !isJsonObject(parsed.document.value)) throw refuse('it changed while it was read');
  const { document } = parsed;
  const { cases, ...head } = parsed.document.value;
  if (!Array.isArray(cases)) throw refuse('its cases are made from the rows of a data file');
  return {
    head,
    cases: cases.flatMap((value, index) =>
      isJsonObject(value) ? [{ value, line: document.locate(['cases', index]).line }] : [],
    ),
  };
}
