import { basename } from 'node:path';
import { AssayError, plural, sha256, type JsonObject } from '../core/index.js';
import { draftId, fingerprintOf, slug, type NewDraft } from './draft.js';
import { readTranscript, type TranscriptChoice } from './read-transcript.js';
import { redactTranscript } from './redact-transcript.js';
import { transcriptFixture } from './transcript-fixture.js';
import type { Transcript, TranscriptFormat } from './transcript.js';

/** Which turns of a transcript become the case; 1-based, both included. */
export interface TurnRange {
  from: number;
  to: number;
}

/** The draft of a transcript, and the form that was read. */
export type TranscriptDraft = NewDraft & {
  content: { format: 'trace'; fixture: JsonObject };
  format: TranscriptFormat;
};

function chosenTurns(transcript: Transcript, range: TurnRange | null): Transcript {
  if (range === null) return transcript;
  const turns = transcript.turns.slice(range.from - 1, range.to);
  if (turns.length > 0 && range.to <= transcript.turns.length) return { ...transcript, turns };
  throw new AssayError('INPUT', `the transcript has ${plural(transcript.turns.length, 'turn')}`, {
    fix: `choose from 1-${transcript.turns.length} with --turns`,
  });
}

/**
 * The draft of a transcript: a trace fixture whose steps are what the model said. Secrets are hidden before anything is
 * made of it.
 * @param shown the file as the user would name it
 * @throws AssayError `INPUT`
 */
export function transcriptDraft(
  text: string,
  shown: string,
  choice: TranscriptChoice & { turns: TurnRange | null },
): TranscriptDraft {
  const transcript = chosenTurns(redactTranscript(readTranscript(text, shown, choice)), choice.turns);
  const content = sha256(text);
  const fingerprint = fingerprintOf('transcript', {
    content,
    trace: choice.trace,
    line: choice.line,
    turns: choice.turns === null ? null : [choice.turns.from, choice.turns.to],
  });
  const first = transcript.turns[0]?.user ?? '';
  const id = draftId(slug(first.slice(0, 200)), fingerprint);
  const { fixture, notes } = transcriptFixture(transcript, id, ['from-transcript']);
  return {
    id,
    format: transcript.format,
    provenance: {
      kind: 'transcript',
      source: basename(shown),
      fingerprint,
      details: {
        format: transcript.format,
        sha256: content,
        turns: transcript.turns.length,
        ...(choice.turns === null ? {} : { first_turn: choice.turns.from }),
        ...(transcript.model === null ? {} : { model: transcript.model }),
        ...(choice.trace === null ? {} : { trace: choice.trace }),
        ...(choice.line === null ? {} : { line: choice.line }),
        notes,
      },
    },
    content: { format: 'trace', fixture },
    notes,
  };
}
