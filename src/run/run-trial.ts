import {
  errorAdvice,
  errorMessage,
  sha256,
  type Check,
  type Receipt,
  type Recording,
  type TrialError,
  type TrialResult,
} from '../core/index.js';
import {
  gradeChecks,
  gradeRecording,
  mustWait,
  verdictOf,
  type GradeContext,
  type TrialVerdict,
} from '../grade/index.js';
import { scenarioUser } from '../scenario/index.js';
import type { Case, CaseScenario } from '../suite/index.js';
import {
  recordAnswer,
  recordTrial,
  type PreparedAgent,
  type RecordedTrial,
  type TrialPlan,
  type UserSide,
} from '../trial/index.js';
import type { ReadyOptions } from './options.js';
import { redactTrial } from './redact-trial.js';
import { differenceOf } from './second-run.js';
import { tamperCheck } from './tampering.js';

function receiptOf(options: ReadyOptions, tested: Case, trial: number): Receipt {
  return {
    schema: 'assay/recording/v1',
    caseId: tested.id,
    caseHash: tested.hash,
    trial,
    mode: options.agents.mode,
    modelRef: options.agents.modelRefOf?.(tested) ?? options.agents.modelRef,
    servedModel: options.agents.mode === 'replay' ? 'scripted' : null,
    toolSurface: options.agents.toolSurface(tested),
    sandbox:
      typeof options.agents.sandbox === 'function' ? options.agents.sandbox(tested) : options.agents.sandbox,
    judgeRef: tested.checks.some((check) => check.category === 'judge') ? (options.judgeRef ?? null) : null,
    promptHash: tested.systemPrompt === null ? null : sha256(tested.systemPrompt),
  };
}

/** True for the replay of a fixture as the reference knows it: scripted, in memory, and nothing secret in it. */
function isPlainReplay({ agents }: ReadyOptions, { agent }: Case): boolean {
  return agents.mode === 'replay' && agent.type === 'loop' && agent.tools === null;
}

/** True for a trial that starts nothing: it is over before anybody could give it up. */
function isInstant(options: ReadyOptions, tested: Case): boolean {
  return options.agents.mode === 'outputs' || isPlainReplay(options, tested);
}

function turnTimeout({ turnTimeoutMs }: ReadyOptions, tested: Case): number | null {
  return typeof turnTimeoutMs === 'function' ? turnTimeoutMs(tested) : (turnTimeoutMs ?? null);
}

/** Who speaks in a scenario: without anybody named, what is written or recorded, and no model. */
function userOf(options: ReadyOptions, tested: Case, scenario: CaseScenario, trial: number): UserSide {
  if (options.userOf !== undefined) return options.userOf(tested, trial);
  return scenarioUser({ scenario, simulator: null, redact: options.redact ?? ((text) => text) });
}

function planOf(
  options: ReadyOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
  agent: PreparedAgent,
): TrialPlan {
  const plan: TrialPlan = {
    case: tested,
    receipt,
    source: options.source,
    agent,
    turnTimeoutMs: turnTimeout(options, tested),
    signal: isInstant(options, tested) ? null : (options.cancel ?? null),
    keepWorkspace: options.keepWorkspaces === true,
    goldenMayChange: options.goldenMayChange === true,
  };
  if (tested.scenario !== undefined) plan.user = userOf(options, tested, tested.scenario, trial);
  if (options.limits !== undefined) plan.limits = options.limits;
  return plan;
}

/** A trial that could not be set up. */
function notRecorded({ source }: ReadyOptions, error: unknown): RecordedTrial {
  return {
    recording: null,
    error: { kind: isScriptFault(error) ? 'script' : 'setup', message: errorAdvice(error) },
    startedAt: new Date(source.now()).toISOString(),
    dispose: () => undefined,
  };
}

/** Records one attempt; at once where the answer is there already, for there may be very many of those. */
function recordOnce(
  options: ReadyOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
): RecordedTrial | Promise<RecordedTrial> {
  try {
    const preparing = options.agents.prepare(tested, trial);
    const answered =
      preparing instanceof Promise || preparing.answer === undefined
        ? null
        : recordAnswer(planOf(options, tested, trial, receipt, preparing));
    return answered ?? recordPrepared(options, tested, trial, receipt, preparing);
  } catch (error) {
    return notRecorded(options, error);
  }
}

async function recordPrepared(
  options: ReadyOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
  preparing: PreparedAgent | Promise<PreparedAgent>,
): Promise<RecordedTrial> {
  try {
    return await recordTrial(planOf(options, tested, trial, receipt, await preparing));
  } catch (error) {
    return notRecorded(options, error);
  }
}

function isScriptFault(error: unknown): boolean {
  return error instanceof Error && error.name === 'ScriptError';
}

