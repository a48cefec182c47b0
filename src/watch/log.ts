import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { ensurePrivateDirectory, redactSecrets } from '../store/index.js';

/** Why an edit was not tested. */
export type SkipReason =
  | 'skip-invalid-input'
  | 'skip-oversized-input'
  | 'skip-other-event'
  | 'skip-other-tool'
  | 'skip-tool-failed'
  | 'skip-no-path'
  | 'skip-not-sentinel'
  | 'skip-subagent'
  | 'skip-recursion'
  | 'skip-locked'
  | 'skip-probe';

/** What a line of the log is about. `queued`: an edit that will be tested; `notify`: how a message was delivered. */
export type LogEvent = 'queued' | 'run' | 'error' | 'notify' | SkipReason;

/** A line of the log before it is written. */
export interface LogEntry {
  event: LogEvent;
  /** The edited file, as it was named; null when none is known. */
  trigger: string | null;
  /** Further facts, by the names they have in the log. */
  [fact: string]: JsonValue;
}

const PRIVATE_FILE = 0o600;

function endsInside(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/**
 * Appends one line: `ts` first, then the entry. Several processes may append at once: a line is one write. What has the
 * shape of a key is redacted. A line that a dying process left unfinished is closed first.
 */
export function appendLog(path: string, now: number, entry: LogEntry): void {
  ensurePrivateDirectory(dirname(path));
  const line = redactSecrets(JSON.stringify({ ts: new Date(now).toISOString(), ...entry }));
  const descriptor = openSync(path, 'a+', PRIVATE_FILE);
  try {
    writeSync(descriptor, `${endsInside(descriptor) ? '\n' : ''}${line}\n`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * As `appendLog`, for those whose work must go on without a log: a full disk must not keep an edit from being tested.
 * @returns why the line was not written; null when it was
 */
export function tryLog(path: string, now: number, entry: LogEntry): string | null {
  try {
    appendLog(path, now, entry);
    return null;
  } catch (error) {
    return `the log cannot be written: ${errorMessage(error)}`;
  }
}

/** Every readable line of the log, oldest first; [] when there is none. */
export function readLog(path: string): JsonObject[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const parsed = parseJson(line);
      return parsed.ok && isJsonObject(parsed.value) ? [parsed.value] : [];
    });
}
