import type { CaseResult, RunSummary } from '../core/index.js';
import type { StoredHeader } from './header.js';
import { mayHoldSecrets, redactedObject } from './redact.js';

/** Schema of `run.json`. */
export const RUN_SCHEMA = 'assay/run/v1';

/** Schema of `latest.json`. */
export const LATEST_SCHEMA = 'assay/latest/v1';

/** A case in `cases`: the reference's four keys, then what was counted and where the case comes from. */
export function caseText(result: CaseResult): string {
  const facts = {
    id: result.id,
    case_hash: result.hash,
    mean_score: result.meanScore,
    pass_to_k: result.passHatK,
    pass_at_k: result.passAtK,
    outcome: result.outcome,
    n: result.scored,
    c: result.passed,
    k: result.planned,
    interval: result.interval,
    errors: result.errors,
    negative: result.negative,
    expected_failing: result.expectedFailing,
    curtailed: result.curtailed,
    curtailed_rate: result.curtailedRate,
    cluster: result.cluster,
    tags: result.tags,
    source: result.source,
    line: result.line,
    input_tokens: result.inputTokens,
    output_tokens: result.outputTokens,
    cost: result.cost,
    duration_ms: result.durationMs,
    metrics: result.metrics,
  };
  const text = JSON.stringify(facts);
  if (!mayHoldSecrets(text)) return text;
  const { id, case_hash, ...rest } = facts;
  return redactedObject({ id, case_hash }, rest);
}

/** The reference's keys of a case in `detail`, as the beginning of an object that is still open. */
export function detailHead(result: CaseResult): string {
  const facts = JSON.stringify({
    id: result.id,
    mean_score: result.meanScore,
    pass_at_k: result.passAtK,
    pass_to_k: result.passHatK,
  });
  return facts.slice(0, -1);
}

function milliseconds(summary: RunSummary): number | null {
  const duration = Date.parse(summary.finishedAt) - Date.parse(summary.startedAt);
  return Number.isFinite(duration) ? duration : null;
}

/**
 * What `run.json` and `latest.json` say of the run as a whole, as the beginning of an object that is still open: the
 * reference's keys, then the additions.
 */
export function headText(
  schema: string,
  summary: RunSummary,
  header: Pick<StoredHeader, 'promptHash' | 'settings'>,
  summaryLine: string,
): string {
  const { totals } = summary;
  const text = redactedObject(
    { schema, run_id: summary.runId, suite: summary.suite },
    {
      type: summary.kind,
      passed: summary.outcome === 'passed',
      score: summary.score,
      pass_to_k: summary.passHatK,
      pass_at_k: summary.passAtK,
      summary: summaryLine,
      outcome: summary.outcome,
      reason: summary.reason,
      gate: summary.gate,
      ...(summary.criteria === undefined ? {} : { criteria: summary.criteria }),
      ...(summary.metrics === undefined ? {} : { metrics: summary.metrics }),
      threshold: summary.threshold,
      trials: summary.trials,
      mode: summary.mode,
      format: summary.format,
      suite_path: summary.suitePath,
      totals: {
        cases: totals.cases,
        passed: totals.passed,
        failed: totals.failed,
        errored: totals.errored,
        not_run: totals.notRun,
        trials: totals.trials,
        scored_trials: totals.scoredTrials,
        passed_trials: totals.passedTrials,
        reused_trials: totals.reusedTrials,
      },
      agent_model: summary.agentModel,
      judge_model: summary.judgeModel,
      prompt_hash: header.promptHash,
      settings: header.settings ?? {},
      seed: summary.seed,
      input_tokens: summary.inputTokens,
      output_tokens: summary.outputTokens,
      cost: summary.cost,
      started_at: summary.startedAt,
      finished_at: summary.finishedAt,
      duration_ms: milliseconds(summary),
      interrupted: summary.interrupted,
      assay_version: summary.assayVersion,
      git: summary.git,
    },
  );
  return text.slice(0, -1);
}
