import type { JsonObject, RunSummary, TrialResult } from '../core/index.js';
import type { StoredCase, StoredRun } from '../store/index.js';

/** Ids of cases that did not pass, at most. */
const MOST_MISSED = 50;

function summaryFacts(summary: RunSummary | null): JsonObject {
  if (summary === null) return { outcome: null };
  const { outcome, totals, score, passHatK, passAtK, cost, interrupted } = summary;
  return {
    outcome,
    interrupted,
    gate: summary.gate,
    score,
    pass_to_k: passHatK,
    pass_at_k: passAtK,
    cases: totals.cases,
    passed: totals.passed,
    failed: totals.failed,
    errors: totals.errored,
    not_run: totals.notRun,
    trials: totals.trials,
    scored_trials: totals.scoredTrials,
    passed_trials: totals.passedTrials,
    reused_trials: totals.reusedTrials,
    cost_usd: cost,
  };
}

/** True when every trial of a case passed. */
export function allPassed({ trials }: StoredCase): boolean {
  return trials.every((trial) => trial.status === 'passed');
}

/** What Assay knows of a stored run, without a word that a model wrote. */
export function runFacts(run: StoredRun): JsonObject {
  const { header, summary } = run;
  const finished = summary !== null && !summary.interrupted;
  const missed: string[] = [];
  let stored = 0;
  for (const found of run.cases()) {
    stored += found.trials.length;
    if (!allPassed(found) && missed.length < MOST_MISSED) missed.push(found.id);
  }
  return {
    run: header.runId,
    suite: header.suite,
    started_at: header.startedAt,
    kind: header.kind,
    mode: header.mode,
    trials_a_case: header.trials,
    agent_model: header.agentModel,
    judge_model: header.judgeModel,
    finished,
    ...summaryFacts(summary),
    stored_trials: stored,
    cases_that_did_not_pass: missed,
    ...(finished
      ? {}
      : {
          next: `it is not finished: run_suite with resume: ${JSON.stringify(header.runId)} goes on with it`,
        }),
  };
}

/** One trial in a list: what came out, and which checks did not pass. */
export function trialFacts(trial: TrialResult): JsonObject {
  const missed = trial.checks.filter((check) => check.outcome !== 'pass');
  return {
    trial: trial.trial,
    status: trial.status,
    score: trial.score,
    ...(trial.error === null ? {} : { error: trial.error.kind, message: trial.error.message }),
    ...(missed.length === 0
      ? {}
      : {
          checks: missed.map((check) => ({
            check: check.label,
            outcome: check.outcome,
            evidence: check.evidence,
          })),
        }),
  };
}
