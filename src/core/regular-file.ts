import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** Largest file that is read whole, bytes. */
const LARGEST = 512 * 1024 * 1024;

/**
 * Says that something is no file that can be read whole: a pipe would be waited for without end, a device has no end.
 * @throws Error with what it is
 */
export function requireRegularFile(state: Stats): void {
  if (state.isDirectory()) throw new Error('it is a directory, not a file');
  if (state.isFIFO()) throw new Error('it is a pipe, not a file');
  if (state.isCharacterDevice() || state.isBlockDevice()) throw new Error('it is a device, not a file');
  if (!state.isFile()) throw new Error('it is no regular file');
  if (state.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024 / 1024} MiB`);
}

/**
 * The bytes of a file that a person wrote.
 * @throws Error what the file system throws, or what it is instead of a file
 */
export function readRegularFile(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireRegularFile(fstatSync(descriptor));
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
