import { sha256 } from '../core/index.js';

const LONGEST = 80;
const HASH_DIGITS = 16;
const HASHED = /-[0-9a-f]{16}$/;
// Device names that some systems reserve in every directory, with any ending.
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * The directory name of a suite. Names are untrusted: everything outside `[A-Za-z0-9._-]` becomes `_`, the result
 * is never empty, `.`, `..`, hidden, an option, a reserved name or longer than 97 characters. A name that had to
 * be changed, or that could be mistaken for a changed one, ends in 16 digits of its SHA-256, so that two different
 * names never share a directory: `nightly` stays, `a/b` becomes `a_b-` and the digits.
 */
export function safeDirectoryName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/gu, '_');
  const mustChange =
    plain !== name ||
    plain === '' ||
    plain.length > LONGEST ||
    /^[.-]|\.$/.test(plain) ||
    HASHED.test(plain) ||
    RESERVED.test(plain);
  if (!mustChange) return plain;
  const start = plain.slice(0, LONGEST).replace(/^[.-]+|\.+$/g, '_');
  const lead = start === '' || RESERVED.test(start) ? `_${start}` : start;
  // Hashed as a JSON string, in which lone surrogates stay different from each other.
  return `${lead}-${sha256(JSON.stringify(name)).slice(0, HASH_DIGITS)}`;
}

/** True for a run id as Assay makes them, `run_1760000000000_k3x9q2`: what follows `run_` is letters, digits, `_`. */
export function isRunId(text: string): boolean {
  return /^run_[A-Za-z0-9_]{1,80}$/.test(text);
}

function startOf(runId: string): number {
  const digits = /^run_([0-9]{1,15})/.exec(runId)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/** Orders run ids newest first: by the time in them, then by their text. */
export function newestFirst(left: string, right: string): number {
  const difference = startOf(right) - startOf(left);
  if (difference !== 0) return difference;
  if (left === right) return 0;
  return left < right ? 1 : -1;
}
