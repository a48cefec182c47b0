import type { JsonValue } from '../core/index.js';

/** Every form of transcript that can be read. */
export const TRANSCRIPT_FORMATS = ['claude-code', 'codex', 'otlp', 'openai', 'anthropic', 'ai-sdk'] as const;

/** A form of transcript. */
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** True for the name of a form of transcript. */
export function isTranscriptFormat(name: string): name is TranscriptFormat {
  return TRANSCRIPT_FORMATS.some((format) => format === name);
}

/** One tool call of a transcript. */
export interface TranscriptCall {
  id: string;
  name: string;
  arguments: JsonValue;
  /** What came back; null when the transcript does not say. */
  result: string | null;
  ok: boolean;
}

/** One reply of the model. */
export interface TranscriptStep {
  text: string;
  calls: TranscriptCall[];
  inputTokens: number;
  outputTokens: number;
}

/** What a user said and the replies up to the next time. */
export interface TranscriptTurn {
  user: string;
  steps: TranscriptStep[];
}

/** A conversation, the same whatever it was read from. Nothing in it is redacted yet. */
export interface Transcript {
  format: TranscriptFormat;
  /** Null when there is none, or the form does not keep it. */
  system: string | null;
  model: string | null;
  turns: TranscriptTurn[];
  /** What was left out or could not be read, for a person. */
  notes: string[];
}
