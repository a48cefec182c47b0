import {
  acceptable,
  finalText,
  type CaseResult,
  type Check,
  type JudgeUsage,
  type RunSummary,
  type TrialResult,
} from '../core/index.js';
import { baselineObject } from './baseline-json.js';
import { errorCounts, inOrder, suspicion, type ErrorCounts } from './case-facts.js';
import type { RepeatedRate } from './repeated-rate.js';
import { repeatFacts } from './repeat-facts.js';
import { runFacts } from './run-json.js';
import { suiteSummary } from './suite-summary.js';

/** Schema of the JSON report of one assertion suite or program. */
export const ASSERTION_REPORT_SCHEMA = 'assay/assertion-report/v1';

function judgeOf(check: Check): object {
  const { judge } = check;
  if (judge === undefined) return {};
  return {
    judge: {
      model: judge.model,
      served_model: judge.servedModel,
      prompt_hash: judge.promptHash,
      replies: judge.replies,
      input_tokens: judge.inputTokens,
      output_tokens: judge.outputTokens,
      cost: judge.cost,
      cached: judge.cached,
    },
  };
}

function assertion(check: Check): object {
  return {
    type: check.type,
    passed: check.outcome === 'pass',
    score: check.score,
    reason: check.evidence,
    weight: check.weight,
    label: check.label,
    outcome: check.outcome,
    category: check.category,
    required: check.required,
    diagnostic: check.diagnostic,
    ...(check.metric === undefined ? {} : { metric: check.metric }),
    ...judgeOf(check),
  };
}

/** What judges or simulators used, apart from the agent; null when none was asked. */
function judgeUsage(usage: JudgeUsage | undefined): object | null {
  return usage === undefined
    ? null
    : {
        calls: usage.calls,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cost: usage.cost,
      };
}

function isTimed(mode: RunSummary['mode'] | undefined): boolean {
  return mode === 'live' || mode === 'record';
}

/** The conversation of a scenario, with the words that were simulated marked. */
function conversationOf({ recording }: TrialResult): object {
  const simulation = recording?.simulation;
  if (recording === null || simulation === undefined) return {};
  return {
    turns: recording.turns.map(({ user, simulated, text }) => ({
      user,
      simulated: simulated === true,
      agent: text,
    })),
    scenario: {
      ended: simulation.ended,
      reason: simulation.reason,
      simulator: simulation.modelRef,
      served_simulator: simulation.servedModel,
      recorded: simulation.replayed,
      calls: simulation.calls,
      input_tokens: simulation.inputTokens,
      output_tokens: simulation.outputTokens,
      cost: simulation.cost,
    },
  };
}

function trialOf(trial: TrialResult): object {
  const { recording, receipt } = trial;
  return {
    score: trial.score,
    passed: trial.status === 'passed',
    asserts: trial.checks.map(assertion),
    output: recording === null ? null : finalText(recording),
    trial: trial.trial,
    status: trial.status,
    error: trial.error,
    mode: receipt.mode,
    model: receipt.modelRef,
    served_model: receipt.servedModel,
    prompt_hash: receipt.promptHash,
    tool_calls: recording?.toolCalls.length ?? null,
    llm_calls: recording?.llmCalls ?? null,
    input_tokens: recording?.usage.inputTokens ?? null,
    output_tokens: recording?.usage.outputTokens ?? null,
    cost: recording?.usage.cost ?? null,
    ...conversationOf(trial),
    // Nothing is measured when stored answers are graded or a script is replayed, and the bytes must not vary.
    ...(isTimed(receipt.mode) ? { duration_ms: recording?.durationMs ?? null } : {}),
  };
}

