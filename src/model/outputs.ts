import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import {
  AssayError,
  didYouMean,
  errorMessage,
  isJsonObject,
  parseJson,
  quote,
  type JsonValue,
  type Problem,
} from '../core/index.js';

/** Answers that were produced elsewhere, by case and trial. */
export interface StoredOutputs {
  /** The file, as it was named. */
  readonly file: string;
  /** Number of answers, 1 or more. */
  readonly size: number;
  /** The answer of a case's trial (1-based), or undefined when there is none. An empty answer is ''. */
  get(caseId: string, trial: number): string | undefined;
  /** The line of an answer, 1-based, or undefined when there is none. */
  line(caseId: string, trial: number): number | undefined;
  /** Every case that has an answer, in the order of the file, with its trials in rising order. */
  trials(): ReadonlyMap<string, readonly number[]>;
}

const KEYS = ['id', 'trial', 'output'];

interface Row {
  id: string;
  trial: number;
  output: string;
}

type Report = (column: number | null, key: string, message: string, fix: string) => void;

/** 1-based column of a key in its line; 1 when the key is not there. */
function columnOf(line: string, key: string): number {
  return Math.max(0, line.indexOf(JSON.stringify(key))) + 1;
}

/** Where JSON broke, as far as the engine says. */
function brokenAt(message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? 1 : Number(position) + 1;
}

function readRow(line: string, report: Report): Row | null {
  const form = 'write one object a line: {"id": "case", "trial": 1, "output": "text"}';
  const parsed = parseJson(line);
  if (!parsed.ok) {
    report(brokenAt(parsed.message), '', `not JSON: ${parsed.message}`, form);
    return null;
  }
  const row = parsed.value;
  if (!isJsonObject(row)) {
    report(1, '', 'not a JSON object', form);
    return null;
  }
  let sound = true;
  const problem = (key: string, message: string, fix: string): void => {
    sound = false;
    report(columnOf(line, key), key, message, fix);
  };
  for (const key of Object.keys(row)) {
    if (KEYS.includes(key)) continue;
    const near = didYouMean(key, KEYS);
    problem(key, 'unknown key', near === null ? `the keys are ${KEYS.join(', ')}` : `did you mean ${near}?`);
  }
  const { id, trial, output } = row;
  const what = (value: JsonValue | undefined): string =>
    value === undefined ? 'missing' : 'wrong type or value';
  if (typeof id !== 'string' || id === '') problem('id', what(id), 'write the id of the case as a string');
  if (typeof trial !== 'number' || !Number.isSafeInteger(trial) || trial < 1) {
    problem('trial', what(trial), 'write the number of the trial, 1 or more');
  }
  if (typeof output !== 'string') problem('output', what(output), 'write the answer as a string');
  return sound && typeof id === 'string' && typeof trial === 'number' && typeof output === 'string'
    ? { id, trial, output }
    : null;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The lines of a file with their 1-based numbers; null for a line that is not UTF-8 text. */
function* linesOf(file: Buffer): Generator<{ number: number; line: string | null }> {
  const content = file.subarray(0, 3).equals(BYTE_ORDER_MARK) ? file.subarray(3) : file;
  if (isUtf8(content)) {
    const text = content.toString('utf8');
    for (let start = 0, number = 1; start < text.length; number += 1) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      yield { number, line: text.slice(start, end) };
      start = end + 1;
    }
    return;
  }
  for (let start = 0, number = 1; start < content.length; number += 1) {
    const found = content.indexOf(0x0a, start);
    const end = found < 0 ? content.length : found;
    const bytes = content.subarray(start, end);
    yield { number, line: isUtf8(bytes) ? bytes.toString('utf8') : null };
    start = end + 1;
  }
}

interface StoredOutput {
  trial: number;
  output: string;
  /** 1-based. */
  line: number;
}

/** The answers of one case. Most cases have one, and there may be very many cases. */
class CaseOutputs {
  private readonly first: StoredOutput;
  private more: Map<number, StoredOutput> | null = null;

  constructor(first: StoredOutput) {
    this.first = first;
  }

  get(trial: number): StoredOutput | undefined {
    return this.first.trial === trial ? this.first : this.more?.get(trial);
  }

  add(output: StoredOutput): void {
    this.more ??= new Map();
    this.more.set(output.trial, output);
  }

  /** Numbers of the trials, rising. */
  trials(): number[] {
    return [this.first.trial, ...(this.more?.keys() ?? [])].toSorted((left, right) => left - right);
  }
}

/**
 * Reads stored answers: JSON Lines of `{id, trial, output}`, all three required, nothing else allowed, each
 * (id, trial) once. Blank lines are skipped. Throws an `AssayError` with code `INPUT` that holds every problem of the
 * file with its line and column.
 */
export async function readOutputs(file: string): Promise<StoredOutputs> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    throw new AssayError('INPUT', `the stored outputs cannot be read: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  const problems: Problem[] = [];
  const cases = new Map<string, CaseOutputs>();
  let size = 0;
  for (const { number, line } of linesOf(content)) {
    const report: Report = (column, key, message, fix) => {
      problems.push({ file, line: number, column, key, message, fix });
    };
    if (line === null) {
      report(1, '', 'not UTF-8 text', 'save the file as UTF-8');
      continue;
    }
    if (line.trim() === '') continue;
    const row = readRow(line, report);
    if (row === null) continue;
    const known = cases.get(row.id);
    const first = known?.get(row.trial);
    if (first !== undefined) {
      const again = `trial ${row.trial} of ${quote(row.id)} is here twice, first in line ${first.line}`;
      report(columnOf(line, 'trial'), 'trial', again, 'give every trial its own number');
      continue;
    }
    const stored = { trial: row.trial, output: row.output, line: number };
    if (known === undefined) cases.set(row.id, new CaseOutputs(stored));
    else known.add(stored);
    size += 1;
  }
  if (size === 0 && problems.length === 0) {
    problems.push({
      file,
      line: null,
      column: null,
      key: '',
      message: 'holds no outputs',
      fix: 'write one a line',
    });
  }
  if (problems.length > 0) {
    throw new AssayError('INPUT', `the stored outputs in ${quote(file)} cannot be used`, { problems });
  }
  return {
    file,
    size,
    get: (caseId, trial) => cases.get(caseId)?.get(trial)?.output,
    line: (caseId, trial) => cases.get(caseId)?.get(trial)?.line,
    trials: () => new Map([...cases].map(([id, outputs]) => [id, outputs.trials()])),
  };
}
