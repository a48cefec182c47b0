import { wilson } from '../stats/index.js';
import type { CaseComparison, CaseResult, Check, RunSummary, TrialResult } from '../core/index.js';
import { inOrder, repeatFacts, representative, RepeatedRate } from '../report/index.js';
import { isFinished } from './entry.js';
import { namedChecks } from './check-kind.js';
import { portableDirectory, portableReference } from './history-names.js';
import { HISTORY_SCHEMA, type HistoryCase, type HistoryRecord } from './history-schema.js';

function checksOf(checks: readonly Check[]): HistoryCase['checks'] {
  return Object.fromEntries(
    namedChecks(checks).map(([name, check]) => [
      name,
      { passed: check.outcome === 'pass', diagnostic: check.diagnostic },
    ]),
  );
}

/** Flips by name: checks that passed in some scored trials and not in others. */
function flipsOf(trials: readonly TrialResult[]): { [name: string]: number } {
  const counts = new Map<string, { passes: number; misses: number }>();
  for (const trial of trials) {
    if (trial.status === 'error') continue;
    for (const [name, check] of namedChecks(trial.checks)) {
      const count = counts.get(name) ?? { passes: 0, misses: 0 };
      if (check.outcome === 'pass') count.passes += 1;
      else count.misses += 1;
      counts.set(name, count);
    }
  }
  const flips = [...counts].map(([name, { passes, misses }]): [string, number] => [
    name,
    Math.min(passes, misses),
  ]);
  return Object.fromEntries(flips.filter(([, flipped]) => flipped > 0));
}

function repeatOf(result: CaseResult, trials: readonly TrialResult[]): HistoryCase['repeat'] {
  if (result.planned < 2) return null;
  const { tokens, durations, truncated } = repeatFacts(result, trials);
  return {
    k: result.planned,
    passes: result.passed,
    completed: result.scored,
    truncated,
    error: trials.some((trial) => trial.error !== null),
    token_mean: tokens.mean,
    token_stddev: tokens.deviation,
    duration_mean_ms: durations.mean,
    duration_stddev_ms: durations.deviation,
    check_flips: flipsOf(trials),
    attempts: trials.map((trial) => ({
      attempt: trial.trial,
      outcome: trial.status,
      input_tokens: trial.recording?.usage.inputTokens ?? null,
      output_tokens: trial.recording?.usage.outputTokens ?? null,
      duration_ms: trial.recording?.durationMs ?? null,
      llm_calls: trial.recording?.llmCalls ?? null,
      checks: checksOf(trial.checks),
      error: trial.error !== null,
    })),
  };
}

function withComparison(one: HistoryCase, comparison: CaseComparison | undefined): HistoryCase {
  if (comparison === undefined) return one;
  const { classification, lost } = comparison;
  const regressed = classification === 'regression' || classification === 'flaky_unconfirmed';
  return {
    ...one,
    baseline_comparison: classification,
    regression_categories: regressed ? [...new Set(lost.map((check) => check.category))] : [],
  };
}

/** One run in the making, case by case; nothing that was said in it is kept. */
export class HistoryDraft {
  readonly #cases: HistoryCase[] = [];
  readonly #repeated = new RepeatedRate();

  add(result: CaseResult, unordered: readonly TrialResult[]): void {
    const trials = inOrder(unordered);
    const shown = representative(trials);
    const finished = isFinished(result);
    const receipt = shown?.receipt;
    this.#repeated.add(result);
    this.#cases.push({
      case_id: result.id,
      case_hash: result.hash,
      provider_ref: receipt === undefined ? null : portableReference(receipt.modelRef),
      tool_surface: receipt?.toolSurface ?? null,
      judge_ref:
        receipt === undefined || receipt.judgeRef === null ? null : portableReference(receipt.judgeRef),
      verdict: finished ? (result.outcome === 'passed' ? 'pass' : 'fail') : null,
      error: !finished,
      score: result.meanScore,
      checks: checksOf(shown?.checks ?? []),
      input_tokens: result.inputTokens,
      output_tokens: result.outputTokens,
      duration_ms: result.durationMs,
      llm_calls: shown?.recording?.llmCalls ?? null,
      repeat: repeatOf(result, trials),
      baseline_comparison: null,
      regression_categories: [],
    });
  }

  /** The whole record. `cwd` is what the suite's path is made relative to. */
  record(
    summary: RunSummary,
    facts: { recordedAt: string; git: RunSummary['git']; suitePath: string; cwd: string },
  ): HistoryRecord {
    const { totals } = summary;
    const compared = new Map(summary.baseline?.cases.map((one) => [one.id, one]));
    const scored = totals.passed + totals.failed;
    const rate = scored === 0 ? null : wilson({ n: scored, c: totals.passed });
    return {
      schema: HISTORY_SCHEMA,
      run_id: summary.runId,
      recorded_at: facts.recordedAt,
      git_sha: facts.git?.commit ?? null,
      git_dirty: facts.git?.dirty ?? null,
      assay_version: summary.assayVersion,
      suite: summary.suite,
      suite_dir: portableDirectory(facts.suitePath, facts.cwd),
      suite_kind: summary.kind,
      mode: summary.mode,
      provider_ref: portableReference(summary.agentModel),
      outcome: summary.outcome,
      passed: totals.passed,
      failed: totals.failed + totals.errored,
      errored: totals.errored,
      not_run: totals.notRun,
      total: totals.cases,
      pass_rate_interval: rate === null ? null : { lo: rate.lo, hi: rate.hi },
      repeat_ci: this.#repeated.interval(totals.cases),
      cases: this.#cases.map((one) => withComparison(one, compared.get(one.case_id))),
    };
  }
}
