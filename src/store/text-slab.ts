/** Bytes of one slab. */
const SIZE = 256 * 1024;
/** Most bytes that one UTF-16 unit becomes in UTF-8. */
const MOST_BYTES = 3;
const LINE_FEED = 0x0a;

/** Encodes lines into large buffers: one small buffer a line costs several times more than the encoding itself. */
export class TextSlab {
  #slab: Buffer = Buffer.alloc(0);
  #used = 0;

  /** The UTF-8 bytes of a line with a line feed after it. Lines of one slab follow one another in memory. */
  add(line: string): Buffer {
    const most = line.length * MOST_BYTES + 1;
    // A long line would leave much of a slab unused.
    if (most > SIZE / 4) return Buffer.from(`${line}\n`, 'utf8');
    if (this.#used + most > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SIZE);
      this.#used = 0;
    }
    const from = this.#used;
    const end = from + this.#slab.write(line, from, 'utf8');
    this.#slab[end] = LINE_FEED;
    this.#used = end + 1;
    return this.#slab.subarray(from, this.#used);
  }
}

/** Joins a buffer to the one before it where both lie side by side in memory; null where they do not. */
export function joined(left: Buffer, right: Buffer): Buffer | null {
  if (left.buffer !== right.buffer || left.byteOffset + left.length !== right.byteOffset) return null;
  return Buffer.from(left.buffer, left.byteOffset, left.length + right.length);
}
