import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError, canonicalJson, type JsonObject } from '../core/index.js';
import { admitSuiteText, parseYamlDocument, type Case, type Suite } from '../suite/index.js';
import { readText, requireOwn, type ChangePlan, type PlannedFile } from './change-plan.js';
import { valueAt } from './json-values.js';
import {
  entriesOf,
  movedFixtures,
  onlyEntries,
  planOf,
  requireFree,
  requireRest,
  withAppended,
  withoutEntries,
} from './move-texts.js';
import type { PlanContext } from './plan-edit.js';
import { admitOptions, admitText, caseIndexes, plainName, requireData, suiteText } from './suite-text.js';
import { setYaml } from './yaml-edit.js';

/** Threshold that a suite gets when it becomes a regression suite. */
const REGRESSION_THRESHOLD = 0.95;

/** The directory for regression suites that belongs to a place for capability suites; null when it is none. */
function regressionDirectory(directory: string): string | null {
  const name = basename(directory);
  if (name.toLowerCase() !== 'capability') return null;
  const parent = dirname(directory);
  const names = name === 'capability' ? ['regression', 'Regression'] : ['Regression', 'regression'];
  const found = names.find((candidate) => existsSync(join(parent, candidate)));
  return join(parent, found ?? names[0] ?? 'regression');
}

/** What decides how a case is run and graded, apart from the threshold. */
function substance({ turns, checks, agent, systemPrompt, setupFiles, tools, allowEmpty }: Case): string {
  const graded = checks.map(({ label: _label, key: _key, ...rest }) => rest);
  return canonicalJson({ turns, graded, agent, systemPrompt, setupFiles, tools, allowEmpty });
}

function asRegression(text: string, shown: string, now: string): string {
  const parsed = parseYamlDocument(shown, text);
  const gate = parsed.ok ? valueAt(parsed.document.value, ['gate']) : undefined;
  let result = setYaml(text, ['type'], 'regression');
  if (gate === undefined || gate === 'mean') result = setYaml(result, ['gate'], 'pass^k');
  result = setYaml(result, ['pass_threshold'], REGRESSION_THRESHOLD);
  return setYaml(result, ['updated_at'], now.slice(0, 10));
}

/** Where cases of a suite go when they graduate, when nobody says. */
function graduationTarget(suite: Suite): string {
  const directory = suite.format === 'trace' ? suite.root : dirname(suite.path);
  const regression = regressionDirectory(directory);
  if (suite.format === 'trace') {
    if (regression !== null) return regression;
    throw new AssayError('INPUT', `${suite.displayPath} lies in no capability directory`, {
      fix: 'name the directory of regression fixtures with --into',
    });
  }
  return join(regression ?? directory, `${plainName(suite.path)}-regression.yaml`);
}

function requireSame(before: readonly Case[], after: Suite): void {
  const found = new Map([...after.cases].map((tested) => [tested.id, substance(tested)]));
  const changed = before.filter((tested) => found.get(tested.id) !== substance(tested));
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id).join(', ');
  throw new AssayError('INPUT', `${ids} would not be the same under ${after.displayPath}`, {
    fix: 'agent, system_prompt, vars and paths of the two suites differ: write them into the case first',
  });
}

/** How cases leave a suite. */
export interface MoveRequest {
  /** Cases that move; never all of a YAML suite. */
  cases: readonly Case[];
  /** Path of the suite file or fixture directory to move to; null for the usual place. */
  into: string | null;
  details: JsonObject;
}

/**
 * Plans single cases becoming regression cases. In a suite they move as they stand, comments and all, to
 * `Regression/NAME-regression.yaml`; fixtures move to the regression directory.
 * @throws AssayError `INPUT` when that cannot be done, or as loading does
 */
export function planGraduateCases(suite: Suite, request: MoveRequest, context: PlanContext): ChangePlan {
  requireOwn(suite, context.roots);
  requireData(suite, 'move the case');
  const { cases } = request;
  const ids = cases.map(({ id }) => id);
  const target = request.into === null ? graduationTarget(suite) : resolve(context.cwd, request.into);
  if (suite.format === 'trace') {
    const files = movedFixtures(suite, cases, target);
    for (const { path, text } of files)
      if (text !== null) admitText({ ...suite, kind: 'regression' }, path, text, context);
    return planOf('graduate', suite, ids, target, files, request.details, context);
  }
  const before = suiteText(suite);
  const indexes = caseIndexes(suite, before, cases);
  requireRest(suite, indexes.length);
  const after = withoutEntries(before, indexes);
  const shown = suite.displayPath;
  const text = existsSync(target)
    ? withAppended(readText(target), target, entriesOf(before, shown, indexes))
    : asRegression(onlyEntries(before, shown, indexes), shown, context.now);
  const admitted = admitSuiteText(target, text, admitOptions(context));
  requireSame(cases, admitted);
  admitText(suite, suite.path, after, context);
  const files = [
    { path: target, text },
    { path: suite.path, text: after },
  ];
  return planOf('graduate', suite, ids, target, files, request.details, context);
}

/**
 * Plans a whole capability suite becoming a regression suite: type, gate and threshold are set, and a file in a
 * Capability directory moves to the Regression directory beside it.
 * @throws AssayError `INPUT` when that cannot be done, or as loading does
 */
export function planGraduateSuite(
  suite: Suite,
  into: string | null,
  details: JsonObject,
  context: PlanContext,
): ChangePlan {
  requireOwn(suite, context.roots);
  requireData(suite, "write type: 'regression'");
  if (suite.format === 'trace') {
    const target = into === null ? graduationTarget(suite) : resolve(context.cwd, into);
    const files = movedFixtures(suite, [...suite.cases], target);
    for (const { path, text } of files)
      if (text !== null) admitText({ ...suite, kind: 'regression' }, path, text, context);
    return planOf('graduate', suite, [], target, files, details, context);
  }
  const text = asRegression(suiteText(suite), suite.displayPath, context.now);
  const regression = regressionDirectory(dirname(suite.path));
  const target =
    into !== null
      ? resolve(context.cwd, into)
      : regression === null
        ? suite.path
        : join(regression, basename(suite.path));
  if (target !== suite.path) requireFree(target);
  requireSame([...suite.cases], admitSuiteText(target, text, admitOptions(context)));
  const files: PlannedFile[] = [{ path: target, text }];
  if (target !== suite.path) files.push({ path: suite.path, text: null });
  return planOf('graduate', suite, [], target, files, details, context);
}
