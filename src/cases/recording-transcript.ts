import { parseJson, type Message, type Recording } from '../core/index.js';
import { TranscriptBuilder } from './transcript-builder.js';
import type { Transcript } from './transcript.js';

function addMessage(builder: TranscriptBuilder, message: Message): void {
  if (message.role === 'system') builder.instructions(message.text);
  else if (message.role === 'user') builder.user(message.text);
  else if (message.role === 'tool')
    builder.result(message.toolCallId ?? '', message.text, message.isError !== true);
  else {
    if (message.text !== '') builder.reply({ text: message.text });
    for (const call of message.toolCalls ?? []) {
      const parsed = parseJson(call.arguments);
      const input = parsed.ok ? parsed.value : call.arguments;
      builder.reply({ call: { id: call.id, name: call.name, arguments: input } });
    }
  }
}

/** The conversation of a recording. Where only its answers are known, they are all there is. */
export function recordingTranscript(recording: Recording): Transcript {
  const builder = new TranscriptBuilder();
  if (recording.messages.some((message) => message.role === 'assistant')) {
    for (const message of recording.messages) addMessage(builder, message);
  } else {
    for (const turn of recording.turns) {
      builder.user(turn.user);
      builder.reply({ text: turn.text });
    }
  }
  return builder.build('openai');
}
