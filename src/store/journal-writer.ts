import { closeSync, fdatasync, ftruncateSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { AssayError } from '../core/index.js';
import { storeError } from './store-error.js';

/**
 * When an appended line is on the disk. `always`: as soon as the disk can, `batch`: lines wait up to 50 ms for each
 * other, `off`: when the operating system likes.
 */
export type FsyncMode = 'always' | 'batch' | 'off';

/** In batch mode, the time that lines wait for others, milliseconds. */
const WINDOW_MS = 50;
/** In batch mode, the amount of waiting text that does not wait any longer, characters. */
const WINDOW_LENGTH = 256 * 1024;

/** Lines that are made into one buffer. */
const MOST_LINES = 256;

const writeBytes = promisify(write);
const syncData = promisify(fdatasync);

interface Waiting {
  resolve: () => void;
  reject: (error: AssayError) => void;
}

/**
 * Appends lines to an open file, many at a time: one write and at most one sync serve all lines that wait. A promise
 * is kept only after its line is where the mode says. After the first failure nothing more is written, because what
 * a disk holds after it refused is not known; the part of a line that was written is cut off again.
 */
export class JournalWriter {
  readonly #descriptor: number;
  readonly #path: string;
  readonly #mode: FsyncMode;
  /** Bytes of the file that are whole lines. */
  #size: number;
  #lines: string[] = [];
  #length = 0;
  #waiting: Waiting[] = [];
  #busy = false;
  #urgent = false;
  #scheduled = false;
  #window: NodeJS.Timeout | null = null;
  #failure: AssayError | null = null;

  /** `descriptor` is open for appending; `size` is the length of the file, which ends with a whole line. */
  constructor(descriptor: number, path: string, size: number, mode: FsyncMode) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#size = size;
    this.#mode = mode;
  }

  /** Appends one line. Resolves when it is stored as the mode promises; rejects with AssayError `STORE`. */
  append(line: string): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#lines.push(line);
    this.#length += line.length + 1;
    return this.#join();
  }

  /** Writes and syncs what waits, now. Resolves when every line appended so far is stored. */
  flush(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (!this.#busy && this.#lines.length === 0) return Promise.resolve();
    this.#urgent = true;
    return this.#join();
  }

  /** Flushes and closes the file. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      if (this.#window !== null) clearTimeout(this.#window);
      this.#window = null;
      closeSync(this.#descriptor);
    }
  }

  #join(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#arrange();
    });
  }

  /** Starts a commit unless one is under way or the window says to wait. */
  #arrange(): void {
    if (this.#busy || this.#scheduled || this.#waiting.length === 0) return;
    if (this.#window !== null && !this.#urgent && this.#length < WINDOW_LENGTH) {
      // Somebody waits for the end of the window, so the process must live to see it.
      this.#window.ref();
      return;
    }
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    const waiting = this.#waiting;
    const lines = this.#lines;
    this.#waiting = [];
    this.#lines = [];
    this.#length = 0;
    this.#urgent = false;
    this.#busy = true;
    let failure: AssayError | null = null;
    try {
      for (let from = 0; from < lines.length; from += MOST_LINES) {
        const piece = lines.slice(from, from + MOST_LINES).join('\n');
        await this.#write(Buffer.from(`${piece}\n`, 'utf8'));
      }
      if (lines.length > 0 && this.#mode !== 'off') await syncData(this.#descriptor);
    } catch (error) {
      failure = storeError('write the journal', this.#path, error);
    }
    this.#busy = false;
    if (failure !== null) {
      this.#failure = failure;
      const refused = [...waiting, ...this.#waiting];
      this.#waiting = [];
      this.#lines = [];
      for (const one of refused) one.reject(failure);
      return;
    }
    for (const one of waiting) one.resolve();
    if (this.#mode === 'batch') this.#openWindow();
    this.#arrange();
  }

  async #write(bytes: Buffer): Promise<void> {
    let done = 0;
    try {
      // A write may take less than it was given; the rest follows.
      while (done < bytes.length) {
        const { bytesWritten } = await writeBytes(this.#descriptor, bytes, done, bytes.length - done);
        done += bytesWritten;
      }
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#size += bytes.length;
  }

  #cutBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size);
    } catch {
      // Readers pass over a torn last line, and the next resume cuts it off.
    }
  }

  #openWindow(): void {
    if (this.#window !== null) clearTimeout(this.#window);
    this.#window = setTimeout(() => {
      this.#window = null;
      this.#arrange();
    }, WINDOW_MS);
    this.#window.unref();
  }
}
