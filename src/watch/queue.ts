import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../core/index.js';
import { ensurePrivateDirectory, writeFileAtomic } from '../store/index.js';

/** An edit that waits to be tested. */
export interface PendingEdit {
  /** Milliseconds since the epoch. */
  at: number;
  /** The edited file. */
  trigger: string;
  /** Who saw it: `hook`, `watch`. */
  seenBy: string;
  /** Name of its file in the queue. */
  name: string;
}

const PRIVATE_FILE = 0o600;
const NAME = /^[0-9]{1,16}-[0-9a-f-]{36}\.json$/;

/** Puts an edit into the queue. It is on disk when this resolves. Throws AssayError `STORE`. */
export async function enqueue(
  directory: string,
  edit: Pick<PendingEdit, 'at' | 'trigger' | 'seenBy'>,
): Promise<void> {
  ensurePrivateDirectory(directory);
  const { at, trigger, seenBy } = edit;
  const path = join(directory, `${Math.trunc(at)}-${randomUUID()}.json`);
  await writeFileAtomic(path, JSON.stringify({ at, trigger, seenBy }), PRIVATE_FILE);
}

function editOf(directory: string, name: string): PendingEdit | null {
  let text: string;
  try {
    text = readFileSync(join(directory, name), 'utf8');
  } catch {
    // Tested by somebody else meanwhile.
    return null;
  }
  const parsed = parseJson(text);
  const written = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const { at, trigger, seenBy } = written;
  return {
    // An edit whose file was damaged is still an edit: the time is in its name.
    at: typeof at === 'number' ? at : Number(name.split('-')[0]),
    trigger: typeof trigger === 'string' ? trigger : 'unknown file',
    seenBy: typeof seenBy === 'string' ? seenBy : 'unknown',
    name,
  };
}

/** The edits in the queue, oldest first. */
export function pendingEdits(directory: string): PendingEdit[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names
    .filter((name) => NAME.test(name))
    .flatMap((name) => editOf(directory, name) ?? [])
    .toSorted((left, right) => left.at - right.at || (left.name < right.name ? -1 : 1));
}

/** Takes edits out of the queue. */
export function removeEdits(directory: string, edits: readonly PendingEdit[]): void {
  for (const { name } of edits) rmSync(join(directory, name), { force: true });
}

/**
 * When edits were made: never later than they were seen first. An edit from the future (the clock was set back since)
 * counts as made when it is seen, and not as made anew at every look, which would put its burst off for ever.
 * @param seen when each was made as far as is known, by name; grows
 */
export function editTimes(
  edits: readonly Pick<PendingEdit, 'at' | 'name'>[],
  seen: Map<string, number>,
  now: number,
): { at: number }[] {
  return edits.map(({ at, name }) => {
    const made = Math.min(at, now, seen.get(name) ?? now);
    seen.set(name, made);
    return { at: made };
  });
}

/**
 * Milliseconds to wait until a burst is over: `quiet` after its last edit, but no longer than `most` after its first.
 * Edits from the future (a clock that was set back) count as made now.
 */
export function waitFor(
  edits: readonly Pick<PendingEdit, 'at'>[],
  now: number,
  times: { quietMs: number; mostMs: number },
): number {
  const first = Math.min(now, ...edits.map((edit) => edit.at));
  const last = Math.min(now, Math.max(...edits.map((edit) => edit.at)));
  return Math.max(0, Math.min(last + times.quietMs, first + times.mostMs) - now);
}
