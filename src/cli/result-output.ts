import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AssayError, errorMessage, quote } from '../core/index.js';
import { writeOut } from './streams.js';

const BUFFER = 64 * 1024;
const NEW_MODE = 0o666;
const MOST_LINKS = 40;
/** How long a pipe may be without a reader, and how often that is looked at; milliseconds. */
const READER_MS = 10_000;
const READER_STEP_MS = 20;

/** Where a result goes: stdout, or a file that appears only once it is complete. */
export interface ResultOutput {
  write(text: string): void;
  /** Everything is written: flush, and publish the file. */
  commit(): void;
  /** Nothing is published. */
  discard(): void;
}

function stdoutOutput(): ResultOutput {
  let held = '';
  const flush = (): void => {
    if (held !== '') writeOut(held);
    held = '';
  };
  return {
    write(text) {
      held += text;
      if (held.length >= BUFFER) flush();
    },
    commit: flush,
    discard: flush,
  };
}

/** Where a path leads: links followed, also those to what does not exist yet, so that a link stays a link. */
function placeOf(named: string): { path: string; special: boolean; mode: number } {
  let path = named;
  for (let followed = 0; lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;) {
    followed += 1;
    if (followed > MOST_LINKS) throw new Error('its links lead in a circle');
    path = resolve(dirname(path), readlinkSync(path));
  }
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, special: false, mode: NEW_MODE };
  if (stats.isDirectory()) throw new Error('it is a directory');
  // A file that nobody may write is not to be replaced by one that has its name.
  accessSync(path, constants.W_OK);
  // A device or a pipe is written to; it must never be replaced by a file.
  return { path, special: !stats.isFile(), mode: stats.mode & 0o777 };
}

function isPipe(path: string): boolean {
  return statSync(path).isFIFO();
}

/** An end of a pipe, once somebody reads from it; that is not waited for without end. */
function pipeEnd(path: string): number {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += READER_STEP_MS) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      const absent = error instanceof Error && 'code' in error && error.code === 'ENXIO';
      if (!absent) throw error;
      if (waited >= READER_MS) throw new Error('nobody reads from the pipe', { cause: error });
      Atomics.wait(nothing, 0, 0, READER_STEP_MS);
    }
  }
}

function cannotWrite(path: string, error: unknown): AssayError {
  return new AssayError('STORE', `cannot write ${quote(path)}: ${errorMessage(error)}`, {
    fix: 'name a file that can be written after --out',
  });
}

/** The open end of a result that goes to a file. */
interface Opened {
  path: string;
  /** What is written: the file beside it that will take its name, or the device or pipe itself. */
  written: string;
  special: boolean;
  descriptor: number;
}

function openFile(named: string): Opened {
  try {
    if (named.trim() === '') throw new Error('it is no name');
    mkdirSync(dirname(named), { recursive: true });
    const { path, special, mode } = placeOf(named);
    // Held until there is one that waits for its reader: without any, the reader would be at an end.
    const first = special && isPipe(path) ? pipeEnd(path) : null;
    const written = special ? path : `${path}.${process.pid}.tmp`;
    const descriptor = openSync(written, special ? constants.O_WRONLY : 'w', mode);
    if (first !== null) closeSync(first);
    return { path, written, special, descriptor };
  } catch (error) {
    throw cannotWrite(named, error);
  }
}

function fileOutput(named: string): ResultOutput {
  const { path, written, special, descriptor } = openFile(named);
  let held = '';
  let open = true;
  const close = (): void => {
    if (open) closeSync(descriptor);
    open = false;
  };
  const discard = (): void => {
    const unfinished = open;
    close();
    if (unfinished && !special) rmSync(written, { force: true });
  };
  // After a failure nothing more is written: half a result is none.
  const attempt = (work: () => void): void => {
    if (!open) return;
    try {
      work();
    } catch (error) {
      discard();
      throw cannotWrite(named, error);
    }
  };
  const flush = (): void => {
    let bytes = Buffer.from(held, 'utf8');
    held = '';
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
  };
  return {
    write(text) {
      held += text;
      if (held.length >= BUFFER) attempt(flush);
    },
    commit() {
      attempt(() => {
        flush();
        if (!special) fsyncSync(descriptor);
        if (!special) renameSync(written, path);
        close();
      });
    },
    discard,
  };
}

/** Opens the place a result goes to: a file when one is named, else stdout. */
export function openResultOutput(path: string | undefined): ResultOutput {
  return path === undefined ? stdoutOutput() : fileOutput(path);
}
