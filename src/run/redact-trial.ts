import type { Check, Message, Recording, TrialResult } from '../core/index.js';

/** Takes out of a text what must not be kept. */
export type Redact = (text: string) => string;

function mapTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, redact)]));
}

/** The same value with every text redacted. Texts stay texts, so it keeps its shape. */
function redacted<Value>(value: Value, redact: Redact): Value {
  return mapTexts(value, redact) as Value;
}

/** What the suite itself says stays as it is: it stands in the suite's file, and later gradings compare with it. */
function redactMessage(message: Message, redact: Redact): Message {
  return message.role === 'user' || message.role === 'system' ? message : redacted(message, redact);
}

function redactRecording(recording: Recording, redact: Redact): Recording {
  const { receipt, turns, messages, ...rest } = recording;
  return {
    ...redacted(rest, redact),
    receipt,
    turns: turns.map(({ user, text }) => ({ user, text: redact(text) })),
    messages: messages.map((message) => redactMessage(message, redact)),
  };
}

/** Labels are left alone: they quote the suite, and baselines key on them. */
function redactCheck(check: Check, redact: Redact): Check {
  const { evidence, judge } = check;
  return {
    ...check,
    evidence: redact(evidence),
    ...(judge === undefined ? {} : { judge: redacted(judge, redact) }),
  };
}

/**
 * A finished trial with everything that came from the agent, its model, its tools and the graders redacted: before it
 * is stored, counted or shown, and after it was graded.
 */
export function redactTrial(trial: TrialResult, redact: Redact): TrialResult {
  const { error, recording } = trial;
  return {
    ...trial,
    error: error === null ? null : { kind: error.kind, message: redact(error.message) },
    checks: trial.checks.map((check) => redactCheck(check, redact)),
    recording: recording === null ? null : redactRecording(recording, redact),
  };
}
