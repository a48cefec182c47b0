import {
  finalText,
  type Check,
  type Message,
  type Receipt,
  type Recording,
  type TrialResult,
} from '../core/index.js';
import { DerivedText } from './derived-text.js';
import { mayHoldSecrets, redactedObject } from './redact.js';
import type { Stretch } from './text-slab.js';

/** A trial as it stands in the journal: the bytes of one line of JSON, the same text that goes into `run.json`. */
export type StoredTrial = Stretch;

// The objects below are written out key by key, which is several times faster than copying the rest of an object;
// `satisfies` makes a key that core gains a compile error here instead of a silent loss.

function storedCheck(check: Check): object {
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
    metric: check.metric,
    judge: check.judge,
  } satisfies Record<Exclude<keyof Check, 'evidence'> | 'passed' | 'reason', unknown>;
}

/** The receipt without what the trial says already. */
function storedReceipt(trial: TrialResult): object {
  const { receipt } = trial;
  const same =
    receipt.caseId === trial.caseId && receipt.caseHash === trial.caseHash && receipt.trial === trial.trial;
  if (!same) return receipt;
  return {
    schema: receipt.schema,
    mode: receipt.mode,
    modelRef: receipt.modelRef,
    servedModel: receipt.servedModel,
    toolSurface: receipt.toolSurface,
    sandbox: receipt.sandbox,
    judgeRef: receipt.judgeRef,
    promptHash: receipt.promptHash,
  } satisfies Record<Exclude<keyof Receipt, 'caseId' | 'caseHash' | 'trial'>, unknown>;
}

function sameReceipt(left: Receipt, right: Receipt): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function storedMessage(message: Message, derived: DerivedText): object {
  return {
    role: message.role,
    text: derived.next(message) === message.text ? undefined : message.text,
    toolCalls: message.toolCalls?.map((call) =>
      derived.argumentsOf(call.id) === call.arguments ? { id: call.id, name: call.name } : call,
    ),
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    isError: message.isError,
    reasoning: message.reasoning,
  } satisfies Record<keyof Message, unknown>;
}

function storedRecording(recording: Recording, receipt: Receipt): object {
  const { turns } = recording;
  const derived = new DerivedText(turns, recording.toolCalls);
  const last = turns.length - 1;
  return {
    // The last turn's text is the trial's `output`.
    turns: turns.map((turn, index) =>
      index === last ? { user: turn.user, simulated: turn.simulated } : turn,
    ),
    messages: recording.messages.map((message) => storedMessage(message, derived)),
    toolCalls: recording.toolCalls,
    usage: recording.usage,
    llmCalls: recording.llmCalls,
    durationMs: recording.durationMs,
    workspace: recording.workspace,
    simulation: recording.simulation,
    notes: recording.notes,
    extra: recording.extra,
    receipt: sameReceipt(recording.receipt, receipt) ? undefined : recording.receipt,
  } satisfies Record<keyof Recording, unknown>;
}

/**
 * One finished trial as one line of JSON without line feeds: the reference's `score`, `passed`, `asserts` and
 * `output`, then everything else that is known, each fact once. Key shapes are redacted everywhere but in the case's
 * id and hash, on which resuming depends. `parseTrial` gives the trial back.
 */
export function trialText(trial: TrialResult): string {
  const { recording } = trial;
  const line = {
    type: 'trial',
    case: trial.caseId,
    hash: trial.caseHash,
    trial: trial.trial,
    status: trial.status,
    startedAt: trial.startedAt,
    error: trial.error,
    score: trial.score,
    passed: trial.status === 'passed',
    asserts: trial.checks.map(storedCheck),
    output: recording === null ? '' : finalText(recording),
    receipt: storedReceipt(trial),
    recording: recording === null ? null : storedRecording(recording, trial.receipt),
  };
  const text = JSON.stringify(line);
  if (!mayHoldSecrets(text)) return text;
  const { type, case: caseId, hash, trial: number, ...rest } = line;
  return redactedObject({ type, case: caseId, hash, trial: number }, rest);
}
