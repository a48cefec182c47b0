import { acceptable, type CaseResult, type Check, type RunSummary, type TrialResult } from '../core/index.js';
import {
  caseError,
  categoryTotals,
  checkFlips,
  errorCounts,
  inOrder,
  representative,
  suspicion,
  type ErrorCounts,
} from './case-facts.js';
import type { RepeatedRate } from './repeated-rate.js';
import { runFacts } from './run-json.js';

/** Schema of the JSON report of one suite of trace fixtures. */
export const TRACE_REPORT_SCHEMA = 'assay/trace-report/v1';

function grade(check: Check): object {
  return {
    check: check.label,
    passed: check.outcome === 'pass',
    detail: check.evidence,
    category: check.category,
    diagnostic: check.diagnostic,
    outcome: check.outcome,
  };
}

/** Mean and sample standard deviation; null where there are too few values. */
function spread(values: readonly number[]): { mean: number | null; deviation: number | null } {
  const count = values.length;
  if (count === 0) return { mean: null, deviation: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, deviation: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (count - 1)) };
}

function totalTokens(trial: TrialResult): number | null {
  const usage = trial.recording?.usage;
  return usage === undefined ? null : usage.inputTokens + usage.outputTokens;
}

function attempt(trial: TrialResult): object {
  const recording = trial.recording;
  return {
    attempt: trial.trial,
    outcome: trial.status,
    input_tokens: recording?.usage.inputTokens ?? null,
    output_tokens: recording?.usage.outputTokens ?? null,
    duration_ms: recording?.durationMs ?? null,
    llm_calls: recording?.llmCalls ?? null,
    checks: trial.checks.map((check) => ({
      check: check.label,
      passed: check.outcome === 'pass',
      diagnostic: check.diagnostic,
    })),
    error: trial.error?.message ?? null,
  };
}

function repeat(result: CaseResult, trials: readonly TrialResult[]): object {
  const scored = trials.filter((trial) => trial.status !== 'error');
  const tokens = spread(scored.map(totalTokens).filter((value) => value !== null));
  const durations = spread(
    scored.map((trial) => trial.recording?.durationMs).filter((value) => value !== undefined),
  );
  return {
    k: result.planned,
    passes: result.passed,
    completed: result.scored,
    truncated: result.outcome === 'error' || result.scored < result.planned,
    error: trials.find((trial) => trial.error !== null)?.error?.message ?? null,
    attempts: trials.map(attempt),
    pass_at_k: result.passed > 0,
    pass_hat_k: result.passed === result.planned,
    token_mean: tokens.mean,
    token_stddev: tokens.deviation,
    duration_mean_ms: durations.mean,
    duration_stddev_ms: durations.deviation,
    check_flips: checkFlips(trials),
    suspect: suspicion(result) === 'suspect',
    interval: result.interval,
  };
}

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
    ...(receipt === undefined
      ? {}
      : {
          schema: receipt.schema,
          mode: receipt.mode,
          case_id: receipt.caseId,
          case_hash: receipt.caseHash,
          provider_ref: receipt.modelRef,
          tool_surface: receipt.toolSurface,
          sandbox: { autonomy: receipt.sandbox.autonomy, workspace_only: receipt.sandbox.workspaceOnly },
          ...(receipt.judgeRef === null ? {} : { judge_ref: receipt.judgeRef }),
        }),
    ...(result.outcome !== 'error' && tokens !== null ? { total_tokens: tokens } : {}),
    ...(result.planned > 1 ? { repeat: repeat(result, trials) } : {}),
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
    ...(summary.mode === 'replay' ? {} : { run: runFacts(summary) }),
  };
}
