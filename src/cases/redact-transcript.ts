import { redactJson, redactText } from './redact-case.js';
import type { Transcript, TranscriptCall } from './transcript.js';

function redactCall(call: TranscriptCall): TranscriptCall {
  return {
    ...call,
    name: redactText(call.name),
    arguments: redactJson(call.arguments),
    result: call.result === null ? null : redactText(call.result),
  };
}

/** A transcript in which secrets are hidden. */
export function redactTranscript(transcript: Transcript): Transcript {
  return {
    ...transcript,
    system: transcript.system === null ? null : redactText(transcript.system),
    turns: transcript.turns.map(({ user, steps }) => ({
      user: redactText(user),
      steps: steps.map((step) => ({
        ...step,
        text: redactText(step.text),
        calls: step.calls.map(redactCall),
      })),
    })),
    notes: transcript.notes.map(redactText),
  };
}
