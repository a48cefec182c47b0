import { closeSync, constants, fsync, openSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from './directories.js';
import { errorCode, storeError } from './store-error.js';
import { wholeOf, type Stretch } from './text-slab.js';

const PIECE = 256 * 1024;
/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const MOST_BYTES = 3;
const MOST_NAMES = 10_000;
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const syncFile = promisify(fsync);

/** True for the name of a temporary file of the store, whoever left it behind. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.') && name.endsWith('.tmp');
}

/**
 * A file that is written beside its destination and takes its name only when it is complete, so that a reader sees
 * the old file or the new one, never a part. The descriptor stays open until `publish` or `discard`.
 */
export class TemporaryFile {
  readonly path: string;
  readonly #descriptor: number;
  /** What waits to be written; made with the first text. */
  #piece: Buffer | null = null;
  #length = 0;
  /** Bytes in the file. */
  #size = 0;
  #open = true;

  /** Makes a file with a fresh hidden name in `directory`. Throws AssayError `STORE`. */
  static create(directory: string, name: string, mode: number): TemporaryFile {
    for (let attempt = 1; ; attempt += 1) {
      const path = join(directory, `.${name}.${process.pid}-${attempt}.tmp`);
      try {
        return new TemporaryFile(path, openSync(path, NEW_FILE, mode));
      } catch (error) {
        if (errorCode(error) !== 'EEXIST' || attempt >= MOST_NAMES) throw storeError('make', path, error);
      }
    }
  }

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
  }

  /** Appends text; it reaches the file in large pieces. Throws AssayError `STORE`. */
  write(text: string): void {
    const most = text.length * MOST_BYTES;
    if (most > PIECE) {
      this.writeBytes(wholeOf(Buffer.from(text, 'utf8')));
      return;
    }
    if (this.#length + most > PIECE) this.#flush();
    this.#piece ??= Buffer.allocUnsafeSlow(PIECE);
    this.#length += this.#piece.write(text, this.#length, 'utf8');
  }

  /** Appends bytes, as `write` appends text. Throws AssayError `STORE`. */
  writeBytes({ buffer, from, to }: Stretch): void {
    const length = to - from;
    if (this.#length + length > PIECE) this.#flush();
    if (length > PIECE) {
      this.#put(buffer.subarray(from, to));
      return;
    }
    this.#piece ??= Buffer.allocUnsafeSlow(PIECE);
    this.#length += buffer.copy(this.#piece, this.#length, from, to);
  }

  /** Appends everything another temporary file holds. Throws AssayError `STORE`. */
  copy(other: TemporaryFile): void {
    this.#flush();
    other.#flush();
    const piece = Buffer.allocUnsafe(PIECE);
    let position = 0;
    while (position < other.#size) {
      const count = readSync(other.#descriptor, piece, 0, piece.length, position);
      if (count === 0) throw storeError('read', other.path, new Error('the file was cut short'));
      this.#put(piece.subarray(0, count));
      position += count;
    }
  }

  /** Gives the file its name, replacing what was there (a link itself, never what it leads to). */
  async publish(target: string, sync: boolean): Promise<void> {
    try {
      this.#flush();
      if (sync) await syncFile(this.#descriptor);
      this.#close();
      renameSync(this.path, target);
    } catch (error) {
      this.discard();
      throw storeError('write', target, error);
    }
    if (sync) syncDirectory(dirname(target));
  }

  /** Removes the file. Harmless after `publish`. */
  discard(): void {
    this.#close();
    try {
      unlinkSync(this.path);
    } catch {
      // Published already; or it stays behind as a hidden file, which the next resume clears away.
    }
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#piece === null || this.#length === 0) return;
    const waiting = this.#piece.subarray(0, this.#length);
    this.#length = 0;
    this.#put(waiting);
  }

  #put(bytes: Uint8Array): void {
    let done = 0;
    try {
      // A write may take less than it was given; the rest follows.
      while (done < bytes.length) {
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#size + done);
      }
    } catch (error) {
      throw storeError('write', this.path, error);
    }
    this.#size += bytes.length;
  }
}

/**
 * Writes a whole file so that it is there complete or not at all: temporary file in the same directory, sync,
 * rename, sync of the directory. The text is stored as given; callers redact. Throws AssayError `STORE`.
 */
export async function writeFileAtomic(path: string, text: string, mode: number): Promise<void> {
  const file = TemporaryFile.create(dirname(path), 'write', mode);
  try {
    file.write(text);
  } catch (error) {
    file.discard();
    throw storeError('write', path, error);
  }
  await file.publish(path, true);
}
