import type {
  CaseComparison,
  CaseResult,
  ChangedCheck,
  Classification,
  ComparablePart,
  TrialResult,
} from '../core/index.js';
import { entryOf, isFinished } from './entry.js';
import type { Baseline, BaselineCheck, BaselineEntry } from './schema.js';

/** What a comparison lets pass that it would otherwise gate on. */
export interface BaselinePolicy {
  /** Cases that are not what the baseline knew, and a baseline with which nothing can be compared. */
  allowUnverifiable: boolean;
  /** Cases that the baseline does not know and that fail. */
  allowNewFailures: boolean;
}

/** Nothing is let pass. */
export const STRICT_POLICY: Readonly<BaselinePolicy> = { allowUnverifiable: false, allowNewFailures: false };

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left.toSorted(), right.toSorted()];
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** The parts in which two results of a case differ, so that they cannot be held against each other. */
export function differingParts(left: BaselineEntry, right: BaselineEntry): ComparablePart[] {
  const [here, there] = [left.tool_surface, right.tool_surface];
  const same: { [Part in ComparablePart]: boolean } = {
    case_hash: left.case_hash === right.case_hash,
    mode: left.mode === right.mode,
    provider_ref: left.provider_ref === right.provider_ref,
    tool_surface:
      sameNames(here.requested, there.requested) &&
      sameNames(here.effective, there.effective) &&
      sameNames(here.registered, there.registered),
    sandbox:
      left.sandbox.autonomy === right.sandbox.autonomy &&
      left.sandbox.workspace_only === right.sandbox.workspace_only,
    judge_ref: left.judge_ref === right.judge_ref,
  };
  const parts: ComparablePart[] = [
    'case_hash',
    'mode',
    'provider_ref',
    'tool_surface',
    'sandbox',
    'judge_ref',
  ];
  return parts.filter((part) => !same[part]);
}

/** Checks by label, in the order of their occurrences. */
function byLabel(checks: readonly BaselineCheck[]): Map<string, BaselineCheck[]> {
  const found = new Map<string, BaselineCheck[]>();
  for (const check of checks) {
    const list = found.get(check.check);
    if (list === undefined) found.set(check.check, [check]);
    else list.push(check);
  }
  return found;
}

/**
 * Gating checks of `current` that came out as `passed`, and as the opposite in `before`. A check that `before` does
 * not know is taken to have come out as its case did; where it knows fewer of a label, the last one stands for the rest.
 */
function changedChecks(current: BaselineEntry, before: BaselineEntry, passed: boolean): ChangedCheck[] {
  const known = byLabel(before.checks);
  const seen = new Map<string, number>();
  const changed: ChangedCheck[] = [];
  for (const check of current.checks) {
    const ordinal = seen.get(check.check) ?? 0;
    seen.set(check.check, ordinal + 1);
    if (check.diagnostic || check.passed !== passed) continue;
    const list = known.get(check.check) ?? [];
    const then = (list[ordinal] ?? list.at(-1))?.passed ?? before.verdict === 'pass';
    if (then !== passed) changed.push({ check: check.check, category: check.category });
  }
  return changed;
}

function tokenDelta(current: BaselineEntry, before: BaselineEntry): number | null {
  const [now, then] = [current.total_tokens, before.total_tokens];
  return now === null || then === null || then === 0 ? null : ((now - then) / then) * 100;
}

function classify(current: BaselineEntry, before: BaselineEntry): Classification {
  if (differingParts(current, before).length > 0) return 'unverifiable';
  if (current.verdict === before.verdict) return 'unchanged';
  return current.verdict === 'fail' ? 'regression' : 'improvement';
}

/** An outcome without anything in common with the baseline. */
function incomparable(
  classification: Classification,
  facts: Pick<CaseComparison, 'verdict' | 'baselineVerdict' | 'gates'>,
  changed: ComparablePart[] = [],
): CaseComparison {
  return { classification, ...facts, changed, lost: [], won: [], tokenDelta: null };
}

/**
 * One result of a case held against an earlier one. The classes are tried in this order and the first that fits is
 * it: `current_error` (no result now), `new`, `unverifiable`, `regression`, `improvement`, `unchanged`.
 * @param current null when the case could not be scored in full
 * @param before undefined when the baseline does not know the case
 * @param excused the case is marked as known to fail: it never gates by failing
 */
export function compareEntries(
  current: BaselineEntry | null,
  before: BaselineEntry | undefined,
  policy: BaselinePolicy = STRICT_POLICY,
  excused = false,
): CaseComparison {
  const baselineVerdict = before?.verdict ?? null;
  if (current === null) {
    return incomparable('current_error', { verdict: null, baselineVerdict, gates: true });
  }
  const { verdict } = current;
  const failing = verdict === 'fail' && !excused;
  if (before === undefined) {
    return incomparable('new', { verdict, baselineVerdict, gates: failing && !policy.allowNewFailures });
  }
  const classification = classify(current, before);
  if (classification === 'unverifiable') {
    const gates = !policy.allowUnverifiable;
    const changed = differingParts(current, before);
    return incomparable(classification, { verdict, baselineVerdict, gates }, changed);
  }
  return {
    classification,
    verdict,
    baselineVerdict,
    changed: [],
    lost: changedChecks(current, before, false),
    won: changedChecks(current, before, true),
    tokenDelta: tokenDelta(current, before),
    gates: classification === 'regression' && !excused,
  };
}

/** A case that only the baseline knows. It is said, and does not gate. */
export function removedCase(before: BaselineEntry): CaseComparison {
  return incomparable('removed', { verdict: null, baselineVerdict: before.verdict, gates: false });
}

/** One case of a run against a baseline. */
export function compareCase(
  result: CaseResult,
  trials: readonly TrialResult[],
  baseline: Baseline,
  policy: BaselinePolicy,
): CaseComparison {
  const entry = entryOf(result, trials);
  return compareEntries(entry, baseline.entries.get(result.id), policy, result.expectedFailing);
}

/**
 * A regression after the case was run once more under its own number of trials: excused only when every one of them
 * was scored and passed. What diagnostic checks said does not matter.
 */
export function afterRetry(comparison: CaseComparison, retry: CaseResult | undefined): CaseComparison {
  if (comparison.classification !== 'regression' || retry === undefined) return comparison;
  const passedAll = isFinished(retry) && !retry.curtailed && retry.passed === retry.planned;
  return passedAll ? { ...comparison, classification: 'flaky_unconfirmed', gates: false } : comparison;
}
