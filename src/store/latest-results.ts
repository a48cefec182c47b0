import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { LATEST_NAME } from './run-file.js';
import { runsDirectory } from './run-directory.js';
import { errorCode, storeError } from './store-error.js';

/** The newest result of a suite, in the keys of the reference's dashboards, and how the run ended. */
export interface LatestResult {
  suite: string;
  type: string;
  passed: boolean;
  /** Mean score, 0..1; null when nothing was scored. */
  score: number | null;
  pass_to_k: number | null;
  pass_at_k: number | null;
  /** The run in one line. */
  summary: string;
  /** ISO time. */
  ts: string;
  cases: LatestCase[];
  /** `passed`, `failed`, `error` or `inconclusive`: of a run that could not be scored `passed` is false too. */
  outcome: string;
}

/** A case of the newest result. */
export interface LatestCase {
  id: string;
  mean_score: number | null;
  pass_to_k: number | null;
  pass_at_k: number | null;
}

const MOST_BYTES = 64 * 1024 * 1024;

function numberOrNull(value: JsonValue | undefined): number | null | undefined {
  return value === null || typeof value === 'number' ? value : undefined;
}

function caseFrom(value: JsonValue): LatestCase | null {
  if (!isJsonObject(value)) return null;
  const { id } = value;
  const mean = numberOrNull(value['mean_score']);
  const toK = numberOrNull(value['pass_to_k']);
  const atK = numberOrNull(value['pass_at_k']);
  if (typeof id !== 'string' || mean === undefined || toK === undefined || atK === undefined) return null;
  return { id, mean_score: mean, pass_to_k: toK, pass_at_k: atK };
}

function resultFrom(object: JsonObject): LatestResult | null {
  const { suite, type, passed, summary, ts, cases, outcome } = object;
  const score = numberOrNull(object['score']);
  const toK = numberOrNull(object['pass_to_k']);
  const atK = numberOrNull(object['pass_at_k']);
  if (typeof suite !== 'string' || typeof type !== 'string' || typeof passed !== 'boolean') return null;
  if (typeof summary !== 'string' || typeof ts !== 'string' || Number.isNaN(Date.parse(ts))) return null;
  if (!Array.isArray(cases) || score === undefined || toK === undefined || atK === undefined) return null;
  const read = cases.map(caseFrom);
  if (read.includes(null)) return null;
  return {
    suite,
    type,
    passed,
    score,
    pass_to_k: toK,
    pass_at_k: atK,
    summary,
    ts,
    cases: read.filter((one) => one !== null),
    outcome: typeof outcome === 'string' ? outcome : passed ? 'passed' : 'failed',
  };
}

function readLatest(path: string): LatestResult | null {
  try {
    if (statSync(path).size > MOST_BYTES) return null;
    const parsed = parseJson(readFileSync(path, 'utf8'));
    return parsed.ok && isJsonObject(parsed.value) ? resultFrom(parsed.value) : null;
  } catch {
    // A suite that never ended has none.
    return null;
  }
}

function suiteDirectories(runs: string): string[] {
  try {
    return readdirSync(runs, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.startsWith('__'))
      .map((entry) => join(runs, entry.name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storeError('list', runs, error);
  }
}

/**
 * The newest result of every suite, newest first. Suites whose name begins with `__` or `.` are left out, and so is what
 * does not have the shape of a result. Throws AssayError `STORE` when the store cannot be listed.
 */
export function latestResults(root: string): LatestResult[] {
  return suiteDirectories(runsDirectory(resolve(root)))
    .flatMap((directory) => readLatest(join(directory, LATEST_NAME)) ?? [])
    .filter(({ suite }) => !suite.startsWith('__') && !suite.startsWith('.'))
    .toSorted((left, right) => Date.parse(right.ts) - Date.parse(left.ts));
}
