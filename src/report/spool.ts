import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Output } from './output.js';

/** A stretch of a spool, in bytes: from `start` up to `end`. */
export interface Stretch {
  start: number;
  end: number;
}

const PIECE = 64 * 1024;

/**
 * Text that has to wait for totals which only the end of the run knows. Small amounts stay in memory; more goes to a
 * private temporary file, which is unlinked as soon as it is open, so that it is gone however the process ends.
 * Without a writable temporary directory everything stays in memory: a report is never lost for want of a disk.
 */
export class Spool {
  readonly #memoryLimit: number;
  #pending: string[] = [];
  #pendingLength = 0;
  /** What is flushed and could not, or need not yet, be written to the file. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #fileBytes = 0;
  #descriptor: number | null = null;
  /** Set where an open file cannot be unlinked; removed on close. */
  #directory: string | null = null;
  #noFile = false;

  /** `memoryLimit`: bytes that are kept in memory before a file is opened. */
  constructor(memoryLimit = 1024 * 1024) {
    this.#memoryLimit = memoryLimit;
  }

  /** Bytes appended so far. */
  get position(): number {
    this.#flush();
    return this.#fileBytes + this.#heldBytes;
  }

  append(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= PIECE) this.#flush();
  }

  /** Writes a stretch to an output, in pieces. */
  copy(output: Output, stretch: Stretch): void {
    this.#flush();
    const decoder = new StringDecoder('utf8');
    const emit = (bytes: Buffer): void => {
      const text = decoder.write(bytes);
      if (text !== '') output.write(text);
    };
    if (this.#descriptor !== null) {
      const piece = Buffer.allocUnsafe(PIECE);
      let position = stretch.start;
      const end = Math.min(stretch.end, this.#fileBytes);
      while (position < end) {
        const count = readSync(this.#descriptor, piece, 0, Math.min(PIECE, end - position), position);
        if (count === 0) throw new Error('the temporary file of the report was cut short');
        emit(piece.subarray(0, count));
        position += count;
      }
    }
    let offset = this.#fileBytes;
    for (const bytes of this.#held) {
      const from = Math.max(0, stretch.start - offset);
      const to = Math.min(bytes.length, stretch.end - offset);
      for (let at = from; at < to; at += PIECE) emit(bytes.subarray(at, Math.min(to, at + PIECE)));
      offset += bytes.length;
    }
  }

  /** Removes the temporary file. The spool is empty afterwards. */
  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    if (this.#directory !== null) rmSync(this.#directory, { recursive: true, force: true });
    this.#descriptor = null;
    this.#directory = null;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#held = [];
    this.#heldBytes = 0;
    this.#fileBytes = 0;
  }

  #flush(): void {
    if (this.#pendingLength === 0) return;
    const bytes = Buffer.from(this.#pending.join(''), 'utf8');
    this.#pending = [];
    this.#pendingLength = 0;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > (this.#descriptor === null ? this.#memoryLimit : 0)) this.#spill();
  }

  #spill(): void {
    if (this.#noFile) return;
    try {
      this.#descriptor ??= this.#open();
      while (this.#held.length > 0) {
        const bytes = this.#held[0] ?? Buffer.alloc(0);
        const count = writeSync(this.#descriptor, bytes, 0, bytes.length, this.#fileBytes);
        this.#fileBytes += count;
        this.#heldBytes -= count;
        if (count < bytes.length) this.#held[0] = bytes.subarray(count);
        else this.#held.shift();
      }
    } catch {
      this.#noFile = true;
    }
  }

  #open(): number {
    const directory = mkdtempSync(join(tmpdir(), 'assay-report-'));
    let descriptor: number;
    try {
      descriptor = openSync(join(directory, 'spool'), 'wx+', 0o600);
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
    try {
      rmSync(directory, { recursive: true });
    } catch {
      this.#directory = directory;
    }
    return descriptor;
  }
}
