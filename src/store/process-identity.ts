import { readFileSync } from 'node:fs';
import { errorCode } from './store-error.js';

/** Start time of a process in the kernel's ticks; null when it is gone, undefined when the system does not say. */
export function processStart(pid: number): string | null | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    return errorCode(error) === 'ENOENT' && process.platform === 'linux' ? null : undefined;
  }
  // The second field is the program's name in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; nobody has asked for its exit code yet.
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return fields[19];
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Whether the process `pid` runs and is the one that began at `start` (as `processStart` said then). Where the system
 * does not tell starts, or `start` is null, a process of that number counts as the same.
 */
export function isSameProcess(pid: number, start: string | null): boolean {
  if (!exists(pid)) return false;
  const now = processStart(pid);
  if (now === null) return false;
  return now === undefined || start === null || now === start;
}

/** What tells this start of the machine from an earlier one; null where the system does not say. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
