import {
  canonicalJson,
  type JsonObject,
  type Message,
  type Receipt,
  type Recording,
  type ToolCall,
} from '../core/index.js';
import { addMessage } from './chat-messages.js';
import { redactTranscript } from './redact-transcript.js';
import { TranscriptBuilder } from './transcript-builder.js';
import type { Transcript, TranscriptCall } from './transcript.js';

/** A conversation in messages of any of the message-array forms, secrets hidden. */
export function messagesTranscript(messages: readonly JsonObject[]): Transcript {
  const builder = new TranscriptBuilder();
  for (const message of messages) addMessage(builder, message);
  return redactTranscript(builder.build('openai'));
}

function argumentsText(call: TranscriptCall): string {
  return typeof call.arguments === 'string' ? call.arguments : canonicalJson(call.arguments);
}

/** A conversation as a recording that can be graded. Its calls are those whose result is known, and all others failed. */
export function transcriptRecording(transcript: Transcript, receipt: Receipt): Recording {
  const messages: Message[] = [];
  const toolCalls: ToolCall[] = [];
  if (transcript.system !== null) messages.push({ role: 'system', text: transcript.system });
  for (const [turn, { user, steps }] of transcript.turns.entries()) {
    messages.push({ role: 'user', text: user });
    for (const step of steps) {
      const asked = step.calls.map((call) => ({
        id: call.id,
        name: call.name,
        arguments: argumentsText(call),
      }));
      messages.push({
        role: 'assistant',
        text: step.text,
        ...(asked.length === 0 ? {} : { toolCalls: asked }),
      });
      for (const call of step.calls) {
        const ok = call.ok && call.result !== null;
        messages.push({
          role: 'tool',
          text: call.result ?? '',
          toolCallId: call.id,
          toolName: call.name,
          ...(ok ? {} : { isError: true }),
        });
        toolCalls.push({
          id: call.id,
          name: call.name,
          arguments: argumentsText(call),
          result: call.result ?? '',
          ok,
          turn,
          startedAt: 0,
          durationMs: 0,
        });
      }
    }
  }
  const steps = transcript.turns.flatMap((turn) => turn.steps);
  return {
    receipt,
    turns: transcript.turns.map(({ user, steps: replies }) => ({ user, text: replies.at(-1)?.text ?? '' })),
    messages,
    toolCalls,
    usage: {
      inputTokens: steps.reduce((sum, step) => sum + step.inputTokens, 0),
      outputTokens: steps.reduce((sum, step) => sum + step.outputTokens, 0),
      cost: null,
    },
    llmCalls: steps.length,
    durationMs: 0,
    ...(transcript.notes.length === 0 ? {} : { notes: transcript.notes }),
  };
}
