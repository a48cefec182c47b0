import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { member, objectsOf, textMember } from '../cases/index.js';
import { ExchangeTable, type TableRow, nameOf } from './import-table.js';
import type { Origin } from './origin.js';
import { convertExpectations, evalCaseId, expectationOf } from './skill-evals.js';
import type { WrittenSuite, WrittenSuiteCase } from './suite-cases.js';

/** A file that an export writes, and what became of everything. */
export interface JsonExport {
  document: JsonValue;
  rows: TableRow[];
}

const CASE_KEYS = new Set(['id', 'prompt', 'assert', 'setup']);
/** What an imported assertion has that says nothing to a judge of evals. */
const WEIGHED = ['weight', 'threshold', 'turn', 'normalize', 'model', 'reference', 'include_transcript'];

function expectationsOf({ value, line }: WrittenSuiteCase, name: string, table: ExchangeTable): JsonValue[] {
  const assertions = Array.isArray(value['assert']) ? value['assert'] : [];
  return assertions.flatMap((assertion) => {
    const type = isJsonObject(assertion) && typeof assertion['type'] === 'string' ? assertion['type'] : '?';
    const expected = expectationOf(assertion);
    if (expected === null) {
      table.dropped('assertion', `${type} of ${name}`, line, 'evals.json has no word for it');
      return [];
    }
    const lost = isJsonObject(assertion) ? WEIGHED.filter((key) => key in assertion) : [];
    if (lost.length > 0) table.changed('assertion', `${type} of ${name}`, line, `without ${lost.join(', ')}`);
    else table.kept('assertion', type, line);
    return expected;
  });
}

function promptOf({ value, line }: WrittenSuiteCase, name: string, table: ExchangeTable): string | null {
  const { prompt, turns } = value;
  if (typeof prompt === 'string' && turns === undefined) return prompt;
  table.dropped('case', name, line, 'evals.json has one prompt a case, and this one has several turns');
  return null;
}

/** Writes the list of expectations under the names that an eval has, else under that of the dialect. */
function withExpectations(written: JsonObject, list: JsonValue[], dialect: Origin['dialect']): JsonObject {
  const key = dialect === 'A' ? 'expectations' : 'assertions';
  const { expectations: _, assertions: __, ...rest } = written;
  return { ...rest, [key]: list };
}

/** An eval as it was imported, changed only where the suite has changed since. */
function updated(
  written: JsonObject,
  found: WrittenSuiteCase,
  name: string,
  frame: Frame,
): JsonObject | null {
  const { table, dialect, origin } = frame;
  const prompt = promptOf(found, name, table);
  if (prompt === null) return null;
  const same =
    canonicalJson(convertExpectations(written).assertions) === canonicalJson(found.value['assert'] ?? []) &&
    origin.dialect === dialect;
  const next = { ...written, prompt };
  if (!same) return withExpectations(next, expectationsOf(found, name, table), dialect);
  for (const assertion of objectsOf(found.value['assert']))
    table.kept('assertion', nameOf(assertion['type']), found.line);
  return next;
}

interface Frame {
  table: ExchangeTable;
  dialect: Origin['dialect'];
  origin: Origin;
}

function noteRest(
  { value, line }: WrittenSuiteCase,
  name: string,
  hasOrigin: boolean,
  table: ExchangeTable,
): void {
  for (const key of Object.keys(value)) {
    if (!CASE_KEYS.has(key)) table.dropped('key', `${key} of ${name}`, line, 'evals.json has no word for it');
  }
  if ('setup' in value && !hasOrigin) {
    table.changed('key', `setup of ${name}`, line, 'only the names of the files: put them into evals/files');
  }
}

function freshEval(found: WrittenSuiteCase, id: JsonValue, name: string, frame: Frame): JsonObject | null {
  const prompt = promptOf(found, name, frame.table);
  if (prompt === null) return null;
  const setup = found.value['setup'];
  const files =
    isJsonObject(setup) && isJsonObject(setup['workspace_files'])
      ? Object.keys(setup['workspace_files'])
      : [];
  return withExpectations(
    {
      id,
      prompt,
      expected_output: '',
      ...(files.length === 0 ? {} : { files: files.map((file) => `evals/files/${file}`) }),
    },
    expectationsOf(found, name, frame.table),
    frame.dialect,
  );
}

/** The id of an eval for a case that was never imported: its number where it has one, else the next free one. */
function freshId(name: string, taken: Set<JsonValue>): JsonValue {
  const match = /^eval-(\d{1,9})$/.exec(name);
  let id = match === null ? 1 : Number(match[1]);
  while (taken.has(id)) id += 1;
  taken.add(id);
  return id;
}

/**
 * Writes a suite as an evals.json. What the suite was imported from is written back: unknown keys, evals without
 * expectations, and every list that the suite has not changed.
 * @param dialect null for that of the origin, else A
 */
export function exportSkillEvals(
  suite: WrittenSuite,
  origin: Origin | null,
  dialect: Origin['dialect'] | null,
): JsonExport {
  const table = new ExchangeTable();
  const source: Origin = origin ?? {
    schema: 'assay/origin/v1',
    format: 'skill-evals',
    dialect: 'A',
    document: { skill_name: textMember(suite.head, 'name') || 'skill', evals: [] },
  };
  const frame: Frame = { table, dialect: dialect ?? source.dialect, origin: source };
  const byId = new Map(suite.cases.map((one) => [textMember(one.value, 'id'), one]));
  const taken = new Set<JsonValue>();
  const written = member(source.document, 'evals');
  const evals: JsonValue[] = [];
  for (const one of Array.isArray(written) ? written : []) {
    const name = isJsonObject(one) ? evalCaseId(member(one, 'id')) : null;
    const found = name === null ? undefined : byId.get(name);
    if (isJsonObject(one)) taken.add(one['id'] ?? null);
    if (isJsonObject(one) && name !== null && found !== undefined) {
      byId.delete(name);
      noteRest(found, name, true, table);
      const next = updated(one, found, name, frame);
      if (next === null) continue;
      evals.push(next);
      table.kept('case', name, found.line);
    } else if (isJsonObject(one) && convertExpectations(one).assertions.length > 0 && name !== null) {
      table.dropped('eval', name, null, 'it is no longer in the suite');
    } else
      evals.push(isJsonObject(one) && origin?.dialect !== frame.dialect ? renamed(one, frame.dialect) : one);
  }
  for (const [name, found] of byId) {
    noteRest(found, name, false, table);
    const next = freshEval(found, freshId(name, taken), name, frame);
    if (next === null) continue;
    evals.push(next);
    table.kept('case', name, found.line);
  }
  return { document: { ...source.document, evals }, rows: table.rows };
}

/** An eval that never became a case, in another dialect. */
function renamed(written: JsonObject, dialect: Origin['dialect']): JsonObject {
  if (!('expectations' in written) && !('assertions' in written)) return written;
  const lists = ['expectations', 'assertions'].flatMap((key) => {
    const list = member(written, key);
    return Array.isArray(list) ? list : [];
  });
  return withExpectations(written, lists, dialect);
}
