import {
  constants,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AssayError, isJsonObject, parseJson, type JsonObject } from '../core/index.js';
import { PRIVATE_FILE, stateAt } from './directories.js';
import { isSameProcess, processStart } from './process-identity.js';
import { nullableAt, numberAt, ShapeError, textAt } from './shape.js';
import { errorCode, storeError } from './store-error.js';
import { TemporaryFile } from './temporary-file.js';

/** The process that writes a run. */
export interface Owner {
  pid: number;
  host: string;
  /** ISO time at which it took the run. */
  startedAt: string;
  /** What tells the process from a later one with the same number; null where the system does not say. */
  process: string | null;
}

const OWNER_NAME = 'owner.json';
const CLAIM = /^\.owner\.[0-9]+\.[0-9]+\.claim$/;
const MOST_CLAIMS = 1000;

/** Whether an owner may still be at work. One on another host counts as alive: nobody here can tell. */
function isAlive(owner: Owner): boolean {
  return owner.host !== hostname() || isSameProcess(owner.pid, owner.process);
}

function ownerFrom(object: JsonObject): Owner {
  return {
    pid: numberAt(object, 'pid'),
    host: textAt(object, 'host'),
    startedAt: textAt(object, 'startedAt'),
    process: nullableAt(object, 'process', textAt),
  };
}

/** The owner named in a file; null when there is none or the file was left unfinished. */
function readOwner(path: string): Owner | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw storeError('read', path, error);
  }
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  try {
    return ownerFrom(parsed.value);
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** The process that is writing the run in `directory`; null when there is none any more. */
export function liveOwner(directory: string): Owner | null {
  const owner = readOwner(join(directory, OWNER_NAME));
  return owner !== null && isAlive(owner) ? owner : null;
}

function refusal(owner: Owner, directory: string): AssayError {
  const here = owner.host === hostname();
  const where = here ? '' : ` on ${owner.host}`;
  return new AssayError(
    'STORE',
    `the run in ${directory} is still going: process ${owner.pid}${where} has been writing it since ${owner.startedAt}`,
    {
      fix: here
        ? `Wait for it, or stop it (kill -INT ${owner.pid}) and resume then.`
        : `Wait for it. If that process is gone, remove ${join(directory, OWNER_NAME)} and resume again.`,
    },
  );
}

function writeOwner(path: string, owner: Owner): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE);
  try {
    writeFileSync(descriptor, JSON.stringify(owner));
  } finally {
    closeSync(descriptor);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}

function claim(directory: string, owner: Owner): string {
  for (let attempt = 1; ; attempt += 1) {
    const path = join(directory, `.owner.${owner.pid}.${attempt}.claim`);
    try {
      writeOwner(path, owner);
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || attempt >= MOST_CLAIMS) throw storeError('write', path, error);
    }
  }
}

/** The first live process, other than the one that made `own`, which is about to take the run. */
function rival(directory: string, own: string): Owner | null {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (!CLAIM.test(name) || path === own) continue;
    const written = readOwner(path);
    // Gone by now: whoever left it was refused, or is the owner, which is looked at next.
    if (written === null && stateAt(path) === null) continue;
    // A claim that is being written has no content yet; its name says whose it is.
    const pid = Number(name.split('.')[2]);
    const other = written ?? { pid, host: hostname(), startedAt: 'a moment ago', process: null };
    if (isAlive(other)) return other;
    removeQuietly(path);
  }
  return null;
}

/**
 * Makes this process the writer of a run and returns the function that gives it up. A live owner is refused with an
 * AssayError `STORE` that names its process; a dead one is replaced, and so is any when `force` is given.
 *
 * Everyone who wants the run first leaves a claim, then looks at the other claims, then at the owner, and removes
 * the claim only after becoming the owner. Of two processes at least one sees the other at one of the two looks, so
 * two never both succeed; both may be refused when they arrive at the same instant.
 */
export async function takeOwnership(
  directory: string,
  startedAt: string,
  force = false,
): Promise<() => void> {
  const path = join(directory, OWNER_NAME);
  const own: Owner = {
    pid: process.pid,
    host: hostname(),
    startedAt,
    process: processStart(process.pid) ?? null,
  };
  const claimed = claim(directory, own);
  try {
    const other = rival(directory, claimed) ?? (force ? null : liveOwner(directory));
    if (other !== null) throw refusal(other, directory);
    const file = TemporaryFile.create(directory, OWNER_NAME, PRIVATE_FILE);
    file.write(JSON.stringify(own));
    await file.publish(path, false);
  } finally {
    removeQuietly(claimed);
  }
  return () => {
    const current = readOwner(path);
    // After a forced takeover the mark is somebody else's.
    if (current !== null && JSON.stringify(current) === JSON.stringify(own)) removeQuietly(path);
  };
}
