import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, errorMessage } from '../core/index.js';

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
    if (held !== '') process.stdout.write(held);
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

function fileOutput(path: string): ResultOutput {
  const temporary = `${path}.${process.pid}.tmp`;
  let descriptor: number;
  try {
    mkdirSync(dirname(path), { recursive: true });
    descriptor = openSync(temporary, 'w', 0o666);
  } catch (error) {
    throw new AssayError('STORE', `cannot write ${path}: ${errorMessage(error)}`, {
      fix: 'name a file that can be written after --out',
    });
  }
  let held = '';
  const flush = (): void => {
    let bytes = Buffer.from(held, 'utf8');
    held = '';
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
  };
  return {
    write(text) {
      held += text;
      if (held.length >= BUFFER) flush();
    },
    commit() {
      flush();
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(temporary, path);
    },
    discard() {
      closeSync(descriptor);
      rmSync(temporary, { force: true });
    },
  };
}

/** Opens the place a result goes to: a file when one is named, else stdout. */
export function openResultOutput(path: string | undefined): ResultOutput {
  return path === undefined ? stdoutOutput() : fileOutput(path);
}
