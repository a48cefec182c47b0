import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, errorMessage } from '../core/index.js';
import { writeOut } from './streams.js';

const BUFFER = 64 * 1024;

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

/** Where a path leads: links followed, so that a link stays a link; what does not exist yet is itself. */
function placeOf(path: string): { path: string; special: boolean } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, special: false };
  if (stats.isDirectory()) throw new Error('it is a directory');
  // A device or a pipe is written to; it must never be replaced by a file.
  return { path: realpathSync(path), special: !stats.isFile() };
}

function cannotWrite(path: string, error: unknown): AssayError {
  return new AssayError('STORE', `cannot write ${path}: ${errorMessage(error)}`, {
    fix: 'name a file that can be written after --out',
  });
}

function fileOutput(named: string): ResultOutput {
  let descriptor: number;
  let path = named;
  let special = false;
  let temporary = '';
  try {
    mkdirSync(dirname(named), { recursive: true });
    ({ path, special } = placeOf(named));
    temporary = special ? path : `${path}.${process.pid}.tmp`;
    descriptor = openSync(temporary, 'w', 0o666);
  } catch (error) {
    throw cannotWrite(named, error);
  }
  let held = '';
  let open = true;
  const flush = (): void => {
    let bytes = Buffer.from(held, 'utf8');
    held = '';
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
  };
  const close = (): void => {
    if (open) closeSync(descriptor);
    open = false;
  };
  const discard = (): void => {
    close();
    if (!special) rmSync(temporary, { force: true });
  };
  return {
    write(text) {
      held += text;
      if (held.length >= BUFFER) flush();
    },
    commit() {
      try {
        flush();
        if (!special) fsyncSync(descriptor);
        close();
        if (!special) renameSync(temporary, path);
      } catch (error) {
        discard();
        throw cannotWrite(named, error);
      }
    },
    discard,
  };
}

/** Opens the place a result goes to: a file when one is named, else stdout. */
export function openResultOutput(path: string | undefined): ResultOutput {
  return path === undefined ? stdoutOutput() : fileOutput(path);
}
