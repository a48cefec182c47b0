import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  canonicalJson,
  errorMessage,
  isJsonObject,
  parseJson,
  sha256,
  type JsonObject,
} from '../core/index.js';
import type { CaseScenario } from './case.js';

/** Schema of a recorded simulated user. */
export const SIMULATOR_SCHEMA = 'assay/simulator/v1';

/** How the names of recordings end: they are no trace fixtures, wherever they lie. */
export const SIMULATOR_ENDING = '.simulator.json';

// Written by a machine, so keys of later versions are passed over.
const recordingSchema = z.object({
  schema: z.literal(SIMULATOR_SCHEMA),
  case: z.string(),
  scenario: z.string(),
  content: z.string(),
  simulator: z.string().nullable(),
  turns: z.array(z.object({ user: z.string(), simulated: z.boolean().default(false), agent: z.string() })),
  ended: z.object({ by: z.enum(['goal', 'gave_up', 'stop_when', 'turns']), reason: z.string() }),
});

/** What a simulated user said in one conversation, and the answers it said it to. */
export type SimulatorRecording = z.output<typeof recordingSchema>;

/** What of a scenario decides what its user says; a recording of another one is stale. */
export function scenarioIdentity(scenario: Omit<CaseScenario, 'recorded'>): string {
  const { persona, goal, words, stopSentence, stopRules } = scenario;
  return sha256(
    canonicalJson({ persona, goal, words, stopSentence, stopRules: stopRules.map((rule) => ({ ...rule })) }),
  );
}

/**
 * SHA-256 over everything in a recording but this hash itself. A recording is what was said; one that was edited is not,
 * and would be played again as if it were.
 */
export function recordingContent(recording: JsonObject): string {
  const { content: _content, ...rest } = recording;
  return sha256(canonicalJson(rest));
}

/** A recording read from its file, or why it is none. */
export function readSimulatorRecording(
  path: string,
): { ok: true; recording: SimulatorRecording } | { ok: false; message: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { ok: false, message: `cannot be read: ${errorMessage(error)}` };
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, message: `is not JSON: ${parsed.message}` };
  const read = recordingSchema.safeParse(parsed.value);
  if (read.success && isJsonObject(parsed.value)) {
    if (read.data.content === recordingContent(parsed.value)) return { ok: true, recording: read.data };
    return { ok: false, message: 'was edited after it was recorded' };
  }
  const [issue] = read.error?.issues ?? [];
  const at = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  return { ok: false, message: `is no recording of a simulated user${at}` };
}
