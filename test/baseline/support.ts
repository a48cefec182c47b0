import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareCase, entryOf, HistoryDraft, STRICT_POLICY, withBaseline } from '../../src/baseline/index.js';
import type { Baseline, BaselineEntry, BaselinePolicy, HistoryRecord } from '../../src/baseline/index.js';
import { exitCodeOf, type RunSummary } from '../../src/core/index.js';
import { check, failedTrial, sampleCase, summary, trial, type SampleCase } from '../report/samples.js';

/** A temporary directory, its own path without links. */
export function temporary(): { root: string; remove(): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-baseline-')));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A baseline of these cases. */
export function baselineOf(cases: readonly SampleCase[]): Baseline {
  const entries = cases.map((one) => {
    const entry = entryOf(one.result, one.trials);
    if (entry === null) throw new Error(`${one.result.id} did not finish`);
    return entry;
  });
  return {
    file: 'base.json',
    suite: 'regression',
    entries: new Map(entries.map((entry) => [entry.case_id, entry])),
  };
}

/** The entry of a case that finished. */
export function entry(one: SampleCase, changes: Partial<BaselineEntry> = {}): BaselineEntry {
  const made = entryOf(one.result, one.trials);
  if (made === null) throw new Error('the case did not finish');
  return { ...made, ...changes };
}

/** A case with one check of each outcome given: `true` passes. */
export function withChecks(id: string, checks: { [label: string]: boolean }): SampleCase {
  const made = Object.entries(checks).map(([label, passed]) =>
    check({
      label,
      outcome: passed ? 'pass' : 'fail',
      category: label.startsWith('tools') ? 'tool' : 'response',
    }),
  );
  const passes = Object.values(checks).every(Boolean);
  return sampleCase(id, [passes ? trial({ checks: made }) : failedTrial({ checks: made })]);
}

/** A run of these cases against a baseline, as it is reported. */
export function runAgainst(
  cases: readonly SampleCase[],
  baseline: Baseline,
  changes: Partial<RunSummary> = {},
  policy: Partial<BaselinePolicy> = {},
  suiteIds: readonly string[] = cases.map((one) => one.result.id),
): RunSummary {
  const strict = { ...STRICT_POLICY, ...policy };
  return withBaseline({
    baseline,
    policy: strict,
    cases: cases.map((one) => ({
      id: one.result.id,
      comparison: compareCase(one.result, one.trials, baseline, strict),
    })),
    suiteIds: new Set(suiteIds),
    summary: summary(cases, changes),
  });
}

/** The exit code of that run. */
export function exitOf(...run: Parameters<typeof runAgainst>): number {
  return exitCodeOf([runAgainst(...run)]);
}

/** Where and when a sample run was recorded. */
export const FACTS = {
  recordedAt: '2026-01-02T03:04:06.000Z',
  git: null,
  suitePath: '/work/evals/s',
  cwd: '/work',
};

/** The history record of these cases. */
export function recordOf(
  cases: readonly SampleCase[],
  changes: Partial<RunSummary> = {},
  facts: Partial<Omit<typeof FACTS, 'git'>> & { git?: RunSummary['git'] } = {},
): HistoryRecord {
  const draft = new HistoryDraft();
  for (const one of cases) draft.add(one.result, one.trials);
  return draft.record(summary(cases, changes), { ...FACTS, ...facts });
}
