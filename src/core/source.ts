import { randomBytes } from 'node:crypto';

/** The one source of time, ids and randomness. Everything that would differ between two runs comes from here. */
export interface Source {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** A fresh id that starts with `prefix`. */
  id(prefix: string): string;
}

/** The machine's own clock and randomness. */
export function systemSource(): Source {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
    id: (prefix) =>
      `${prefix}_${Date.now()}_${randomBytes(5).readUIntBE(0, 5).toString(36).padStart(6, '0').slice(-6)}`,
  };
}

/** A source that always gives the same answers: time stands still at `at`, ids count up. */
export function fixedSource(at = 0): Source {
  let counter = 0;
  let state = 0x9e3779b9;
  return {
    now: () => at,
    monotonic: () => 0,
    random: () => {
      // One step of a 32-bit xorshift: enough to vary, always the same sequence.
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    },
    id: (prefix) => {
      counter += 1;
      return `${prefix}_${counter}`;
    },
  };
}
