import { finalText, type Check, type Receipt, type Recording, type TrialResult } from '../core/index.js';
import { DerivedText } from './derived-text.js';
import { redactSecrets } from './redact.js';

/** A trial as it stands in the journal: one line of JSON, the same text that goes into `run.json`. */
export interface StoredTrial {
  readonly json: string;
}

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
  };
}

/** The receipt without what the trial says already. */
function storedReceipt(trial: TrialResult): object {
  const { caseId, caseHash, trial: number, ...rest } = trial.receipt;
  const same = caseId === trial.caseId && caseHash === trial.caseHash && number === trial.trial;
  return same ? rest : trial.receipt;
}

function sameReceipt(left: Receipt, right: Receipt): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function storedRecording(recording: Recording, receipt: Receipt): object {
  const { receipt: own, turns, messages, ...rest } = recording;
  const derived = new DerivedText(turns, recording.toolCalls);
  return {
    // The last turn's text is the trial's `output`.
    turns: turns.map((turn, index) => (index === turns.length - 1 ? { user: turn.user } : turn)),
    messages: messages.map((message) => {
      const { text, toolCalls, ...facts } = message;
      return {
        ...facts,
        text: derived.next(message) === text ? undefined : text,
        toolCalls: toolCalls?.map((call) =>
          derived.argumentsOf(call.id) === call.arguments ? { id: call.id, name: call.name } : call,
        ),
      };
    }),
    ...rest,
    receipt: sameReceipt(own, receipt) ? undefined : own,
  };
}

/**
 * One finished trial as one line of JSON without line feeds: the reference's `score`, `passed`, `asserts` and
 * `output`, then everything else that is known, each fact once. Key shapes are redacted everywhere but in the case's
 * id and hash, on which resuming depends. `parseTrial` gives the trial back.
 */
export function trialText(trial: TrialResult): string {
  const { recording, error } = trial;
  const identity = JSON.stringify({
    type: 'trial',
    case: trial.caseId,
    hash: trial.caseHash,
    trial: trial.trial,
  });
  const rest = JSON.stringify({
    status: trial.status,
    startedAt: trial.startedAt,
    error,
    score: trial.score,
    passed: trial.status === 'passed',
    asserts: trial.checks.map(storedCheck),
    output: recording === null ? '' : finalText(recording),
    receipt: storedReceipt(trial),
    recording: recording === null ? null : storedRecording(recording, trial.receipt),
  });
  return `${identity.slice(0, -1)},${redactSecrets(rest).slice(1)}`;
}
