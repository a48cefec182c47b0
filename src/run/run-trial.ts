import {
  canonicalJson,
  errorMessage,
  sha256,
  type Check,
  type Receipt,
  type Recording,
  type TrialError,
  type TrialResult,
} from '../core/index.js';
import { gradeRecording, verdictOf } from '../grade/index.js';
import type { Case } from '../suite/index.js';
import { recordTrial, type RecordedTrial } from '../trial/index.js';
import type { RunOptions } from './options.js';

function receiptOf(options: RunOptions, tested: Case, trial: number): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: tested.id,
    caseHash: tested.hash,
    trial,
    mode: options.agents.mode,
    modelRef: options.agents.modelRef,
    servedModel: null,
    toolSurface: options.agents.toolSurface(tested),
    sandbox: options.agents.sandbox,
    judgeRef: tested.checks.some((check) => check.category === 'judge') ? (options.judgeRef ?? null) : null,
    promptHash: tested.systemPrompt === null ? null : sha256(tested.systemPrompt),
  };
}

async function recordOnce(
  options: RunOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
): Promise<RecordedTrial> {
  try {
    const preparing = options.agents.prepare(tested, trial);
    const agent = preparing instanceof Promise ? await preparing : preparing;
    return await recordTrial({
      case: tested,
      receipt,
      source: options.source,
      open: (context) => agent.open(context),
      ...(agent.endTurn === undefined ? {} : { endTurn: (turn: number) => agent.endTurn?.(turn) }),
      turnTimeoutMs: options.turnTimeoutMs ?? null,
      ...(options.cancel === undefined ? {} : { signal: options.cancel }),
    });
  } catch (error) {
    return {
      recording: null,
      error: { kind: isScriptFault(error) ? 'script' : 'setup', message: errorMessage(error) },
      startedAt: new Date(options.source.now()).toISOString(),
      dispose: () => undefined,
    };
  }
}

function isScriptFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'ScriptError';
}

/** Runs the same replay again; any difference between the two recordings is an error that shows it. */
async function compareSecondRun(
  options: RunOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
  first: Recording,
): Promise<TrialError | null> {
  const again = await recordOnce(options, tested, trial, receipt);
  try {
    const before = canonicalJson(withoutWorkspace(first));
    const after = canonicalJson(again.recording === null ? null : withoutWorkspace(again.recording));
    if (before === after) return null;
    const { createTwoFilesPatch } = await import('diff');
    const patch = createTwoFilesPatch('first run', 'second run', pretty(before), pretty(after), '', '', {
      context: 2,
      timeout: 1000,
    });
    return {
      kind: 'script',
      message: `the replay is not deterministic: two runs recorded different things\n${patch ?? 'the difference is too large to show'}`,
    };
  } finally {
    again.dispose();
  }
}

/** The workspace is a fresh temporary directory each time; where it lies is no part of what happened. */
function withoutWorkspace(recording: Recording): Recording {
  const { workspace: _workspace, ...rest } = recording;
  return rest;
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function firstError(checks: readonly Check[]): TrialError | null {
  const broken = checks.find((check) => check.outcome === 'error' && !check.diagnostic);
  return broken === undefined
    ? null
    : { kind: 'grader', message: `${broken.label} could not be evaluated: ${broken.evidence}` };
}

/** Runs and grades one trial. Never rejects: what goes wrong is the trial's error. */
export async function runTrial(options: RunOptions, tested: Case, trial: number): Promise<TrialResult> {
  const receipt = receiptOf(options, tested, trial);
  const recorded = await recordOnce(options, tested, trial, receipt);
  const base = { caseId: tested.id, caseHash: tested.hash, trial, startedAt: recorded.startedAt };
  try {
    const { recording } = recorded;
    let { error } = recorded;
    if (error === null && recording !== null && options.verifyDeterminism === true) {
      error = await compareSecondRun(options, tested, trial, receipt, recording);
    }
    if (error !== null || recording === null) {
      return {
        ...base,
        status: 'error',
        error: error ?? { kind: 'agent', message: 'nothing was recorded' },
        score: null,
        checks: [],
        recording,
        receipt: recording?.receipt ?? receipt,
      };
    }
    const checks = await gradeRecording(tested.checks, recording, {
      emptyText: tested.allowEmpty ? 'grade' : 'fail',
      ...options.grade,
    });
    options.onGraded?.(tested, recording, checks);
    const verdict = verdictOf(checks, tested.scoring);
    const graderError = firstError(checks);
    return {
      ...base,
      status: graderError !== null ? 'error' : verdict.passed ? 'passed' : 'failed',
      error: graderError,
      score: graderError === null ? verdict.score : null,
      checks,
      recording,
      receipt: recording.receipt,
    };
  } finally {
    recorded.dispose();
  }
}
