import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { AssayError, errorMessage, isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { isTooDeep } from './json-fields.js';

/** One line of a JSONL text. */
export interface JsonLine {
  /** 1-based. */
  line: number;
  value: JsonObject;
}

/** The objects of a JSONL text, and the lines that are none. */
export interface JsonLines {
  lines: JsonLine[];
  /** 1-based numbers of lines that hold no JSON object; blank lines are not among them. */
  broken: number[];
}

/** Reads JSON lines. A line that is broken is noted and breaks no other. */
export function parseJsonLines(text: string): JsonLines {
  const lines: JsonLine[] = [];
  const broken: number[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue;
    const parsed = parseJson(written);
    if (parsed.ok && isJsonObject(parsed.value) && !isTooDeep(parsed.value)) {
      lines.push({ line: index + 1, value: parsed.value });
    } else broken.push(index + 1);
  }
  return { lines, broken };
}

/** The JSON lines of a file; none when it does not exist. Throws AssayError `STORE`. */
export function readJsonLines(path: string): JsonLines {
  try {
    return parseJsonLines(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { lines: [], broken: [] };
    throw new AssayError('STORE', `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function endsTorn(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/**
 * Appends one line, in one write, and waits until it is on the disk. A torn line before it stays a line of its own.
 * Throws AssayError `STORE`; a symbolic link is refused.
 */
export function appendJsonLine(path: string, value: object): void {
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(path, flags, 0o644);
    try {
      writeSync(descriptor, `${endsTorn(descriptor) ? '\n' : ''}${JSON.stringify(value)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new AssayError('STORE', `${path} cannot be written: ${errorMessage(error)}`, { cause: error });
  }
}
