import { AssayError, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { isTooDeep, member, slug } from '../cases/index.js';
import { parseJsonDocument, type PositionedDocument } from '../suite/index.js';
import { ExchangeTable, nameOf } from './import-table.js';
import type { Origin } from './origin.js';
import type { SuiteImport } from './promptfoo.js';
import { readInside } from './read-inside.js';
import { convertExpectations, evalCaseId } from './skill-evals.js';

const EVAL_KEYS = new Set(['id', 'prompt', 'expected_output', 'files', 'expectations', 'assertions']);
const TOP_KEYS = new Set(['skill_name', 'evals']);

/** What importing an evals.json makes: the suite, and the file itself to be kept beside it. */
export interface SkillEvalsImport extends SuiteImport {
  origin: Origin;
}

interface Frame {
  document: PositionedDocument;
  /** Root of the skill: file names are relative to it. */
  root: string;
  table: ExchangeTable;
}

function filesOf(value: JsonValue | undefined, index: number, name: string, frame: Frame): JsonObject {
  const files: JsonObject = {};
  for (const [at, file] of (Array.isArray(value) ? value : []).entries()) {
    const { line } = frame.document.locate(['evals', index, 'files', at]);
    const read = typeof file === 'string' ? readInside(frame.root, file) : null;
    if (typeof file === 'string' && read?.ok === true) {
      files[file.replace(/^\.\//, '').replace(/^evals\/files\//, '')] = read.text;
      frame.table.kept('file', file, line);
    } else {
      const why = read === null ? 'it is no path' : read.ok ? '' : read.message;
      frame.table.dropped('file', `${nameOf(file)} of ${name}`, line, why);
    }
  }
  return files;
}

function caseOf(written: JsonObject, index: number, taken: Set<string>, frame: Frame): JsonObject | null {
  const { document, table } = frame;
  const { line } = document.locate(['evals', index]);
  const id = evalCaseId(member(written, 'id'));
  const name = id ?? `eval at place ${index + 1}`;
  const drop = (why: string): null => {
    table.dropped('eval', name, line, why);
    return null;
  };
  if (id === null) return drop('its id is neither a whole number nor a text');
  if (taken.has(id)) return drop('its id is used twice');
  taken.add(id);
  const { prompt } = written;
  if (typeof prompt !== 'string' || prompt.trim() === '') return drop('it has no prompt');
  const { assertions, dropped } = convertExpectations(written);
  for (const { name: which, why } of dropped) table.dropped('expectation', `${which} of ${name}`, line, why);
  for (const key of Object.keys(written)) {
    if (EVAL_KEYS.has(key)) continue;
    const place = document.locate(['evals', index, key], 'key').line;
    table.changed('key', `${key} of ${name}`, place, 'kept beside the suite and written back on export');
  }
  if (typeof written['expected_output'] === 'string' && written['expected_output'] !== '')
    table.changed(
      'key',
      `expected_output of ${name}`,
      line,
      'a description, not a check; kept beside the suite',
    );
  if (assertions.length === 0) return drop('it has no expectations yet; it is kept beside the suite');
  for (const assertion of assertions) table.kept('expectation', nameOf(assertion['type']), line);
  table.kept('eval', name, line);
  const files = filesOf(member(written, 'files'), index, name, frame);
  return {
    id,
    prompt,
    ...(Object.keys(files).length === 0 ? {} : { setup: { workspace_files: files } }),
    assert: assertions,
  };
}

/** Which of the two dialects a file is in: the name of the list of expectations tells. */
function dialectOf(evals: readonly JsonObject[]): Origin['dialect'] {
  const has = (key: string): boolean => evals.some((one) => Array.isArray(one[key]));
  return has('assertions') && !has('expectations') ? 'B' : 'A';
}

/**
 * Reads the evals.json of a skill, in either dialect.
 * @param root absolute path of the skill, to which its file names are relative
 * @throws AssayError `INPUT` when it is none
 */
export function importSkillEvals(
  text: string,
  root: string,
  shown: string,
  name: string | null,
): SkillEvalsImport {
  const loose = parseJson(text);
  const parsed = parseJsonDocument(shown, text);
  // Numbers that JSON cannot hold exactly stop suites, not files of others.
  const value = parsed.ok ? parsed.document.value : loose.ok ? loose.value : null;
  if (!loose.ok) throw new AssayError('INPUT', `${shown} is not JSON: ${loose.message}`);
  const document: PositionedDocument = parsed.ok
    ? parsed.document
    : { file: shown, value, locate: () => ({ line: 1, column: 1 }) };
  const evals = isJsonObject(value) ? member(value, 'evals') : undefined;
  if (!isJsonObject(value) || !Array.isArray(evals) || isTooDeep(value)) {
    throw new AssayError('INPUT', `${shown} is no evals.json of a skill`, {
      fix: 'it has skill_name and evals, a list',
    });
  }
  const table = new ExchangeTable();
  const frame: Frame = { document, root, table };
  for (const key of Object.keys(value)) {
    if (!TOP_KEYS.has(key))
      table.changed(
        'key',
        key,
        document.locate([key], 'key').line,
        'kept beside the suite and written back on export',
      );
  }
  const taken = new Set<string>();
  const cases = evals.flatMap((one, index): JsonObject[] => {
    if (!isJsonObject(one)) {
      table.dropped(
        'eval',
        `eval at place ${index + 1}`,
        document.locate(['evals', index]).line,
        'it is no object',
      );
      return [];
    }
    const made = caseOf(one, index, taken, frame);
    return made === null ? [] : [made];
  });
  const skill = typeof value['skill_name'] === 'string' ? value['skill_name'] : '';
  const title = name ?? (skill === '' ? 'skill' : skill);
  const suite: JsonObject = {
    name: skill === '' ? title : skill,
    type: 'capability',
    trials: 3,
    pass_threshold: 1,
    gate: 'mean',
    cases,
  };
  return {
    suites: cases.length === 0 ? [] : [{ name: slug(title), suite }],
    rows: table.rows,
    origin: {
      schema: 'assay/origin/v1',
      format: 'skill-evals',
      dialect: dialectOf(evals.filter((one) => isJsonObject(one))),
      document: value,
    },
  };
}
