import {
  sha256,
  type Check,
  type Receipt,
  type Recording,
  type TrialError,
  type TrialResult,
} from '../core/index.js';

/** A run of another tool, as trials that can be stored, shown, compared and graded again. */
export interface ImportedRun {
  /** What it is filed under; untrusted. */
  suite: string;
  agentModel: string;
  judgeModel: string | null;
  /** ISO time; null when the file does not say. */
  startedAt: string | null;
  trials: TrialResult[];
}

/** One attempt as another tool recorded it. */
export interface ImportedTrial {
  caseId: string;
  /** What was asked: trials of the same case must have been asked the same. */
  prompt: string;
  /** 1-based. */
  trial: number;
  agentModel: string;
  judgeModel: string | null;
  startedAt: string;
  /** Null when nothing was recorded. */
  recording: ((receipt: Receipt) => Recording) | null;
  /** Verdicts of the other tool; empty when it gave none. */
  checks: Check[];
  error: TrialError | null;
}

/** A check that another tool made. `evidence` is never empty: a verdict without any is no verdict. */
export function importedCheck(
  label: string,
  outcome: Check['outcome'],
  score: number,
  evidence: string,
  judged: boolean,
): Check {
  const bare = evidence.trim() === '';
  return {
    label,
    type: 'imported',
    outcome: bare && outcome === 'pass' ? 'error' : outcome,
    score: bare || outcome === 'error' || outcome === 'unknown' ? 0 : Math.min(1, Math.max(0, score)),
    weight: 1,
    category: judged ? 'judge' : 'program',
    diagnostic: false,
    required: false,
    evidence: bare ? 'there is no evidence for this verdict' : evidence,
  };
}

const UNGRADED: TrialError = {
  kind: 'grader',
  message: 'imported and not graded yet: assay grade RUN --suite SUITE',
};

function errorOf({ error, checks }: ImportedTrial): TrialError | null {
  if (error !== null) return error;
  if (checks.length === 0) return UNGRADED;
  const faulty = checks.filter((check) => check.outcome === 'error');
  if (faulty.length === 0) return null;
  return { kind: 'grader', message: faulty.map((check) => `${check.label}: ${check.evidence}`).join('\n') };
}

/** The result of an imported attempt: passed when every verdict is a pass; an error when some verdict is none. */
export function importedResult(imported: ImportedTrial): TrialResult {
  const { caseId, prompt, trial, checks, agentModel, judgeModel, startedAt } = imported;
  const caseHash = sha256(JSON.stringify([caseId, prompt]));
  const receipt: Receipt = {
    schema: 'assay/recording/v1',
    caseId,
    caseHash,
    trial,
    mode: 'live',
    modelRef: agentModel,
    servedModel: null,
    toolSurface: { requested: [], effective: [], registered: [] },
    sandbox: { autonomy: 'none', workspaceOnly: false },
    judgeRef: judgeModel,
    promptHash: null,
  };
  const error = errorOf(imported);
  const passes = checks.filter((check) => check.outcome === 'pass').length;
  return {
    caseId,
    caseHash,
    trial,
    status: error !== null ? 'error' : passes === checks.length ? 'passed' : 'failed',
    error,
    score: error !== null ? null : checks.reduce((sum, check) => sum + check.score, 0) / checks.length,
    checks,
    recording: imported.recording?.(receipt) ?? null,
    receipt,
    startedAt,
  };
}

/** The cases of imported trials, in order, with the number of the last trial of each. */
export function importedCases(trials: readonly TrialResult[]): Map<string, number> {
  const cases = new Map<string, number>();
  for (const { caseId, trial } of trials) cases.set(caseId, Math.max(cases.get(caseId) ?? 0, trial));
  return cases;
}