/** Runs the same replay again; any difference between the two recordings is an error that shows it. */
async function compareSecondRun(
  options: ReadyOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
  first: Recording,
): Promise<TrialError | null> {
  const again = await recordOnce(options, tested, trial, receipt);
  try {
    return await differenceOf(first, again.recording);
  } finally {
    again.dispose();
  }
}

function firstError(checks: readonly Check[]): TrialError | null {
  const broken = checks.find((check) => check.outcome === 'error' && !check.diagnostic);
  return broken === undefined
    ? null
    : { kind: 'grader', message: `${broken.label} could not be evaluated: ${broken.evidence}` };
}

/** A finished trial; written as one literal, since a run may make a hundred thousand of them. */
function trialResult(
  receipt: Receipt,
  recorded: RecordedTrial,
  error: TrialError | null,
  verdict: TrialVerdict | null,
  checks: Check[],
): TrialResult {
  const scored = error === null && verdict !== null;
  return {
    caseId: receipt.caseId,
    caseHash: receipt.caseHash,
    trial: receipt.trial,
    status: scored ? (verdict.passed ? 'passed' : 'failed') : 'error',
    error: scored ? null : (error ?? { kind: 'agent', message: 'nothing was recorded' }),
    score: scored ? verdict.score : null,
    checks,
    recording: recorded.recording,
    receipt: recorded.recording?.receipt ?? receipt,
    startedAt: recorded.startedAt,
  };
}

function beforeGrading(options: ReadyOptions, tested: Case, recording: Recording): TrialError | null {
  try {
    options.onRecorded?.(tested, recording);
    return null;
  } catch (error) {
    return { kind: 'setup', message: errorMessage(error) };
  }
}

/** Runs and grades one trial. Never rejects: what goes wrong is the trial's error. */
export function runTrial(
  options: ReadyOptions,
  tested: Case,
  trial: number,
): TrialResult | Promise<TrialResult> {
  const receipt = receiptOf(options, tested, trial);
  const recorded = recordOnce(options, tested, trial, receipt);
  // Nothing to wait for: no promise is made, which many thousands of stored answers would notice.
  if (!(recorded instanceof Promise) && options.verifyDeterminism !== true && !mustWait(tested.checks)) {
    try {
      return kept(options, tested, gradedNow(options, tested, receipt, recorded));
    } finally {
      recorded.dispose();
    }
  }
  return gradedLater(options, tested, trial, receipt, recorded).then((result) =>
    kept(options, tested, result),
  );
}

/** The trial as it may be kept. */
function kept(options: ReadyOptions, tested: Case, result: TrialResult): TrialResult {
  if (options.redact === undefined || isPlainReplay(options, tested)) return result;
  return redactTrial(result, options.redact);
}

function contextOf(options: ReadyOptions, tested: Case): GradeContext {
  const context: GradeContext = { emptyText: tested.allowEmpty ? 'grade' : 'fail' };
  if (options.allChecks !== true) context.decide = tested.scoring;
  if (options.grade !== undefined) Object.assign(context, options.grade);
  return context;
}

function gradedNow(
  options: ReadyOptions,
  tested: Case,
  receipt: Receipt,
  recorded: RecordedTrial,
): TrialResult {
  const { recording, error } = recorded;
  if (error !== null || recording === null) return trialResult(receipt, recorded, error, null, []);
  const refused = beforeGrading(options, tested, recording);
  if (refused !== null) return trialResult(receipt, recorded, refused, null, []);
  const checks = gradeChecks(tested.checks, recording, contextOf(options, tested));
  return decided(tested, receipt, recorded, recording, checks);
}

async function gradedLater(
  options: ReadyOptions,
  tested: Case,
  trial: number,
  receipt: Receipt,
  recording: RecordedTrial | Promise<RecordedTrial>,
): Promise<TrialResult> {
  const recorded = await recording;
  try {
    const first = recorded.recording;
    let { error } = recorded;
    if (error === null && first !== null && options.verifyDeterminism === true) {
      error = await compareSecondRun(options, tested, trial, receipt, first);
    }
    if (error !== null || first === null) return trialResult(receipt, recorded, error, null, []);
    const refused = beforeGrading(options, tested, first);
    if (refused !== null) return trialResult(receipt, recorded, refused, null, []);
    const checks = await gradeRecording(tested.checks, first, contextOf(options, tested));
    await recorded.lookAgain?.();
    return decided(tested, receipt, recorded, first, checks);
  } finally {
    recorded.dispose();
  }
}

/** The result of a trial whose checks are all there. */
function decided(
  tested: Case,
  receipt: Receipt,
  recorded: RecordedTrial,
  recording: Recording,
  checks: Check[],
): TrialResult {
  const tampering = tamperCheck(recording);
  if (tampering !== null) checks.push(tampering);
  return trialResult(receipt, recorded, firstError(checks), verdictOf(checks, tested.scoring), checks);
}
