import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { AssayError, errorMessage } from '../core/index.js';

/** One file in a zip archive. */
export interface ZipEntry {
  /** As it is written; data, never a path to write to. */
  name: string;
  method: number;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

/** A zip archive that is open for reading. */
export interface ZipFile {
  entries: readonly ZipEntry[];
  /** The text of an entry. Throws AssayError `INPUT` when it is damaged, too large or packed in an unknown way. */
  text(entry: ZipEntry): string;
  close(): void;
}

// Numbers of the zip format (PKWARE's APPNOTE, sections 4.3 and 4.5).
const END = 0x06054b50;
const END_LENGTH = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const ZIP64_FIELD = 0x0001;
const UNSET = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x0001;

/** Largest text of one entry, unpacked: more is no log but an attack. */
const LARGEST_ENTRY = 512 * 1024 * 1024;
const LARGEST_DIRECTORY = 256 * 1024 * 1024;
const MOST_ENTRIES = 1_000_000;

function damaged(shown: string, what: string): AssayError {
  return new AssayError('INPUT', `${shown} is no zip archive that can be read: ${what}`);
}

class Archive implements ZipFile {
  readonly entries: readonly ZipEntry[];
  private readonly shown: string;
  private readonly descriptor: number;
  private readonly length: number;

  constructor(descriptor: number, shown: string) {
    this.descriptor = descriptor;
    this.shown = shown;
    this.length = fstatSync(descriptor).size;
    this.entries = this.directory();
  }

  text(entry: ZipEntry): string {
    const { name } = entry;
    const head = this.read(entry.offset, LOCAL_LENGTH);
    if (head.readUInt32LE(0) !== LOCAL) throw damaged(this.shown, `${name} is not where the directory says`);
    const start = entry.offset + LOCAL_LENGTH + head.readUInt16LE(26) + head.readUInt16LE(28);
    if ((head.readUInt16LE(6) & ENCRYPTED) !== 0) throw damaged(this.shown, `${name} is encrypted`);
    if (entry.size > LARGEST_ENTRY) throw damaged(this.shown, `${name} is larger than 512 MB`);
    const packed = this.read(start, entry.compressed);
    const bytes = this.unpacked(entry, packed);
    if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
      throw damaged(this.shown, `${name} is damaged`);
    return bytes.toString('utf8');
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private unpacked(entry: ZipEntry, packed: Buffer): Buffer {
    if (entry.method === STORED) return packed;
    if (entry.method !== DEFLATED) {
      throw new AssayError('INPUT', `${this.shown}: ${entry.name} is packed by method ${entry.method}`, {
        fix: 'only plain and deflated entries are read: write the log with deflate, or as JSON',
      });
    }
    try {
      // The directory says how much comes out; what gives more is a bomb.
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
    } catch (error) {
      throw damaged(this.shown, `${entry.name}: ${errorMessage(error)}`);
    }
  }

  private read(offset: number, length: number): Buffer {
    if (offset < 0 || length < 0 || offset + length > this.length)
      throw damaged(this.shown, 'it is cut short');
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.descriptor, bytes, done, length - done, offset + done);
      if (count === 0) throw damaged(this.shown, 'it is cut short');
      done += count;
    }
    return bytes;
  }

  /** Where the directory is, how long it is, and how many entries it has. */
  private end(): { offset: number; length: number; count: number } {
    const reach = Math.min(this.length, END_LENGTH + 0xffff);
    const from = this.length - reach;
    const tail = this.read(from, reach);
    for (let at = reach - END_LENGTH; at >= 0; at -= 1) {
      if (tail.readUInt32LE(at) !== END || tail.readUInt16LE(at + 20) !== reach - at - END_LENGTH) continue;
      const large = this.zip64(from + at);
      return (
        large ?? {
          count: tail.readUInt16LE(at + 10),
          length: tail.readUInt32LE(at + 12),
          offset: tail.readUInt32LE(at + 16),
        }
      );
    }
    throw damaged(this.shown, 'it has no directory');
  }

  private zip64(end: number): { offset: number; length: number; count: number } | null {
    if (end < 20) return null;
    const locator = this.read(end - 20, 20);
    if (locator.readUInt32LE(0) !== ZIP64_LOCATOR) return null;
    const record = this.read(this.number64(locator, 8), 56);
    if (record.readUInt32LE(0) !== ZIP64_END) throw damaged(this.shown, 'its directory is not where it says');
    return {
      count: this.number64(record, 32),
      length: this.number64(record, 40),
      offset: this.number64(record, 48),
    };
  }

  private number64(bytes: Buffer, at: number): number {
    const value = bytes.readBigUInt64LE(at);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged(this.shown, 'it says impossible sizes');
    return Number(value);
  }

  private directory(): ZipEntry[] {
    const { offset, length, count } = this.end();
    if (count > MOST_ENTRIES || length > LARGEST_DIRECTORY)
      throw damaged(this.shown, 'it says it has too many entries');
    const bytes = this.read(offset, length);
    const entries: ZipEntry[] = [];
    let at = 0;
    for (let number = 0; number < count; number += 1) {
      if (at + CENTRAL_LENGTH > length || bytes.readUInt32LE(at) !== CENTRAL)
        throw damaged(this.shown, 'its directory is damaged');
      const nameLength = bytes.readUInt16LE(at + 28);
      const extraLength = bytes.readUInt16LE(at + 30);
      const next = at + CENTRAL_LENGTH + nameLength + extraLength + bytes.readUInt16LE(at + 32);
      if (next > length) throw damaged(this.shown, 'its directory is damaged');
      const nameAt = at + CENTRAL_LENGTH;
      const entry: ZipEntry = {
        name: bytes.toString('utf8', nameAt, nameAt + nameLength),
        method: bytes.readUInt16LE(at + 10),
        crc: bytes.readUInt32LE(at + 16),
        compressed: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      };
      this.enlarge(entry, bytes.subarray(nameAt + nameLength, nameAt + nameLength + extraLength));
      entries.push(entry);
      at = next;
    }
    return entries;
  }

  /** Sizes that do not fit into 32 bits stand in a field of their own. */
  private enlarge(entry: ZipEntry, extra: Buffer): void {
    for (let at = 0; at + 4 <= extra.length;) {
      const length = extra.readUInt16LE(at + 2);
      if (at + 4 + length > extra.length) return;
      if (extra.readUInt16LE(at) === ZIP64_FIELD) {
        let next = at + 4;
        for (const key of ['size', 'compressed', 'offset'] as const) {
          if (entry[key] !== UNSET) continue;
          if (next + 8 > at + 4 + length) throw damaged(this.shown, 'its directory is damaged');
          entry[key] = this.number64(extra, next);
          next += 8;
        }
        return;
      }
      at += 4 + length;
    }
  }
}

/** True for a file that begins as zip archives do. */
export function isZip(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    return readSync(descriptor, head, 0, 4, 0) === 4 && [LOCAL, END].includes(head.readUInt32LE(0));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a zip archive. Nothing is unpacked until it is asked for, and nothing is ever written.
 * @throws AssayError `INPUT` when it is none
 */
export function openZip(path: string, shown: string): ZipFile {
  const descriptor = openSync(path, 'r');
  try {
    return new Archive(descriptor, shown);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
