import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AssayError, type CheckSpec, type Problem } from '../../src/core/index.js';
import {
  loadAssertionSuite,
  type AssertionLoadOptions,
  type Case,
  type Suite,
} from '../../src/suite/index.js';

/** Stands in a text right before the place at which a problem must be reported. */
const MARK = '§';

/** Files by name. */
export interface Files {
  [name: string]: string | Uint8Array;
}

/** A directory with these files that is gone after the test. Text loses its marks. */
export function directoryOf(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-assertion-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content.replaceAll(MARK, '') : content);
  }
  return root;
}

/** Loads the YAML text as the suite `sample`, with other files beside it. */
export function load(text: string, files: Files = {}, options: AssertionLoadOptions = {}): Suite {
  const cwd = directoryOf({ ...files, 'sample.yaml': text });
  return loadAssertionSuite('sample.yaml', { cwd, ...options });
}

/** The error that refuses a suite. */
export function refusal(loading: () => unknown): AssayError {
  try {
    loading();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('the suite was admitted');
}

/** The error that refuses a suite which loads in its own time. */
export async function lateRefusal(loading: Promise<unknown>): Promise<AssayError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('the suite was admitted');
}

/** The cases of a suite. */
export function casesOf(suite: Suite): Case[] {
  return [...suite.cases];
}

/** The only case of a suite. */
export function onlyCase(suite: Suite): Case {
  const [only, ...rest] = casesOf(suite);
  if (only === undefined || rest.length > 0) throw new Error('the suite has not exactly one case');
  return only;
}

/** A suite of one case, whose lines are the given ones; a prompt and an assertion are added where they are missing. */
export function caseText(lines: string, top = ''): string {
  const prompt = /^(?:§?prompt|turns):/m.test(lines) ? '' : 'prompt: Hello\n';
  const assertions = /^(?:§?assert|turns):/m.test(lines) ? '' : 'assert: [{ type: contains, value: ok }]\n';
  const id = /^§?id:/m.test(lines) ? '' : 'id: one\n';
  const body = `${id}${prompt}${lines}\n${assertions}`.replace(/\n+$/, '').replaceAll('\n', '\n    ');
  return `${top === '' ? '' : `${top}\n`}cases:\n  - ${body}\n`;
}

/** A suite of one case with one assertion. */
export function assertionText(assertion: string): string {
  return caseText(`assert:\n  - ${assertion}`);
}

/** The check that an assertion is admitted as. */
export function checkOf(assertion: string, files: Files = {}): CheckSpec {
  const [only, ...rest] = onlyCase(load(assertionText(assertion), files)).checks;
  if (only === undefined || rest.length > 0) throw new Error('there is not exactly one check');
  return only;
}

/** What must be said of a refused text. */
export interface Expected {
  key: string;
  /** Words of the message. */
  says: string;
  /** Words of the fix. */
  fix: string;
}

/** 1-based line and column of every mark in a text. */
function markedPlaces(text: string): { line: number; column: number }[] {
  const places: { line: number; column: number }[] = [];
  text.split('\n').forEach((line, index) => {
    const parts = line.split(MARK);
    let column = 1;
    for (const part of parts.slice(0, -1)) {
      column += part.length;
      places.push({ line: index + 1, column });
    }
  });
  if (places.length === 0) throw new Error('the text has no mark');
  return places;
}

/** Problems of `sample.yaml` at the marks of its text, in order. */
export function problemsAt(text: string, expected: readonly Expected[]): Problem[] {
  const places = markedPlaces(text);
  expect(places).toHaveLength(expected.length);
  return expected.map(({ key, says, fix }, index) => ({
    file: 'sample.yaml',
    line: places[index]?.line ?? null,
    column: places[index]?.column ?? null,
    key,
    message: expect.stringContaining(says),
    fix: expect.stringContaining(fix),
  }));
}

/** Expects exactly these problems, one at every mark of the text. */
export function expectRefused(text: string, expected: readonly Expected[], files: Files = {}): void {
  const error = refusal(() => load(text, files));
  expect(error.code).toBe('SUITE_INVALID');
  expect(error.problems).toEqual(problemsAt(text, expected));
}

/** Expects one problem of an assertion, at the mark. */
export function expectAssertionRefused(assertion: string, expected: Expected, files: Files = {}): void {
  const { key, says, fix } = expected;
  const inner = key === '' ? '' : key.startsWith('[') ? key : `.${key}`;
  expectRefused(assertionText(assertion), [{ key: `cases[0].assert[0]${inner}`, says, fix }], files);
}
