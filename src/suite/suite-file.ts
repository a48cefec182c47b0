import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { AssayError, errorMessage, readRegularFile } from '../core/index.js';
import type { Suite } from './case.js';
import { displayPath } from './load.js';

/** A file that holds a suite. */
export interface SuiteFile {
  /** Absolute. */
  path: string;
  /** The file as the user would name it. */
  shown: string;
  format: Suite['format'];
  /** Directory that messages are relative to. */
  cwd: string;
}

/** The name of a suite: that of its file, without `.yaml`, `.suite.ts` or `.scenario.ts`. */
export function suiteName(path: string): string {
  const name = basename(path);
  return name.slice(0, name.length - extname(name).length).replace(/\.(?:suite|scenario)$/, '');
}

/**
 * The suite file at a path, relative to `cwd`.
 * @throws AssayError `SUITE_NOT_FOUND`
 */
export function findSuiteFile(path: string, format: Suite['format'], options: { cwd?: string }): SuiteFile {
  const cwd = options.cwd ?? process.cwd();
  const absolute = resolve(cwd, path);
  const shown = displayPath(absolute, cwd);
  if (statSync(absolute, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new AssayError('SUITE_NOT_FOUND', `suite not found: ${shown}`, {
      fix: 'name a suite file, or a directory of trace fixtures',
    });
  }
  return { path: absolute, shown, format, cwd };
}

/**
 * The text of a suite file.
 * @throws AssayError `SUITE_INVALID` when it cannot be read or is not UTF-8
 */
export function readSuiteText(file: SuiteFile): string {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(file.path);
  } catch (error) {
    throw new AssayError('SUITE_INVALID', `${file.shown} cannot be read: ${errorMessage(error)}`, {
      fix: 'check its permissions',
      cause: error,
    });
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new AssayError('SUITE_INVALID', `${file.shown} is not UTF-8 text`, { fix: 'save it as UTF-8' });
}
