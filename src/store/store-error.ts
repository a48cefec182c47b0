import { AssayError, errorMessage } from '../core/index.js';

interface Meaning {
  what: string;
  fix: string;
}

const NO_SPACE: Meaning = {
  what: 'the disk is full',
  fix: 'Free some space, then go on with `assay run --resume`; every trial counted so far is stored.',
};
const NOT_ALLOWED: Meaning = {
  what: 'permission denied',
  fix: 'Make the directory writable, or set `store.dir` in assay.config.yaml to one that is.',
};
const NOT_A_DIRECTORY: Meaning = {
  what: 'something that is not a directory is in the way',
  fix: 'Move it, or set `store.dir` in assay.config.yaml to another place.',
};
const TOO_MANY_FILES: Meaning = {
  what: 'too many open files',
  fix: 'Raise the limit (`ulimit -n`) or lower `--concurrency`.',
};

// What the operating system's codes mean to a person who waits for results.
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ['ENOSPC', NO_SPACE],
  ['EDQUOT', { what: 'the disk quota is used up', fix: NO_SPACE.fix }],
  [
    'EFBIG',
    { what: 'the file would exceed the allowed size', fix: 'Raise the limit (`ulimit -f`), then resume.' },
  ],
  [
    'EROFS',
    {
      what: 'the file system is read-only',
      fix: 'Set `store.dir` in assay.config.yaml to a writable place.',
    },
  ],
  ['EACCES', NOT_ALLOWED],
  ['EPERM', NOT_ALLOWED],
  [
    'EIO',
    {
      what: 'the disk reported an error',
      fix: 'Check the disk, then go on with `assay run --resume`; every trial counted so far is stored.',
    },
  ],
  ['ENOTDIR', NOT_A_DIRECTORY],
  ['EEXIST', NOT_A_DIRECTORY],
  ['EISDIR', { what: 'a directory is in the way', fix: NOT_A_DIRECTORY.fix }],
  ['ELOOP', { what: 'a symbolic link is in the way', fix: 'Replace the link by what it leads to.' }],
  ['ENAMETOOLONG', { what: 'the path is too long', fix: 'Set `store.dir` to a shorter path.' }],
  ['EMFILE', TOO_MANY_FILES],
  ['ENFILE', TOO_MANY_FILES],
]);

/** The operating system's code of an error, such as `ENOSPC`; null when there is none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** An error of the store that says what was tried, where, why it failed and what to do. Keeps an AssayError as it is. */
export function storeError(action: string, path: string, cause: unknown): AssayError {
  if (AssayError.isInstance(cause)) return cause;
  const code = errorCode(cause);
  const meaning = code === null ? undefined : MEANINGS.get(code);
  const why = meaning === undefined ? errorMessage(cause) : `${meaning.what} (${code})`;
  return new AssayError('STORE', `cannot ${action} ${path}: ${why}`, { fix: meaning?.fix ?? '', cause });
}
