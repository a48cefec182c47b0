import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AssayError, errorMessage } from '../core/index.js';

const PRIVATE_FILE = 0o600;
const MOST_NAMES = 1024;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
}

function refused(directory: string, why: string): AssayError {
  return new AssayError('STORE', `nothing is written to ${directory}: ${why}`, {
    fix: 'Name a directory that is yours alone, and no link to one.',
  });
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there, or the directory is gone with it.
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done);
  fsyncSync(descriptor);
}

/** Gives the temporary file the first name that is free: `stem.json`, `stem_1.json`, ... */
function linkFresh(temporary: string, place: string, stem: string): string {
  for (let attempt = 0; attempt < MOST_NAMES; attempt += 1) {
    const name = `${stem}${attempt === 0 ? '' : `_${attempt}`}.json`;
    try {
      linkSync(temporary, join(place, name));
      return name;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${MOST_NAMES} files named ${stem} are there already`);
}

/** True when the path still leads, without a link, to the directory that was opened. */
function isStill(path: string, opened: { dev: number; ino: number }): boolean {
  const now = lstatSync(path, { throwIfNoEntry: false });
  return now?.isDirectory() === true && now.dev === opened.dev && now.ino === opened.ino;
}

/**
 * Publishes a new JSON file in a directory: written under a hidden name, synced, then linked to its own name, so that
 * it is there whole or not at all and never replaces another. Where `stem.json` is taken, `stem_1.json` and so on are
 * tried. The directory is held open meanwhile: a link in its place is refused, and when it is swapped nothing stays.
 * @param afterOpening called between opening and writing, for tests of what happens in between
 * @returns the file's name
 * @throws AssayError `STORE`
 */
export function publishNew(
  directory: string,
  stem: string,
  text: string,
  afterOpening: () => void = () => undefined,
): string {
  let held: number;
  try {
    held = openSync(directory, DIRECTORY);
  } catch (error) {
    const code = codeOf(error);
    const link = code === 'ELOOP' || code === 'ENOTDIR';
    throw refused(directory, link ? 'it is not a directory of its own' : errorMessage(error));
  }
  try {
    const opened = fstatSync(held);
    if (!opened.isDirectory()) throw refused(directory, 'it is not a directory');
    afterOpening();
    // Where the system offers it, names are resolved in the directory that is held open, whatever its path leads to.
    const anchored = `/proc/self/fd/${held}`;
    const place = existsSync(anchored) ? anchored : directory;
    if (!isStill(directory, opened)) throw refused(directory, 'it was replaced');
    const temporary = join(place, `.${process.pid}-${stem.slice(0, 100)}.tmp`);
    const descriptor = openSync(temporary, NEW_FILE, PRIVATE_FILE);
    let name: string;
    try {
      writeAll(descriptor, text);
      name = linkFresh(temporary, place, stem);
    } finally {
      closeSync(descriptor);
      removeQuietly(temporary);
    }
    if (!isStill(directory, opened)) {
      removeQuietly(join(place, name));
      throw refused(directory, 'it was replaced');
    }
    fsyncSync(held);
    return name;
  } catch (error) {
    throw AssayError.isInstance(error) ? error : refused(directory, errorMessage(error));
  } finally {
    closeSync(held);
  }
}
