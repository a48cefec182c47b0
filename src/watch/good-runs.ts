import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssayError, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { ensurePrivateDirectory, listRuns, writeFileAtomic } from '../store/index.js';
import { runFactsOf, type RunFacts } from './run-facts.js';

/** Most good runs that a new one is compared with. */
const MOST = 5;
const PRIVATE_FILE = 0o600;
const SCHEMA = 'assay/config-change-state/v1';

function readState(path: string): JsonObject {
  if (!existsSync(path)) return {};
  const parsed = parseJson(readFileSync(path, 'utf8'));
  // An unreadable state knows of no good run; the newest that passed is found in the store.
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return value !== undefined && isJsonObject(value) ? value : {};
}

function directoriesOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function facts(directory: string): RunFacts | null {
  try {
    return runFactsOf(directory);
  } catch (error) {
    // The run was removed since: it is no longer known.
    if (AssayError.isInstance(error)) return null;
    throw error;
  }
}

/**
 * The last good runs of a suite, newest first: those after which a change was found good, else the newest run of the
 * suite in the store that passed.
 */
export function goodRuns(statePath: string, storeRoot: string, suite: string, except: string): RunFacts[] {
  const state = readState(statePath);
  const known = directoriesOf(objectAt(state, 'good')[suite]).flatMap((directory) => facts(directory) ?? []);
  if (known.length > 0) return known.filter(({ runId }) => runId !== except);
  const bad = new Set(directoriesOf(objectAt(state, 'bad')[suite]));
  for (const { state: ending, summary, directory, runId } of listRuns(storeRoot, suite).runs) {
    const passed = ending === 'finished' && summary?.outcome === 'passed' && summary.mode !== 'outputs';
    if (!passed || runId === except || bad.has(directory)) continue;
    const found = facts(directory);
    if (found !== null) return [found];
  }
  return [];
}

/** Remembers what a run turned out to be, and when a change was tested last. Throws AssayError `STORE`. */
export async function rememberRun(
  statePath: string,
  now: number,
  run: { suite: string; directory: string; good: boolean },
): Promise<void> {
  const state = readState(statePath);
  const kind = run.good ? 'good' : 'bad';
  const list = [
    run.directory,
    ...directoriesOf(objectAt(state, kind)[run.suite]).filter((one) => one !== run.directory),
  ];
  const next: JsonObject = {
    ...state,
    schema: SCHEMA,
    last_fire: new Date(now).toISOString(),
    [kind]: { ...objectAt(state, kind), [run.suite]: list.slice(0, MOST) },
  };
  ensurePrivateDirectory(dirname(statePath));
  await writeFileAtomic(statePath, `${JSON.stringify(next, null, 2)}\n`, PRIVATE_FILE);
}
