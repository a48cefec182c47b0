import { closeSync, fdatasync, ftruncateSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { AssayError } from '../core/index.js';
import { storeError } from './store-error.js';
import { TextSlab, type Stretch } from './text-slab.js';

/**
 * When an appended line is on the disk. `always`: as soon as the disk can, `batch`: lines wait up to 50 ms for each
 * other, `off`: when the operating system likes.
 */
export type FsyncMode = 'always' | 'batch' | 'off';

/** In batch mode, the time that lines wait for others, milliseconds. */
const WINDOW_MS = 50;
/** In batch mode, the amount of waiting text that does not wait any longer, bytes. */
const WINDOW_LENGTH = 256 * 1024;

const writeBytes = promisify(write);
const syncData = promisify(fdatasync);

/** A line that was appended. */
export interface AppendedLine {
  /** Its UTF-8 bytes, without the line feed. */
  bytes: Stretch;
  /** Kept when the line is stored as the mode promises; rejects with AssayError `STORE`. */
  stored: Promise<void>;
}

/** Lines that share one write and one promise. */
class Batch {
  /** Stretches of memory that are written one after another. */
  readonly stretches: { buffer: Buffer; from: number; to: number }[] = [];
  length = 0;
  readonly stored: Promise<void>;
  resolve: () => void = () => undefined;
  reject: (error: AssayError) => void = () => undefined;

  constructor() {
    this.stored = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Adds a line and the line feed that follows it in memory. */
  add({ buffer, from, to }: Stretch): void {
    const last = this.stretches.at(-1);
    if (last !== undefined && last.buffer === buffer && last.to === from) last.to = to + 1;
    else this.stretches.push({ buffer, from, to: to + 1 });
    this.length += to + 1 - from;
  }
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
  readonly #slab = new TextSlab();
  #waiting: Batch | null = null;
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

  /** Appends one line. */
  put(line: string): AppendedLine {
    const bytes = this.#slab.add(line);
    const stored = this.#failure === null ? this.#join(bytes) : Promise.reject(this.#failure);
    return { bytes, stored };
  }

  /** Appends one line. Resolves when it is stored as the mode promises; rejects with AssayError `STORE`. */
  append(line: string): Promise<void> {
    return this.put(line).stored;
  }

  /** Writes and syncs what waits, now. Resolves when every line appended so far is stored. */
  flush(): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (!this.#busy && this.#waiting === null) return Promise.resolve();
    this.#urgent = true;
    return this.#join(null);
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

  #join(line: Stretch | null): Promise<void> {
    this.#waiting ??= new Batch();
    if (line !== null) this.#waiting.add(line);
    this.#arrange();
    return this.#waiting.stored;
  }

  /** Starts a commit unless one is under way or the window says to wait. */
  #arrange(): void {
    if (this.#busy || this.#scheduled || this.#waiting === null) return;
    if (this.#window !== null && !this.#urgent && this.#waiting.length < WINDOW_LENGTH) {
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
    const batch = this.#takeWaiting();
    if (batch === null) return;
    this.#urgent = false;
    this.#busy = true;
    let failure: AssayError | null = null;
    try {
      for (const { buffer, from, to } of batch.stretches) await this.#write(buffer.subarray(from, to));
      if (batch.length > 0 && this.#mode !== 'off') await syncData(this.#descriptor);
    } catch (error) {
      failure = storeError('write the journal', this.#path, error);
    }
    this.#busy = false;
    if (failure !== null) {
      this.#failure = failure;
      batch.reject(failure);
      this.#takeWaiting()?.reject(failure);
      return;
    }
    batch.resolve();
    if (this.#mode === 'batch') this.#openWindow();
    this.#arrange();
  }

  #takeWaiting(): Batch | null {
    const batch = this.#waiting;
    this.#waiting = null;
    return batch;
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
