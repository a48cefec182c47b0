import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssayError, type JsonValue } from '../core/index.js';
import { inspectVacuity } from '../run/index.js';
import {
  admitFixtureText,
  admitSuiteText,
  parseYamlDocument,
  type Case,
  type Suite,
} from '../suite/index.js';

/** In what a text is admitted that is about to be written. */
export interface AdmitContext {
  /** Directory that messages are relative to. */
  cwd: string;
  /** Directory that no path in a suite may leave; without it, the suite's own. */
  within?: string;
}

/** Loads a regression suite the way a run would: what an idle agent passes is refused. */
export function admitOptions({ cwd, within }: AdmitContext): Parameters<typeof admitSuiteText>[2] {
  const bounds = within === undefined ? {} : { within };
  return { cwd, ...bounds, inspect: (kind) => (kind === 'regression' ? inspectVacuity : undefined) };
}

/**
 * Refuses suites that are programs: their text is code, which nothing here may change.
 * @throws AssayError `INPUT`
 */
export function requireData(suite: Suite, change: string): void {
  if (suite.format !== 'program') return;
  throw new AssayError('INPUT', `${suite.displayPath} is a program, and Assay does not rewrite code`, {
    fix: `${change} in the file itself`,
  });
}

/** The file of a case of a trace suite, absolute. */
export function fixturePath(suite: Suite, tested: Case): string {
  return join(suite.root, tested.source.name);
}

/**
 * The case with an id.
 * @throws AssayError `INPUT` when the suite has none
 */
export function findCase(suite: Suite, id: string): Case {
  const ids: string[] = [];
  for (const tested of suite.cases) {
    if (tested.id === id) return tested;
    if (ids.length < 5) ids.push(tested.id);
  }
  throw new AssayError('INPUT', `${suite.displayPath} has no case ${JSON.stringify(id)}`, {
    fix: `it has ${ids.join(', ')}${suite.cases.length > ids.length ? ' and others' : ''}`,
  });
}

/**
 * The place of cases in the `cases` list of a suite file, in file order.
 * @throws AssayError `INPUT` when the cases are made from the rows of a data file
 */
export function caseIndexes(suite: Suite, text: string, cases: readonly Case[]): number[] {
  const parsed = parseYamlDocument(suite.displayPath, text);
  const value: JsonValue = parsed.ok ? parsed.document.value : null;
  const list = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['cases'] : null;
  if (!parsed.ok || !Array.isArray(list)) {
    throw new AssayError('INPUT', `the cases of ${suite.displayPath} are made from the rows of a data file`, {
      fix: 'change the rows',
    });
  }
  const lines = new Map(list.map((_, index) => [parsed.document.locate(['cases', index]).line, index]));
  return cases
    .map((tested) => {
      const index = lines.get(tested.source.line);
      if (index === undefined)
        throw new AssayError('INPUT', `${suite.displayPath} changed while it was read`, { fix: 'try again' });
      return index;
    })
    .toSorted((left, right) => left - right);
}

/** The text of a suite file. */
export function suiteText(suite: Suite): string {
  return readFileSync(suite.path, 'utf8');
}

/** Admits what is about to be written over a suite or one of its fixtures. Throws AssayError as loading does. */
export function admitText(suite: Suite, path: string, text: string, context: AdmitContext): void {
  if (suite.format === 'trace') admitFixtureText(path, text, { ...admitOptions(context), kind: suite.kind });
  else admitSuiteText(path, text, admitOptions(context));
}

/** A file name for a fixture: the id with everything that is no plain character replaced. */
export function fixtureName(id: string): string {
  const plain = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain === '') {
    throw new AssayError('INPUT', `${JSON.stringify(id)} gives no file name`, {
      fix: 'use letters and digits in the id',
    });
  }
  return `${plain.slice(0, 100)}.json`;
}

/** The name of a suite's file without its ending. */
export function plainName(path: string): string {
  return basename(path).replace(/\.(?:ya?ml|json|suite\.[mc]?[jt]s)$/, '');
}
