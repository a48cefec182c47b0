import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { AssayError } from '../core/index.js';
import { errorCode, storeError } from './store-error.js';

const CHUNK = 512 * 1024;
const TAIL = 64 * 1024;
const LINE_FEED = 0x0a;

/** One line of a file, its line feed left out. */
export interface RawLine {
  /** 1-based. */
  line: number;
  /** Bytes from the start of the file. */
  offset: number;
  /** Bytes. */
  length: number;
  /** The text; null when the bytes are not UTF-8. */
  text: string | null;
  /** False for a last line without a line feed: the writer did not get to its end. */
  complete: boolean;
}

/** Opens a file for reading, symbolic links refused. Throws AssayError `RUN_NOT_FOUND` or `STORE`. */
export function openForReading(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      throw new AssayError('RUN_NOT_FOUND', `there is no journal at ${path}`, {
        fix: 'List the stored runs with `assay list`.',
        cause: error,
      });
    }
    throw storeError('open', path, error);
  }
}

/** The text of a stretch of an open file; null when it is not UTF-8 or not all there. */
export function readStretch(descriptor: number, offset: number, length: number): string | null {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) return null;
    done += count;
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

function decode(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** Every line of an open file, in order, however long; memory holds one chunk and one line. */
export function* readLines(descriptor: number): Generator<RawLine, void, undefined> {
  const chunk = Buffer.allocUnsafe(Math.max(4096, Math.min(CHUNK, fstatSync(descriptor).size)));
  let held: Buffer[] = [];
  let heldBytes = 0;
  let position = 0;
  let line = 0;
  let offset = 0;
  for (;;) {
    const count = readSync(descriptor, chunk, 0, chunk.length, position);
    if (count === 0) break;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, count).indexOf(LINE_FEED, from);
      if (end === -1) break;
      const last = chunk.subarray(from, end);
      const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
      line += 1;
      yield { line, offset, length: bytes.length, text: decode(bytes), complete: true };
      offset += bytes.length + 1;
      held = [];
      heldBytes = 0;
      from = end + 1;
    }
    if (from < count) {
      held.push(Buffer.from(chunk.subarray(from, count)));
      heldBytes += count - from;
    }
    position += count;
  }
  if (heldBytes > 0) {
    line += 1;
    yield { line, offset, length: heldBytes, text: decode(Buffer.concat(held)), complete: false };
  }
}

/** What stands at the end of a file. */
export interface Tail {
  /** Bytes up to and including the last line feed. */
  whole: number;
  /** Bytes after it. */
  torn: number;
  /** Text of the last complete line; null when there is none or it is not UTF-8. */
  last: string | null;
}

/** The end of an open file, read backwards. */
export function readTail(descriptor: number): Tail {
  const size = fstatSync(descriptor).size;
  let span = Math.min(TAIL, size);
  for (;;) {
    const start = size - span;
    const bytes = Buffer.allocUnsafe(span);
    let done = 0;
    while (done < span) {
      const count = readSync(descriptor, bytes, done, span - done, start + done);
      if (count === 0) break;
      done += count;
    }
    const read = bytes.subarray(0, done);
    const end = read.lastIndexOf(LINE_FEED);
    const before = end <= 0 ? -1 : read.lastIndexOf(LINE_FEED, end - 1);
    if (start === 0 || (end !== -1 && before !== -1)) {
      if (end === -1) return { whole: 0, torn: size, last: null };
      return {
        whole: start + end + 1,
        torn: size - start - end - 1,
        last: decode(read.subarray(before + 1, end)),
      };
    }
    span = Math.min(span * 4, size);
  }
}

/** The text of the first line; null when it is not complete, longer than 32 MiB, or not UTF-8. */
export function readFirstLine(descriptor: number): string | null {
  for (let span = 8 * 1024; span <= 32 * 1024 * 1024; span *= 8) {
    const bytes = Buffer.allocUnsafe(span);
    const count = readSync(descriptor, bytes, 0, span, 0);
    const end = bytes.subarray(0, count).indexOf(LINE_FEED);
    if (end !== -1) return decode(bytes.subarray(0, end));
    if (count < span) return null;
  }
  return null;
}

/** Runs `use` on a file opened for reading and closes it, whatever happens. */
export function withFile<Result>(path: string, use: (descriptor: number) => Result): Result {
  const descriptor = openForReading(path);
  try {
    return use(descriptor);
  } catch (error) {
    throw errorCode(error) === null ? error : storeError('read', path, error);
  } finally {
    closeSync(descriptor);
  }
}
