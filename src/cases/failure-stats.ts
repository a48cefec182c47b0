import type { DraftKind } from './draft.js';
import { DRAFT_KINDS } from './draft.js';
import type { DraftRecord } from './drafts.js';
import { domainOf, type Failure } from './failure-log.js';

/** What a log of failures and the drafts come to. */
export interface FailureStats {
  failures: number;
  converted: number;
  byCategory: { [category: string]: number };
  bySeverity: { [severity: string]: number };
  byDomain: { [domain: string]: number };
  /** Cases by what they were made from: drafted at all, and accepted into a suite. */
  drafts: { [Kind in DraftKind]: { drafted: number; accepted: number } };
}

function countBy(failures: readonly Failure[], of: (failure: Failure) => string): { [key: string]: number } {
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(of(failure), (counts.get(of(failure)) ?? 0) + 1);
  return Object.fromEntries(
    [...counts].toSorted(([left, a], [right, b]) => b - a || (left < right ? -1 : 1)),
  );
}

/** Counts failures and drafts. */
export function failureStats(failures: readonly Failure[], records: readonly DraftRecord[]): FailureStats {
  const of = (kind: DraftKind): { drafted: number; accepted: number } => {
    const drafts = records.filter((record) => record.provenance.kind === kind);
    return { drafted: drafts.length, accepted: drafts.filter((record) => record.accepted !== null).length };
  };
  const [transcript, run, failure, rule] = DRAFT_KINDS;
  return {
    failures: failures.length,
    converted: failures.filter((each) => each.converted_to_task !== null).length,
    byCategory: countBy(failures, (each) => each.category),
    bySeverity: countBy(failures, (each) => each.severity),
    byDomain: countBy(failures, (each) => domainOf(each.category)),
    drafts: { [transcript]: of(transcript), [run]: of(run), [failure]: of(failure), [rule]: of(rule) },
  };
}