/** The case in the report's `cases`: the second reference's four keys, then n, c, k and what they come to. */
export function assertionCase(result: CaseResult, trials: readonly TrialResult[]): object {
  return {
    id: result.id,
    mean_score: result.meanScore,
    pass_to_k: result.passHatK,
    pass_at_k: result.passAtK,
    outcome: result.outcome,
    n: result.scored,
    c: result.passed,
    k: result.planned,
    interval: result.interval,
    errors: errorCounts(new Map(Object.entries(result.errors).filter(([, count]) => count > 0))),
    negative: result.negative,
    expected_failing: result.expectedFailing,
    curtailed: result.curtailed,
    curtailed_rate: result.curtailedRate,
    suspect: suspicion(result) === 'suspect',
    cluster: result.cluster,
    tags: result.tags,
    source: result.source,
    line: result.line,
    case_hash: result.hash,
    input_tokens: result.inputTokens,
    output_tokens: result.outputTokens,
    cost: result.cost,
    ...(result.metrics === undefined ? {} : { metrics: result.metrics }),
    ...(isTimed(trials[0]?.receipt.mode) ? { duration_ms: result.durationMs } : {}),
    ...repeatOf(result, trials),
  };
}

/** What repeating a case showed; durations only where something was timed. */
function repeatOf(result: CaseResult, trials: readonly TrialResult[]): object {
  if (result.planned < 2) return {};
  const { tokens, durations, flips } = repeatFacts(result, inOrder(trials));
  return {
    repeat: {
      token_mean: tokens.mean,
      token_stddev: tokens.deviation,
      ...(isTimed(trials[0]?.receipt.mode)
        ? { duration_mean_ms: durations.mean, duration_stddev_ms: durations.deviation }
        : {}),
      check_flips: flips,
      low_signal: suspicion(result) === 'low-signal',
    },
  };
}

/** The case in the report's `detail`: its trials with every assertion and the whole output. */
export function assertionDetail(result: CaseResult, trials: readonly TrialResult[]): object {
  return {
    id: result.id,
    mean_score: result.meanScore,
    pass_at_k: result.passAtK,
    pass_to_k: result.passHatK,
    trials: inOrder(trials).map(trialOf),
  };
}

/** What the cases of a suite add up to beyond its summary. */
export interface AssertionTotals {
  errors: ErrorCounts;
  /** Cases that show what the agent should not do. */
  negative: number;
  /** Cases seen. */
  seen: number;
}

/** What stands before the cases of the report: the second reference's keys, then the additions. */
export function assertionHead(summary: RunSummary, counts: AssertionTotals, repeated: RepeatedRate): object {
  const { totals } = summary;
  return {
    schema: ASSERTION_REPORT_SCHEMA,
    suite: summary.suite,
    type: summary.kind,
    passed: summary.outcome === 'passed',
    score: summary.score,
    pass_to_k: summary.passHatK,
    pass_at_k: summary.passAtK,
    summary: suiteSummary(summary),
    run_id: summary.runId,
    outcome: summary.outcome,
    reason: summary.reason,
    exit_code: acceptable(summary) ? 0 : 1,
    gate: summary.gate,
    threshold: summary.threshold,
    ...(summary.criteria === undefined ? {} : { criteria: summary.criteria }),
    ...(summary.metrics === undefined ? {} : { metrics: summary.metrics }),
    trials: summary.trials,
    mode: summary.mode,
    format: summary.format,
    totals: {
      cases: totals.cases,
      passed: totals.passed,
      failed: totals.failed,
      errored: totals.errored,
      not_run: totals.notRun,
      trials: totals.trials,
      scored_trials: totals.scoredTrials,
      passed_trials: totals.passedTrials,
    },
    errors: errorCounts(counts.errors),
    repeat_ci: repeated.interval(totals.cases),
    balance: { should: counts.seen - counts.negative, should_not: counts.negative },
    agent_model: summary.agentModel,
    judge_model: summary.judgeModel,
    input_tokens: summary.inputTokens,
    output_tokens: summary.outputTokens,
    cost: summary.cost,
    judge_usage: judgeUsage(summary.judgeUsage),
    ...(summary.simulatorModel === undefined
      ? {}
      : { simulator_model: summary.simulatorModel, simulator_usage: judgeUsage(summary.simulatorUsage) }),
    ...baselineObject(summary.baseline),
    run: runFacts(summary),
  };
}
