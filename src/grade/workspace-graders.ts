import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { quote, type CheckSpecOf, type Recording } from '../core/index.js';
import { cannotGrade, decide, settledFail, type Verdict } from './grader.js';
import { placeOf, presenceOf } from './workspace-path.js';

const MEBIBYTE = 1024 * 1024;
/** Largest workspace file that is read, in bytes. */
const FILE_LIMIT = 64 * MEBIBYTE;

const ESCAPES = 'path escapes workspace';

/** Passes when a regular file is there. */
export function gradeFileExists(spec: CheckSpecOf<'file-exists'>, recording: Recording): Verdict {
  const place = placeOf(recording, spec.path);
  const path = quote(spec.path);
  if (place.kind === 'escapes') return settledFail(`${ESCAPES}: ${path}`);
  if (place.kind === 'nothing') return decide(false, `${path} is missing`);
  if (lstatSync(place.path).isFile()) return decide(true, `${path} is a regular file`);
  return decide(false, `${path} is not a regular file`);
}

/** Passes when nothing at all is there, not even a directory or a dangling link. */
export function gradeFileAbsent(spec: CheckSpecOf<'file-absent'>, recording: Recording): Verdict {
  const presence = presenceOf(recording, spec.path);
  const path = quote(spec.path);
  if (presence === 'escapes') return settledFail(`${ESCAPES}: ${path}`);
  if (presence === 'nothing') return decide(true, `nothing is at ${path}`);
  return decide(false, `${path} is unexpectedly present`);
}

/** The bytes of a regular file, or why they cannot be had. The last component must not have become a link. */
function readRegularFile(path: string): Buffer | string {
  // Without O_NONBLOCK a pipe put in the file's place would hang the run.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return 'it is not a regular file';
    if (stats.size > FILE_LIMIT) return `it is larger than ${FILE_LIMIT / MEBIBYTE} MiB`;
    const bytes = Buffer.alloc(stats.size);
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(handle, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(handle);
  }
}

/** Passes when the file can be read as UTF-8 and contains the needle. */
export function gradeFileContains(spec: CheckSpecOf<'file-contains'>, recording: Recording): Verdict {
  const place = placeOf(recording, spec.path);
  const path = quote(spec.path);
  if (place.kind === 'escapes') return settledFail(`${ESCAPES}: ${path}`);
  if (place.kind === 'nothing') return settledFail(`cannot read ${path}: it is missing`);
  if (!lstatSync(place.path).isFile()) return settledFail(`cannot read ${path}: it is not a regular file`);
  const bytes = readRegularFile(place.path);
  if (typeof bytes === 'string') return cannotGrade(`cannot read ${path}: ${bytes}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return settledFail(`cannot read ${path}: it is not UTF-8`);
  }
  const needle = quote(spec.needle);
  if (text.includes(spec.needle)) return decide(true, `${path} contains ${needle}`);
  return decide(false, `${needle} is not in ${path} (${bytes.length} bytes)`);
}
