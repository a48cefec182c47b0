import type { Readable } from 'node:stream';

/** What stood on standard input. */
export type ReadInput =
  | { text: string }
  | { text: null; skip: 'skip-oversized-input' | 'skip-invalid-input'; why: string };

/** How much is read, and how long. */
export interface InputLimits {
  /** Bytes. */
  most: number;
  /** Milliseconds. */
  timeoutMs: number;
}

/**
 * Reads a stream to its end. What is too long is read on and thrown away, so that the writer is not cut off; what does
 * not end is left after a while.
 */
export function readInput(stream: Readable, limits: InputLimits): Promise<ReadInput> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (answer: ReadInput): void => {
      clearTimeout(timer);
      stream.removeAllListeners();
      stream.on('error', () => undefined);
      stream.destroy();
      done(answer);
    };
    const timer = setTimeout(() => {
      settle({
        text: null,
        skip: 'skip-invalid-input',
        why: `standard input did not end within ${limits.timeoutMs / 1000} s`,
      });
    }, limits.timeoutMs);
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limits.most) chunks.push(chunk);
      else chunks.length = 0;
    });
    stream.on('error', (error) => {
      settle({ text: null, skip: 'skip-invalid-input', why: `standard input broke off: ${error.message}` });
    });
    stream.on('end', () => {
      if (length > limits.most) {
        const why = `standard input has ${length} bytes, more than ${limits.most}`;
        settle({ text: null, skip: 'skip-oversized-input', why });
      } else settle({ text: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
