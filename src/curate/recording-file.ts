import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  errorMessage,
  isJsonObject,
  parseJson,
  type JsonValue,
  type Receipt,
  type Recording,
} from '../core/index.js';

/** What grading needs of a stored recording; a file may hold more. */
const recordingSchema = z.object({
  turns: z.array(z.object({ user: z.string(), text: z.string() })).min(1),
  toolCalls: z
    .array(
      z.object({
        id: z.string().default(''),
        name: z.string(),
        arguments: z.string(),
        result: z.string(),
        ok: z.boolean(),
        turn: z.int().min(0).default(0),
        startedAt: z.number().default(0),
        durationMs: z.number().default(0),
      }),
    )
    .default([]),
  usage: z
    .object({ inputTokens: z.number(), outputTokens: z.number(), cost: z.number().nullable().default(null) })
    .default({ inputTokens: 0, outputTokens: 0, cost: null }),
  llmCalls: z.number().default(0),
  durationMs: z.number().default(0),
});

/** The object in a file that may be a recording: the recording itself, a trial that holds one, or a list of trials. */
function recordingIn(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { recording, trials } = { recording: value['recording'], trials: value['trials'] };
  if (isJsonObject(recording)) return recording;
  const [first] = Array.isArray(trials) ? trials : [];
  return first === undefined ? value : recordingIn(first);
}

/** A recording that was read from a file, or why it cannot be. */
export type ReadRecording = { ok: true; recording: Recording } | { ok: false; message: string };

/**
 * Reads a recording from a JSON file: one as the library gives it, a trial, or what `assay show RUN CASE --json` prints
 * (then its first trial).
 */
export function readRecordingFile(path: string, receipt: Receipt): ReadRecording {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { ok: false, message: `cannot be read: ${errorMessage(error)}` };
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, message: `is not JSON: ${parsed.message}` };
  const shaped = recordingSchema.safeParse(recordingIn(parsed.value));
  if (shaped.success) return { ok: true, recording: { receipt, messages: [], ...shaped.data } };
  const [issue] = shaped.error.issues;
  const place = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
  return { ok: false, message: `holds no recording${place}` };
}
