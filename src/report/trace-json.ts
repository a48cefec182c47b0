import { acceptable, type CaseResult, type RunSummary, type TrialResult } from '../core/index.js';
import { baselineObject } from './baseline-json.js';
import {
  caseError,
  categoryTotals,
  errorCounts,
  inOrder,
  representative,
  type ErrorCounts,
} from './case-facts.js';
import { grade, receiptFacts, repeatObject } from './record-json.js';
import { totalTokens } from './repeat-facts.js';
import type { RepeatedRate } from './repeated-rate.js';
import { runFacts } from './run-json.js';

/** Schema of the JSON report of one suite of trace fixtures. */
export const TRACE_REPORT_SCHEMA = 'assay/trace-report/v1';

/** One case of the report, with the first reference's keys and `outcome` and `error_kind` beside them. */
export function traceCase(result: CaseResult, unordered: readonly TrialResult[]): object {
  const trials = inOrder(unordered);
  const shown = representative(trials);
  const receipt = shown?.receipt;
  const tokens = shown === undefined ? null : totalTokens(shown);
  const errored = trials.find((trial) => trial.error !== null)?.error;
  return {
    name: result.id,
    source: result.source,
    passed: result.outcome === 'passed',
    error: caseError(result, trials),
    grades: (shown?.checks ?? []).map(grade),
    score: shown?.score ?? null,
    category_totals: categoryTotals(shown?.checks ?? []),
    outcome: result.outcome,
    ...(errored ? { error_kind: errored.kind } : {}),
    ...(result.expectedFailing ? { expected_failing: true } : {}),
    ...(receipt === undefined ? {} : receiptFacts(receipt)),
    ...(result.outcome !== 'error' && tokens !== null ? { total_tokens: tokens } : {}),
    ...(result.planned > 1 ? { repeat: repeatObject(result, trials) } : {}),
  };
}

/**
 * What stands before the cases of the report. `failed` counts every case that was run and did not pass, as in the
 * reference; `errored` says how many of those could not be scored. A replay gives the same bytes every time, so
 * nothing in it names the run, the clock or the machine.
 */
export function traceHead(summary: RunSummary, errors: ErrorCounts, repeated: RepeatedRate): object {
  const { totals } = summary;
  return {
    schema: TRACE_REPORT_SCHEMA,
    suite: summary.suite,
    passed: totals.passed,
    failed: totals.failed + totals.errored,
    total: totals.cases,
    all_passed: totals.cases > 0 && totals.passed === totals.cases,
    suite_kind: summary.kind,
    exit_code: acceptable(summary) ? 0 : 1,
    repeat_ci: repeated.interval(totals.cases),
    outcome: summary.outcome,
    reason: summary.reason,
    errored: totals.errored,
    not_run: totals.notRun,
    errors: errorCounts(errors),
    mode: summary.mode,
    ...baselineObject(summary.baseline),
    ...(summary.mode === 'replay' ? {} : { run: runFacts(summary) }),
  };
}
