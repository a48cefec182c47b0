import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AssayError, isJsonObject, parseJson } from '../core/index.js';
import { bootId, ensurePrivateDirectory, isSameProcess, processStart } from '../store/index.js';

/** A process, so that it is not taken for a later one with the same number. */
export interface ProcessMark {
  pid: number;
  /** When it began, in the kernel's ticks; null where the system does not say. */
  start: string | null;
}

/** Who has the lock, or had it last. */
export interface LockOwner extends ProcessMark {
  /** Unlike any other owner's. */
  token: string;
  host: string;
  /** The start of the machine; null where the system does not say. */
  boot: string | null;
  /** ISO time. */
  since: string;
  /** The run it started; it may outlive its owner. */
  child: ProcessMark | null;
  released: boolean;
}

/** A lock that this process has. */
export interface HeldLock {
  /** Notes which process the owner started, so that whoever finds the owner dead can end it. */
  setChild(pid: number | null): void;
  /** Gives the lock up. */
  release(): void;
}

/** What came of asking for the lock. */
export type LockAnswer =
  | {
      held: HeldLock;
      /** The owner that was found dead; null when the lock was free. */ dead: LockOwner | null;
    }
  | { held: null; owner: LockOwner };

const PRIVATE_FILE = 0o600;
const NAME = /^owner\.([0-9]{1,15})\.json$/;
const MOST_ATTEMPTS = 100;

function markOf(value: unknown): ProcessMark | null {
  if (typeof value !== 'object' || value === null) return null;
  const pid: unknown = Reflect.get(value, 'pid');
  const start: unknown = Reflect.get(value, 'start');
  if (typeof pid !== 'number') return null;
  return { pid, start: typeof start === 'string' ? start : null };
}

function ownerOf(text: string): LockOwner | null {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { token, host, boot, since, child, released } = parsed.value;
  const mark = markOf(parsed.value);
  if (mark === null || typeof token !== 'string' || typeof host !== 'string') return null;
  return {
    ...mark,
    token,
    host,
    boot: typeof boot === 'string' ? boot : null,
    since: typeof since === 'string' ? since : '',
    child: markOf(child),
    released: released === true,
  };
}

/** Whether an owner still has the lock. One on another host counts as alive: nobody here can tell. */
function isAlive(owner: LockOwner): boolean {
  if (owner.released) return false;
  if (owner.host !== hostname()) return true;
  const boot = bootId();
  if (owner.boot !== null && boot !== null && owner.boot !== boot) return false;
  return isSameProcess(owner.pid, owner.start);
}

interface Newest {
  number: number;
  /** Null when the file cannot be read. */
  owner: LockOwner | null;
}

function newest(directory: string): Newest | null {
  const numbers = readdirSync(directory).flatMap((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN));
  const number = Math.max(...numbers.filter((one) => !Number.isNaN(one)), 0);
  if (number === 0) return null;
  try {
    return { number, owner: ownerOf(readFileSync(join(directory, `owner.${number}.json`), 'utf8')) };
  } catch {
    // Taken away by the owner of a later one.
    return { number, owner: null };
  }
}

function held(directory: string, number: number, own: LockOwner): HeldLock {
  const path = join(directory, `owner.${number}.json`);
  let current = own;
  const write = (changed: Partial<LockOwner>): void => {
    current = { ...current, ...changed };
    const next = join(directory, `.${own.token}.tmp`);
    writeFileSync(next, JSON.stringify(current), { mode: PRIVATE_FILE });
    renameSync(next, path);
  };
  return {
    setChild: (pid) => write({ child: pid === null ? null : { pid, start: processStart(pid) ?? null } }),
    release: () => write({ released: true, child: null }),
  };
}

/** Removes the files of owners before `number`, none of whom has the lock any more. */
function clearBefore(directory: string, number: number): void {
  for (const name of readdirSync(directory)) {
    const found = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (found < number) rmSync(join(directory, name), { force: true });
  }
}

/**
 * Asks for the lock. Owners are numbered and every number is given out once, by making a file that was not there; the
 * highest number has the lock until its owner gives it up or is dead. So nobody ever removes a lock that might be
 * somebody's: a dead owner is followed, not deleted. However long an owner has been at work, it is never followed while
 * it lives.
 * @throws AssayError `STORE` when the lock cannot be written
 */
export function takeLock(directory: string, now: number): LockAnswer {
  ensurePrivateDirectory(directory);
  const own: LockOwner = {
    token: randomUUID(),
    pid: process.pid,
    start: processStart(process.pid) ?? null,
    host: hostname(),
    boot: bootId(),
    since: new Date(now).toISOString(),
    child: null,
    released: false,
  };
  const claim = join(directory, `.${own.token}.claim`);
  writeFileSync(claim, JSON.stringify(own), { mode: PRIVATE_FILE });
  try {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const before = newest(directory);
      if (before?.owner && isAlive(before.owner)) return { held: null, owner: before.owner };
      const number = (before?.number ?? 0) + 1;
      try {
        // A link appears with its whole content or not at all.
        linkSync(claim, join(directory, `owner.${number}.json`));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
        throw error;
      }
      // Somebody may have followed and cleared away between the look and the link: only the highest counts.
      const after = newest(directory);
      if (after !== null && after.number > number) {
        rmSync(join(directory, `owner.${number}.json`), { force: true });
        continue;
      }
      clearBefore(directory, number);
      const dead = before?.owner ?? null;
      return { held: held(directory, number, own), dead: dead?.released === true ? null : dead };
    }
  } catch (error) {
    if (AssayError.isInstance(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new AssayError('STORE', `the lock in ${directory} cannot be taken: ${why}`, {
      fix: 'set `store.dir` in assay.config.yaml to a directory on a local disk',
      cause: error,
    });
  } finally {
    rmSync(claim, { force: true });
  }
  throw new AssayError('STORE', `the lock in ${directory} changes hands too often to be taken`);
}

/** Who has the lock now; null when nobody has. */
export function lockOwner(directory: string): LockOwner | null {
  try {
    const owner = newest(directory)?.owner ?? null;
    return owner !== null && isAlive(owner) ? owner : null;
  } catch {
    return null;
  }
}
