import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AssayError, loadSuite, type Case, type Problem, type Suite } from '../../src/index.js';

/** Stands in a text right before the place at which a problem must be reported. */
const MARK = '§';

const TURN = '{"user_input": "hello", "steps": [{"response": {"type": "text", "content": "ok"}}]}';

/** The text of a fixture. Every part is JSON text of its own; the expectations stand alone on line 5. */
export function fixture(parts: { top?: string; turns?: string; expects?: string } = {}): string {
  const { top = '', turns = `[${TURN}]`, expects = '{"response_contains": ["ok"]}' } = parts;
  return `{\n  "model_name": "sample",\n  ${top === '' ? '' : `${top}, `}"turns": ${turns},\n  "expects":\n    ${expects}\n}\n`;
}

/** The text of a fixture whose one turn is the given one. */
export function turnFixture(turn: string): string {
  return fixture({ turns: `[\n    ${turn}\n  ]` });
}

/** The text of a fixture whose one turn answers with the given steps. */
export function stepsFixture(steps: string): string {
  return turnFixture(`{"user_input": "hello", "steps": ${steps}}`);
}

/** The text of a fixture with these expectations beside a real check. */
export function withCheck(expectations: string): string {
  return fixture({ expects: `{"response_contains": ["ok"], ${expectations}}` });
}

/** Writes files into a directory that is gone after the test. Text loses its marks. */
export function directoryOf(
  files: { [name: string]: string | Uint8Array },
  name = 'regression',
): { cwd: string; path: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-suite-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const path = join(cwd, name);
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(path, file), typeof content === 'string' ? content.replaceAll(MARK, '') : content);
  }
  return { cwd, path };
}

/** Loads a suite of these files. */
export function load(files: { [name: string]: string | Uint8Array }, name = 'regression'): Promise<Suite> {
  const { cwd } = directoryOf(files, name);
  return loadSuite(name, { cwd });
}

/** The error that refuses a suite. */
export async function refusal(loading: Promise<Suite>): Promise<AssayError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('the suite was admitted');
}

/** The one case that a text is admitted as. */
export async function admitted(text: string | Uint8Array): Promise<Case> {
  const suite = await load({ 'case.json': text });
  const [only] = [...suite.cases];
  if (only === undefined) throw new Error('the suite is empty');
  return only;
}

/** 1-based line and column of the mark in a text. */
export function markedPlace(text: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(MARK)).split('\n');
  if (!text.includes(MARK)) throw new Error('the text has no mark');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** What must be said of a refused text, at its mark. */
export interface Expected {
  key: string;
  /** Words of the message. */
  says: string;
  /** Words of the fix. */
  fix: string;
}

/** Expects exactly one problem, at the mark, that says the words. */
export async function expectRefused(text: string, { key, says, fix }: Expected): Promise<void> {
  const error = await refusal(load({ 'case.json': text }));
  expect(error.code).toBe('SUITE_INVALID');
  expect(error.problems).toEqual([problemAt(text, { key, says, fix })]);
  expect(error.describe()).toContain(
    `${join('regression', 'case.json')}:${markedPlace(text).line}:${markedPlace(text).column}`,
  );
}

/** A problem of `case.json` at the mark of its text. */
export function problemAt(text: string, { key, says, fix }: Expected): Problem {
  return {
    file: join('regression', 'case.json'),
    ...markedPlace(text),
    key,
    message: expect.stringContaining(says),
    fix: expect.stringContaining(fix),
  };
}
