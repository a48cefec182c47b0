import { wilson } from '../stats/index.js';
import type { RunSummary } from '../core/index.js';
import type { TrendPoint } from '../report/index.js';
import { portableReference } from './history-names.js';
import type { HistoryRecord } from './history-schema.js';

const COMMIT_DIGITS = 12;

function intervalOf(passed: number, scored: number): TrendPoint['interval'] {
  if (scored === 0) return null;
  const { lo, hi } = wilson({ n: scored, c: passed });
  return { lo, hi };
}

/** A history file as a point of the trend of its suite. */
export function historyPoint(record: HistoryRecord): TrendPoint {
  const scored = record.total - record.errored - record.not_run;
  return {
    runId: record.run_id,
    at: record.recorded_at,
    commit: record.git_sha?.slice(0, COMMIT_DIGITS) ?? null,
    dirty: record.git_dirty === true,
    mode: record.mode,
    model: record.provider_ref,
    outcome: record.outcome,
    passed: record.passed,
    scored,
    missing: record.errored + record.not_run,
    interval: intervalOf(record.passed, scored),
  };
}

/** A stored run as a point of the trend of its suite. */
export function runPoint(summary: RunSummary): TrendPoint {
  const { totals } = summary;
  const scored = totals.passed + totals.failed;
  return {
    runId: summary.runId,
    at: summary.finishedAt,
    commit: summary.git?.commit.slice(0, COMMIT_DIGITS) ?? null,
    dirty: summary.git?.dirty === true,
    mode: summary.mode,
    model: portableReference(summary.agentModel),
    outcome: summary.outcome,
    passed: totals.passed,
    scored,
    missing: totals.errored + totals.notRun,
    interval: intervalOf(totals.passed, scored),
  };
}

/**
 * The trend of each suite, oldest run first, suites by name. A run that is stored and in the history is one point.
 */
export function trends(
  records: readonly HistoryRecord[],
  runs: readonly RunSummary[],
): Map<string, TrendPoint[]> {
  const known = new Set(records.map((record) => record.run_id));
  const points: [string, TrendPoint][] = [
    ...records.map((record): [string, TrendPoint] => [record.suite, historyPoint(record)]),
    ...runs
      .filter((summary) => !known.has(summary.runId))
      .map((summary): [string, TrendPoint] => [summary.suite, runPoint(summary)]),
  ];
  points.sort(
    ([left, one], [right, other]) =>
      (left < right ? -1 : left > right ? 1 : 0) ||
      Date.parse(one.at) - Date.parse(other.at) ||
      (one.runId < other.runId ? -1 : 1),
  );
  const bySuite = new Map<string, TrendPoint[]>();
  for (const [suite, point] of points) {
    const list = bySuite.get(suite);
    if (list === undefined) bySuite.set(suite, [point]);
    else list.push(point);
  }
  return bySuite;
}
