import type { CheckCategory } from './check.js';

/**
 * How a case stands against a baseline. `current_error`: it could not be scored in full. `new`: the baseline does not
 * know it. `unverifiable`: it is known, but what was run differs. `flaky_unconfirmed`: it failed where it had passed,
 * and passed again when it was repeated. `removed`: only the baseline knows it.
 */
export type Classification =
  | 'current_error'
  | 'new'
  | 'unverifiable'
  | 'regression'
  | 'flaky_unconfirmed'
  | 'improvement'
  | 'unchanged'
  | 'removed';

/** What must be the same for two results of a case to be comparable. */
export type ComparablePart = 'case_hash' | 'mode' | 'provider_ref' | 'tool_surface' | 'sandbox' | 'judge_ref';

/** A gating check that passed in the baseline and is missed now, or the other way round. */
export interface ChangedCheck {
  check: string;
  category: CheckCategory;
}

/** One case against a baseline. */
export interface CaseComparison {
  classification: Classification;
  /** Verdict now; null when there is none. */
  verdict: 'pass' | 'fail' | null;
  /** Verdict in the baseline; null when it does not know the case. */
  baselineVerdict: 'pass' | 'fail' | null;
  /** Parts that differ; only of an `unverifiable` case. */
  changed: ComparablePart[];
  /** Gating checks that passed then and are missed now, whatever the verdicts. Only of comparable cases. */
  lost: ChangedCheck[];
  /** Gating checks that were missed then and pass now. */
  won: ChangedCheck[];
  /** Change of the tokens of one trial in percent; null when it is not comparable, or the baseline used none. */
  tokenDelta: number | null;
  /** Whether the case keeps the run from being acceptable. */
  gates: boolean;
}

/** The share of cases that passed, with its 95 % interval; null where there is no case. */
export interface PassShare {
  passed: number;
  total: number;
  rate: number | null;
  interval: { lo: number; hi: number } | null;
}

/** A run against a baseline; plain data. */
export interface BaselineComparison {
  /** The baseline's file, as the user would name it. */
  file: string;
  /** Every case that was run, in suite order, then those that only the baseline knows. */
  cases: ({ id: string } & CaseComparison)[];
  /** Cases of suite and baseline that this run left out. */
  notCompared: number;
  /** Cases whose results could be held against each other. */
  comparable: number;
  /** Whether the comparison keeps the run from being acceptable. */
  gates: boolean;
  /** Why, in one sentence. */
  reason: string;
  /** What was allowed on the command line. */
  allowed: { unverifiable: boolean; newFailures: boolean };
  /** Only of capability suites. Saturated: nearly every case passes, so it could be a regression suite. */
  capability: { current: PassShare; baseline: PassShare; saturated: boolean } | null;
}
