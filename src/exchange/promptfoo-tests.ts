import { dirname } from 'node:path';
import {
  canonicalJson,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import { parseYamlDocument, type WrittenDocument } from '../suite/index.js';
import { parseJsonLines } from '../cases/index.js';
import type { ExchangeTable } from './import-table.js';
import { plainText } from './promptfoo-template.js';
import { readInside } from './read-inside.js';

/** One test with everything that applies to it; lists of values are multiplied out. */
export interface ImportedTest {
  name: string;
  line: number;
  vars: JsonObject;
  /** Texts of variables as they were written, where that is not their JSON. */
  written: Map<string, string>;
  assertions: { value: JsonObject; line: number }[];
  /** Null: every assertion must pass. */
  threshold: number | null;
}

const MOST_TESTS = 10_000;
const KNOWN = new Set(['description', 'vars', 'assert', 'threshold', 'metadata']);

interface Frame {
  document: WrittenDocument;
  root: string;
  table: ExchangeTable;
  templates: JsonObject;
}

/** An assertion that is a reference to a template of the configuration. */
function resolved(value: JsonValue, frame: Frame): JsonValue {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  if (typeof reference !== 'string') return value;
  const name = /^#\/assertionTemplates\/([^/]+)$/.exec(reference)?.[1] ?? '';
  return Object.hasOwn(frame.templates, name) ? (frame.templates[name] ?? null) : value;
}

function assertionsOf(
  value: JsonValue | undefined,
  path: KeyPath,
  name: string,
  frame: Frame,
): ImportedTest['assertions'] {
  if (value === undefined || value === null) return [];
  const { line } = frame.document.locate(path);
  if (!Array.isArray(value)) {
    frame.table.dropped('assertions', name, line, 'assert is no list');
    return [];
  }
  return value.flatMap((item, index): ImportedTest['assertions'] => {
    const place = frame.document.locate([...path, index]).line;
    const assertion = resolved(item, frame);
    if (!isJsonObject(assertion)) {
      frame.table.dropped('assertion', name, place, 'it is no object');
      return [];
    }
    if (assertion['type'] !== 'assert-set') return [{ value: assertion, line: place }];
    const plain = Object.keys(assertion).every((key) => key === 'type' || key === 'assert');
    if (plain) return assertionsOf(assertion['assert'], [...path, index, 'assert'], name, frame);
    frame.table.dropped(
      'assertion',
      `${name} assert-set`,
      place,
      'a set with a threshold or weight of its own has no twin',
    );
    return [];
  });
}

/** Values of a variable that a file holds, or the variable itself. */
function valueOf(value: JsonValue, name: string, line: number, frame: Frame): JsonValue | undefined {
  if (typeof value !== 'string' || !value.startsWith('file://')) return value;
  if (!/\.(?:txt|md|json|ya?ml|csv|xml|html)$/i.test(value)) {
    frame.table.dropped('variable', name, line, `${value.slice(0, 80)} is no file of text`);
    return undefined;
  }
  const read = readInside(frame.root, value);
  if (read.ok) return read.text.trim();
  frame.table.dropped('variable', name, line, `${value.slice(0, 80)} ${read.message}`);
  return undefined;
}

/** How many combinations the values of variables that are lists have. */
function combinations(vars: JsonObject): number {
  return Object.values<JsonValue>(vars).reduce<number>(
    (product, value) => product * (Array.isArray(value) ? Math.max(1, value.length) : 1),
    1,
  );
}

/** Every combination of the values of variables that are lists. */
function multiplied(vars: JsonObject): JsonObject[] {
  let rows: JsonObject[] = [{}];
  for (const [name, value] of Object.entries<JsonValue>(vars)) {
    const values = Array.isArray(value) && value.length > 0 ? value : [value];
    rows = rows.flatMap((row) => values.map((item) => ({ ...row, [name]: item })));
  }
  return rows;
}

function varsOf(value: JsonValue | undefined, path: KeyPath, name: string, frame: Frame) {
  const vars: JsonObject = {};
  const written = new Map<string, string>();
  const { line } = frame.document.locate(path);
  if (value === undefined || value === null) return { vars, written };
  if (!isJsonObject(value)) {
    frame.table.dropped('variables', name, line, 'only variables that are written here have a twin');
    return { vars, written };
  }
  for (const [key, item] of Object.entries<JsonValue>(value)) {
    const place = frame.document.locate([...path, key]).line;
    const found = valueOf(item, key, place, frame);
    if (found === undefined) continue;
    vars[key] = found;
    const source = typeof item === 'number' ? frame.document.sourceAt([...path, key]) : null;
    if (source !== null && source !== '' && source !== plainText(item)) written.set(key, source);
  }
  return { vars, written };
}

function noteUnknown(test: JsonObject, path: KeyPath, name: string, frame: Frame): void {
  for (const key of Object.keys(test)) {
    if (KNOWN.has(key)) continue;
    const { line } = frame.document.locate([...path, key], 'key');
    frame.table.dropped('key', `${key} of ${name}`, line, 'it has no twin');
  }
}

/** A file of tests as a list; null after saying why not. */
function testsFile(
  file: string,
  line: number,
  frame: Frame,
): { tests: JsonValue[]; document: WrittenDocument; root: string } | null {
  const drop = (why: string): null => {
    frame.table.dropped('tests', file, line, why);
    return null;
  };
  if (!/\.(?:ya?ml|json|jsonl)$/i.test(file))
    return drop('only YAML, JSON and JSONL files of tests are read');
  const read = readInside(frame.root, file);
  if (!read.ok) return drop(read.message);
  const root = dirname(read.path);
  const none: WrittenDocument = {
    file,
    value: null,
    locate: () => ({ line, column: 1 }),
    sourceAt: () => null,
  };
  if (/\.jsonl$/i.test(file)) {
    const { lines, broken } = parseJsonLines(read.text);
    for (const number of broken)
      frame.table.dropped('test', `${file}:${number}`, line, 'the line is not JSON');
    return { tests: lines.map(({ value }) => value), document: none, root };
  }
  if (/\.json$/i.test(file)) {
    const parsed = parseJson(read.text);
    return parsed.ok && Array.isArray(parsed.value)
      ? { tests: parsed.value, document: none, root }
      : drop('it holds no list of tests');
  }
  const parsed = parseYamlDocument(file, read.text);
  if (!parsed.ok) return drop(parsed.problems[0]?.message ?? 'it is not YAML');
  const { value } = parsed.document;
  return Array.isArray(value) ? { tests: value, document: none, root } : drop('it holds no list of tests');
}

function oneTest(
  test: JsonObject,
  path: KeyPath,
  number: number,
  defaults: ImportedTest,
  frame: Frame,
): ImportedTest[] {
  const name = typeof test['description'] === 'string' ? test['description'] : `test ${number}`;
  noteUnknown(test, path, name, frame);
  const { line } = frame.document.locate(path);
  const own = varsOf(test['vars'], [...path, 'vars'], name, frame);
  const written = new Map([...defaults.written].filter(([key]) => !Object.hasOwn(own.vars, key)));
  for (const [key, text] of own.written) written.set(key, text);
  const assertions = [
    ...assertionsOf(test['assert'], [...path, 'assert'], name, frame),
    ...defaults.assertions,
  ];
  const threshold = typeof test['threshold'] === 'number' ? test['threshold'] : defaults.threshold;
  if (threshold !== null && !(threshold > 0 && threshold <= 1)) {
    const why = threshold === 0 ? 'every score reaches it' : 'it is no share';
    frame.table.dropped('test', name, line, `its threshold is ${threshold}: ${why}`);
    return [];
  }
  const vars = { ...defaults.vars, ...own.vars };
  const count = combinations(vars);
  if (count > MOST_TESTS) {
    frame.table.dropped(
      'test',
      name,
      line,
      `its lists of values make ${count} cases, more than ${MOST_TESTS}`,
    );
    return [];
  }
  const rows = multiplied(vars);
  if (rows.length > 1)
    frame.table.changed('test', name, line, `its lists of values make ${rows.length} cases`);
  return rows.map((row, index) => ({
    name: rows.length === 1 ? name : `${name} ${index + 1}`,
    line,
    vars: row,
    written,
    assertions,
    threshold,
  }));
}

/** Reads the tests of a configuration, each with what `defaultTest` says. */
export function promptfooTests(
  config: JsonObject,
  document: WrittenDocument,
  root: string,
  table: ExchangeTable,
): ImportedTest[] {
  const templates = isJsonObject(config['assertionTemplates']) ? config['assertionTemplates'] : {};
  const frame: Frame = { document, root, table, templates };
  const none: ImportedTest = {
    name: '',
    line: 1,
    vars: {},
    written: new Map(),
    assertions: [],
    threshold: null,
  };
  const written = config['defaultTest'];
  const [defaults = none] = isJsonObject(written)
    ? [
        {
          ...none,
          ...varsOf(written['vars'], ['defaultTest', 'vars'], 'defaultTest', frame),
          assertions: assertionsOf(written['assert'], ['defaultTest', 'assert'], 'defaultTest', frame),
          threshold: typeof written['threshold'] === 'number' ? written['threshold'] : null,
        },
      ]
    : [];
  if (isJsonObject(written)) noteUnknown(written, ['defaultTest'], 'defaultTest', frame);
  else if (written !== undefined && written !== null)
    table.dropped(
      'key',
      'defaultTest',
      document.locate(['defaultTest']).line,
      'only one that is written here is read',
    );
  const { tests } = config;
  const list = Array.isArray(tests) ? tests : tests === undefined || tests === null ? [] : [tests];
  return list.flatMap((test, index): ImportedTest[] => {
    const path: KeyPath = Array.isArray(tests) ? ['tests', index] : ['tests'];
    const { line } = document.locate(path);
    if (isJsonObject(test)) return oneTest(test, path, index + 1, defaults, frame);
    if (typeof test !== 'string') {
      table.dropped('test', `test ${index + 1}`, line, `${canonicalJson(test).slice(0, 40)} is no test`);
      return [];
    }
    const file = testsFile(test, line, frame);
    if (file === null) return [];
    const inner = { ...frame, document: file.document, root: file.root };
    return file.tests.flatMap((one, at) => {
      if (isJsonObject(one)) return oneTest(one, [at], at + 1, defaults, inner);
      table.dropped('test', `${test} ${at + 1}`, line, 'it is no object');
      return [];
    });
  });
}
