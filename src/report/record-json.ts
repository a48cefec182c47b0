import { finalText, type CaseResult, type Check, type Receipt, type TrialResult } from '../core/index.js';
import { caseError, inOrder, representative, suspicion } from './case-facts.js';
import { repeatFacts } from './repeat-facts.js';

/** Schema of a dumped case. */
export const RECORD_SCHEMA = 'assay/record/v1';

/** One check of a case, with the first reference's keys and what is known beyond them. */
export function grade(check: Check): object {
  return {
    check: check.label,
    passed: check.outcome === 'pass',
    detail: check.evidence,
    category: check.category,
    diagnostic: check.diagnostic,
    outcome: check.outcome,
  };
}

/** A receipt with the first reference's keys. */
export function receiptFacts(receipt: Receipt): object {
  return {
    schema: receipt.schema,
    mode: receipt.mode,
    case_id: receipt.caseId,
    case_hash: receipt.caseHash,
    provider_ref: receipt.modelRef,
    tool_surface: receipt.toolSurface,
    sandbox: { autonomy: receipt.sandbox.autonomy, workspace_only: receipt.sandbox.workspaceOnly },
    ...(receipt.judgeRef === null ? {} : { judge_ref: receipt.judgeRef }),
  };
}

function attempt(trial: TrialResult): object {
  const { recording } = trial;
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

/** The repeat block of a case, with the first reference's keys. */
export function repeatObject(result: CaseResult, trials: readonly TrialResult[]): object {
  const { tokens, durations, flips, truncated } = repeatFacts(result, trials);
  const doubt = suspicion(result);
  return {
    k: result.planned,
    passes: result.passed,
    completed: result.scored,
    truncated,
    error: trials.find((trial) => trial.error !== null)?.error?.message ?? null,
    attempts: trials.map(attempt),
    pass_at_k: result.passed > 0,
    pass_hat_k: result.passed === result.planned,
    token_mean: tokens.mean,
    token_stddev: tokens.deviation,
    duration_mean_ms: durations.mean,
    duration_stddev_ms: durations.deviation,
    check_flips: flips,
    suspect: doubt === 'suspect',
    low_signal: doubt === 'low-signal',
    interval: result.interval,
  };
}

/** The receipt of a trial and, when it was recorded, all that happened in it. */
function record(trial: TrialResult): object {
  const { recording, receipt } = trial;
  if (recording === null) return receiptFacts(receipt);
  const { toolCalls, usage } = recording;
  return {
    ...receiptFacts(receipt),
    served_model: receipt.servedModel,
    prompt_hash: receipt.promptHash,
    final_response: finalText(recording),
    turns: recording.turns,
    history: recording.messages,
    tool_calls: toolCalls.map((call) => ({
      name: call.name,
      arguments: call.arguments,
      result: call.result,
      success: call.ok,
      turn: call.turn,
      duration_ms: call.durationMs,
    })),
    tools_called: toolCalls.map((call) => call.name),
    all_tools_succeeded: toolCalls.every((call) => call.ok),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost: usage.cost,
    duration_ms: recording.durationMs,
    llm_calls: recording.llmCalls,
    ...(recording.notes === undefined ? {} : { notes: recording.notes }),
  };
}

/**
 * A case as it is dumped: `case_id`, `record`, `grades`, `error` and `repeat` as in the first reference, of the trial
 * that stands for the case, then schema, suite, outcome, and every trial of a case that has several.
 */
export function caseRecord(
  suite: string,
  result: CaseResult,
  unordered: readonly TrialResult[],
): { case_id: string; [key: string]: unknown } {
  const trials = inOrder(unordered);
  const shown = representative(trials);
  return {
    case_id: result.id,
    schema: RECORD_SCHEMA,
    suite,
    source: result.source,
    outcome: result.outcome,
    record: shown === undefined ? null : record(shown),
    grades: (shown?.checks ?? []).map(grade),
    error: caseError(result, trials),
    repeat: result.planned > 1 ? repeatObject(result, trials) : null,
    ...(result.planned < 2
      ? {}
      : {
          trials: trials.map((trial) => ({
            trial: trial.trial,
            outcome: trial.status,
            score: trial.score,
            record: record(trial),
            grades: trial.checks.map(grade),
            error: trial.error?.message ?? null,
          })),
        }),
  };
}
