import { compareUtf8, type CaseResult, type TrialResult } from '../core/index.js';
import { redactSecrets } from '../store/index.js';
import type { BaselineCheck, BaselineEntry } from './schema.js';

/** Trials that were scored, by number. */
function scoredTrials(trials: readonly TrialResult[]): TrialResult[] {
  return trials
    .filter((trial) => trial.status !== 'error')
    .toSorted((left, right) => left.trial - right.trial);
}

/**
 * The checks of a case over its scored trials: passed means passed in each of them, as the verdict of the case does.
 * The nth check of a label is the nth everywhere; labels that occur twice stay two checks.
 */
function checksOf(trials: readonly TrialResult[]): BaselineCheck[] {
  const found = new Map<string, BaselineCheck>();
  for (const trial of trials) {
    const seen = new Map<string, number>();
    for (const check of trial.checks) {
      const ordinal = (seen.get(check.label) ?? 0) + 1;
      seen.set(check.label, ordinal);
      const key = `${ordinal} ${check.label}`;
      // A label quotes expected text. It is compared as it is stored, so nothing is lost by leaving keys out of it.
      const earlier = found.get(key);
      const passed = check.outcome === 'pass';
      if (earlier !== undefined) earlier.passed &&= passed;
      else {
        const { category, diagnostic } = check;
        found.set(key, { check: redactSecrets(check.label), passed, category, diagnostic });
      }
    }
  }
  return [...found.values()];
}

function meanTokens(trials: readonly TrialResult[]): number | null {
  let total = 0;
  for (const { recording } of trials) {
    if (recording === null) return null;
    total += recording.usage.inputTokens + recording.usage.outputTokens;
  }
  return trials.length === 0 ? null : total / trials.length;
}

/**
 * True when every planned trial was scored, or the case was stopped because its verdict was decided: only then can it
 * stand in a baseline or be held against one.
 */
export function isFinished(result: CaseResult): boolean {
  return result.outcome !== 'error' && (result.scored >= result.planned || result.curtailed);
}

/** A finished case as an entry of a baseline; null when it did not finish. */
export function entryOf(result: CaseResult, trials: readonly TrialResult[]): BaselineEntry | null {
  const scored = scoredTrials(trials);
  const receipt = scored[0]?.receipt;
  if (receipt === undefined || !isFinished(result)) return null;
  const { toolSurface, sandbox } = receipt;
  return {
    case_id: result.id,
    case_hash: result.hash,
    mode: receipt.mode,
    provider_ref: redactSecrets(receipt.modelRef),
    tool_surface: {
      requested: toolSurface.requested.toSorted(compareUtf8),
      effective: toolSurface.effective.toSorted(compareUtf8),
      registered: toolSurface.registered.toSorted(compareUtf8),
    },
    sandbox: { autonomy: sandbox.autonomy, workspace_only: sandbox.workspaceOnly },
    verdict: result.outcome === 'passed' ? 'pass' : 'fail',
    checks: checksOf(scored),
    total_tokens: meanTokens(scored),
    score: result.meanScore,
    judge_ref: receipt.judgeRef,
    repeat: { k: result.planned, passes: result.passed },
  };
}
