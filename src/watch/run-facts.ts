import type { RunSummary } from '../core/index.js';
import { readRun } from '../store/index.js';

/** What a stored run says of one case. */
export interface CaseFacts {
  id: string;
  /** SHA-256 of the content: cases are the same when this is. */
  hash: string;
  /** Scores of the scored trials, each 0..1. */
  scores: number[];
  /** Whether each of them passed. */
  passes: boolean[];
}

/** A finished run, as far as it is compared. */
export interface RunFacts {
  runId: string;
  directory: string;
  summary: RunSummary;
  cases: CaseFacts[];
}

/**
 * Reads a stored run.
 * @throws AssayError `RUN_NOT_FOUND` or `STORE`
 * @returns null when the run did not end
 */
export function runFactsOf(directory: string): RunFacts | null {
  const run = readRun(directory);
  if (run.summary === null) return null;
  const cases: CaseFacts[] = [];
  for (const { id, hash, trials } of run.cases()) {
    const scored = trials.filter((trial) => trial.status !== 'error');
    cases.push({
      id,
      hash,
      scores: scored.map((trial) => trial.score ?? 0),
      passes: scored.map((trial) => trial.status === 'passed'),
    });
  }
  return { runId: run.header.runId, directory: run.directory, summary: run.summary, cases };
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The case with the lowest mean score, the first of several; null when none was scored. */
export function weakestCase(run: Pick<RunFacts, 'cases'>): string | null {
  let weakest: { id: string; score: number } | null = null;
  for (const { id, scores } of run.cases) {
    if (scores.length === 0) continue;
    const score = mean(scores);
    if (weakest === null || score < weakest.score) weakest = { id, score };
  }
  return weakest?.id ?? null;
}
