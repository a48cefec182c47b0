import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canonicalJson,
  errorMessage,
  isJsonObject,
  parseJson,
  sha256,
  type JsonObject,
} from '../core/index.js';
import type { ModelCall } from './model-call.js';

const SCHEMA = 'assay/model-cache/v1';

/** What an answer depends on. */
export interface CacheSubject {
  ref: string;
  /** Settings that shape answers. */
  scope: JsonObject;
  version: string;
  trialIndex: number;
  request: object;
  /** Random texts of the request, replaced by a constant. */
  volatile: readonly string[];
}

/** SHA-256 of the canonical subject, as hexadecimal digits. */
export function cacheKey(subject: CacheSubject): string {
  const { ref, scope, version, trialIndex } = subject;
  // Through JSON first: it gives URLs their text, where their members alone would make all of them equal.
  const request: unknown = JSON.parse(JSON.stringify(subject.request));
  let text = canonicalJson({ ref, scope, version, trialIndex, request });
  for (const [index, random] of subject.volatile.entries()) {
    // The text sits inside JSON strings, so it is looked for in its escaped form.
    if (random !== '') text = text.replaceAll(JSON.stringify(random).slice(1, -1), `[volatile ${index}]`);
  }
  return sha256(text);
}

function placeOf(directory: string, key: string): { folder: string; file: string } {
  const folder = join(directory, key.slice(0, 2));
  return { folder, file: join(folder, `${key}.json`) };
}

function isCall(value: unknown): value is ModelCall {
  return (
    isJsonObject(value) &&
    typeof value['text'] === 'string' &&
    Array.isArray(value['content']) &&
    isJsonObject(value['usage']) &&
    Array.isArray(value['tries']) &&
    Array.isArray(value['warnings']) &&
    isJsonObject(value['finishReason'])
  );
}

/** The answer stored under a key, or null. An entry that is damaged, of another form or under a wrong name is no entry. */
export async function readCached(directory: string, key: string): Promise<ModelCall | null> {
  let text: string;
  try {
    text = await readFile(placeOf(directory, key).file, 'utf8');
  } catch {
    return null;
  }
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { schema, key: storedKey, sum, call } = parsed.value;
  if (schema !== SCHEMA || storedKey !== key || call === undefined || sum !== sha256(canonicalJson(call)))
    return null;
  return isCall(call) ? call : null;
}

/** Only whole answers are kept: a filtered one may be given next time, and bytes have no form in JSON. */
function isCacheable(call: ModelCall): boolean {
  const { unified } = call.finishReason;
  return (
    (unified === 'stop' || unified === 'length' || unified === 'tool-calls' || unified === 'other') &&
    call.content.every((part) => part.type !== 'file')
  );
}

/**
 * Stores an answer: written beside its place, synced, then renamed into it. Returns null, or what went wrong: a cache
 * that cannot be written is worth a warning, not the answer.
 */
export async function writeCached(directory: string, key: string, call: ModelCall): Promise<string | null> {
  if (!isCacheable(call)) return null;
  const { folder, file } = placeOf(directory, key);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  // Through JSON once, so that the sum is of what will be read.
  const parsed = parseJson(JSON.stringify(call));
  if (!parsed.ok) return `the answer could not be cached: ${parsed.message}`;
  const entry = { schema: SCHEMA, key, sum: sha256(canonicalJson(parsed.value)), call: parsed.value };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(entry));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    return null;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    return `the answer could not be cached: ${errorMessage(error)}`;
  }
}

const FOLDER = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{64}\.json(?:\.\d+\.[0-9a-f]+\.tmp)?$/;

/**
 * Removes every entry of a cache and nothing else: only files that are named as entries, in real folders that are named
 * as the cache names them. Returns how many answers were removed. A cache that is not there is empty.
 */
export async function clearCache(directory: string): Promise<number> {
  let removed = 0;
  let folders;
  try {
    folders = await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
  for (const folder of folders) {
    if (!folder.isDirectory() || !FOLDER.test(folder.name)) continue;
    const path = join(directory, folder.name);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (!entry.isFile() || !ENTRY.test(entry.name)) continue;
      await rm(join(path, entry.name), { force: true });
      if (entry.name.endsWith('.json')) removed += 1;
    }
    // Only an empty folder goes; one with somebody's file in it stays.
    await rmdir(path).catch(() => undefined);
  }
  return removed;
}
