import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { TranscriptCall, TranscriptTurn } from './transcript.js';

const LEAST_WORDS = 3;
const MOST_CHARACTERS = 60;
const MOST_ARGUMENTS = 3;

/** A line of an answer that an idle agent does not say: the first with a few words, shortened between words. */
export function tellingLine(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.includes('REDACTED') && !line.includes('[redacted]'));
  const line = lines.find((each) => each.split(/\s+/).length >= LEAST_WORDS) ?? lines[0];
  if (line === undefined) return null;
  const points = Array.from(line);
  if (points.length <= MOST_CHARACTERS) return line;
  const start = points.slice(0, MOST_CHARACTERS).join('');
  const blank = start.lastIndexOf(' ');
  return blank > 0 ? start.slice(0, blank) : start;
}

/** A short member of the arguments, written as it stands in their canonical JSON. */
function tellingArgument(value: JsonValue): string | null {
  if (!isJsonObject(value)) return null;
  for (const [key, item] of Object.entries<JsonValue>(value)) {
    const text = typeof item === 'string' ? item : typeof item === 'number' ? String(item) : '';
    if (text === '' || text.length > MOST_CHARACTERS || /redacted|[\n\\]/i.test(text)) continue;
    return `${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return null;
}

function argumentChecks(calls: readonly TranscriptCall[]): JsonObject[] {
  const checks: JsonObject[] = [];
  const seen = new Set<string>();
  for (const call of calls) {
    const needle = seen.has(call.name) ? null : tellingArgument(call.arguments);
    if (needle === null) continue;
    seen.add(call.name);
    checks.push({ tool: call.name, needle });
  }
  return checks.slice(0, MOST_ARGUMENTS);
}

/** What is expected of a turn whose answer is not the last: a line that it says. */
export function suggestTurnExpects(turn: TranscriptTurn): JsonObject | null {
  const line = tellingLine(turn.steps.at(-1)?.text ?? '');
  return line === null ? null : { response_contains: [line] };
}

/**
 * Expectations that hold for a conversation and fail for an agent that does nothing: a line of the last answer, the
 * tools that were called, and an argument of each.
 */
export function suggestExpects(turns: readonly TranscriptTurn[], lastAnswer: string | null): JsonObject {
  const calls = turns.flatMap((turn) => turn.steps.flatMap((step) => step.calls));
  const tools = [...new Set(calls.map((call) => call.name))].filter((name) => name.trim() !== '').toSorted();
  const line = lastAnswer === null ? null : tellingLine(lastAnswer);
  const payloads = argumentChecks(calls);
  return {
    ...(line === null ? {} : { response_contains: [line] }),
    ...(tools.length === 0 ? {} : { tools_used: tools }),
    ...(payloads.length === 0 ? {} : { tool_arguments_contain: payloads }),
  };
}
