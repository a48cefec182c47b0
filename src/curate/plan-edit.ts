import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  AssayError,
  formatKeyPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from '../core/index.js';
import { admitSuiteText, displayPath, type Suite, type SuiteRoots } from '../suite/index.js';
import { historyPath, readText, requireOwn, type ChangePlan, type CurationAction } from './change-plan.js';
import { compactJson } from './compact-json.js';
import { removeJson, setJson } from './json-edit.js';
import {
  admitOptions,
  admitText,
  caseIndexes,
  findCase,
  fixtureName,
  fixturePath,
  requireData,
  suiteText,
  type AdmitContext,
} from './suite-text.js';
import { removeYaml, setYaml } from './yaml-edit.js';

/** What every planned change needs. */
export interface PlanContext extends AdmitContext {
  roots: SuiteRoots;
  /** ISO time. */
  now: string;
}

/** Keys to set and to remove, of the suite or of one of its cases. */
export interface EditRequest {
  /** Null for the suite itself. */
  caseId: string | null;
  set: readonly { path: KeyPath; value: JsonValue }[];
  unset: readonly KeyPath[];
}

/** The entry that a change leaves in the history. */
export function entryOf(
  action: CurationAction,
  suite: Pick<Suite, 'name'>,
  cases: readonly string[],
  details: JsonObject,
  now: string,
): ChangePlan['entry'] {
  return { at: now, action, suite: suite.name, cases: [...cases], details };
}

function edited(text: string, base: KeyPath, request: EditRequest, isJson: boolean): string {
  let result = text;
  for (const { path, value } of request.set) {
    result = isJson ? setJson(result, [...base, ...path], value) : setYaml(result, [...base, ...path], value);
  }
  for (const path of request.unset) {
    result = isJson ? removeJson(result, [...base, ...path]) : removeYaml(result, [...base, ...path]);
  }
  return result;
}

function requireChange(request: EditRequest): void {
  if (request.set.length + request.unset.length > 0) return;
  throw new AssayError('USAGE', 'nothing to edit', { fix: 'add --set key=value or --unset key' });
}

/**
 * Plans an edit of single keys. Comments and layout of the file stay; what would not load is refused.
 * @throws AssayError `INPUT`, or as loading does
 */
export function planEdit(suite: Suite, request: EditRequest, context: PlanContext): ChangePlan {
  requireOwn(suite, context.roots);
  requireData(suite, 'change it');
  requireChange(request);
  const { caseId } = request;
  if (suite.format === 'trace' && caseId === null) {
    throw new AssayError('INPUT', 'a directory of fixtures has no keys of its own', {
      fix: 'name a case with --case',
    });
  }
  const tested = caseId === null ? null : findCase(suite, caseId);
  const isJson = suite.format === 'trace';
  const path = isJson && tested !== null ? fixturePath(suite, tested) : suite.path;
  const before = readText(path);
  const base: KeyPath =
    isJson || tested === null ? [] : ['cases', caseIndexes(suite, before, [tested])[0] ?? 0];
  const text = edited(before, base, request, isJson);
  admitText(suite, path, text, context);
  const about = caseId === null ? suite.name : `${suite.name}, case ${caseId}`;
  const set: JsonObject = Object.fromEntries(
    request.set.map(({ path: key, value }) => [formatKeyPath(key), value]),
  );
  return {
    lines: [
      ...request.set.map(
        ({ path: key, value }) => `${about}: ${formatKeyPath(key)} = ${JSON.stringify(value)}`,
      ),
      ...request.unset.map((key) => `${about}: ${formatKeyPath(key)} removed`),
    ],
    files: [{ path, text }],
    entry: entryOf(
      'edit',
      suite,
      caseId === null ? [] : [caseId],
      { set, unset: request.unset.map(formatKeyPath) },
      context.now,
    ),
    history: historyPath(suite, context.roots),
  };
}

function newFixture(suite: Suite, value: JsonObject, context: PlanContext): ChangePlan {
  const id = value['id'] ?? value['model_name'];
  if (typeof id !== 'string') {
    throw new AssayError('INPUT', 'the fixture has no model_name', {
      fix: 'add model_name, a name for the case',
    });
  }
  const path = join(suite.root, fixtureName(id));
  if (existsSync(path)) {
    throw new AssayError('INPUT', `${displayPath(path, context.cwd)} exists already`, {
      fix: 'give the case another id',
    });
  }
  for (const tested of suite.cases) {
    if (tested.id === id)
      throw new AssayError('INPUT', `${suite.displayPath} has a case ${JSON.stringify(id)} already`);
  }
  const text = `${compactJson(value)}\n`;
  admitText(suite, path, text, context);
  return {
    lines: [`${suite.name}: case ${id} in ${displayPath(path, context.cwd)}`],
    files: [{ path, text }],
    entry: entryOf('add-case', suite, [id], { file: fixtureName(id) }, context.now),
    history: historyPath(suite, context.roots),
  };
}

/**
 * Plans a new case: at the end of a suite's list, or as a new file among fixtures.
 * @param value a case as the format writes it
 * @param raw the YAML text of the case as a list entry, kept with its comments; null to write it anew
 * @throws AssayError `INPUT`, or as loading does
 */
export function planAddCase(
  suite: Suite,
  value: JsonValue,
  raw: string | null,
  context: PlanContext,
): ChangePlan {
  requireOwn(suite, context.roots);
  requireData(suite, 'add the case');
  if (!isJsonObject(value)) {
    throw new AssayError('INPUT', 'a case must be an object', { fix: 'write id, prompt and assert' });
  }
  if (suite.format === 'trace') return newFixture(suite, value, context);
  const before = suiteText(suite);
  const first = [...suite.cases][0];
  caseIndexes(suite, before, first === undefined ? [] : [first]);
  const text = setYaml(before, ['cases', suite.cases.length], value, raw);
  const after = admitSuiteText(suite.path, text, admitOptions(context));
  const added = [...after.cases].at(-1)?.id ?? '';
  return {
    lines: [`${suite.name}: case ${added} in ${suite.displayPath}`],
    files: [{ path: suite.path, text }],
    entry: entryOf('add-case', suite, [added], {}, context.now),
    history: historyPath(suite, context.roots),
  };
}
