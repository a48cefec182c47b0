/** Bytes of one slab. */
const SIZE = 256 * 1024;
/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const MOST_BYTES = 3;
const LINE_FEED = 0x0a;

/** Bytes of a larger buffer: a view of its own for every line would cost more than the line. */
export interface Stretch {
  readonly buffer: Buffer;
  /** Offset of the first byte. */
  readonly from: number;
  /** Offset after the last byte. */
  readonly to: number;
}

/** The whole of a buffer. */
export function wholeOf(buffer: Buffer): Stretch {
  return { buffer, from: 0, to: buffer.length };
}

/** Encodes lines into large buffers: one small buffer a line costs several times more than the encoding itself. */
export class TextSlab {
  #slab: Buffer = Buffer.alloc(0);
  #used = 0;

  /** The UTF-8 bytes of a line; a line feed follows them. Lines of one slab follow one another in memory. */
  add(line: string): Stretch {
    const most = line.length * MOST_BYTES + 1;
    // A long line would leave much of a slab unused.
    if (most > SIZE / 4) {
      const buffer = Buffer.from(`${line}\n`, 'utf8');
      return { buffer, from: 0, to: buffer.length - 1 };
    }
    if (this.#used + most > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SIZE);
      this.#used = 0;
    }
    const from = this.#used;
    const to = from + this.#slab.write(line, from, 'utf8');
    this.#slab[to] = LINE_FEED;
    this.#used = to + 1;
    return { buffer: this.#slab, from, to };
  }
}
