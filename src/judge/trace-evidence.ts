import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Recording,
} from '../core/index.js';
import { countPoints } from './fence.js';
import type { CaseContext } from './types.js';

/**
 * Most characters (Unicode scalar values) of each part of the evidence of a trace judge; three parts and their keys
 * stay under 16,000, the limit of the whole.
 */
export const EVIDENCE_PART_LIMIT = 5162;

/** JSON in which no angle bracket occurs: those in strings are escaped. */
export function markerFree(value: JsonValue): string {
  // Lone surrogates come out as escapes already; so every character that is left is a scalar value.
  return canonicalJson(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

/** The JSON of a part; an oversize one becomes an object with as much of the start of its JSON text as fits. */
export function evidencePart(value: JsonValue): string {
  const whole = markerFree(value);
  if (countPoints(whole) <= EVIDENCE_PART_LIMIT) return whole;
  const serialized = canonicalJson(value);
  let room = EVIDENCE_PART_LIMIT - countPoints(markerFree({ truncated: true, serialized_prefix: '' }));
  let prefix = '';
  for (const character of serialized) {
    // Without its two quotes.
    const cost = countPoints(markerFree(character)) - 2;
    if (cost > room) break;
    room -= cost;
    prefix += character;
  }
  return markerFree({ truncated: true, serialized_prefix: prefix });
}

function historyEntry(message: Message): JsonObject {
  const entry: JsonObject = { role: message.role, content: message.text };
  if (message.toolCalls !== undefined) {
    entry['tool_calls'] = message.toolCalls.map(({ name, arguments: payload }) => ({
      name,
      arguments: payload,
    }));
  }
  if (message.toolName !== undefined) entry['tool'] = message.toolName;
  if (message.isError === true) entry['is_error'] = true;
  return entry;
}

/** The whole history as messages; for an agent whose messages were not seen, its tool calls. */
function history(recording: Recording): JsonValue {
  if (recording.messages.length > 0) return recording.messages.map(historyEntry);
  return recording.toolCalls.map((call) => ({
    tool: call.name,
    arguments: call.arguments,
    result: call.result,
    success: call.ok,
  }));
}

/** The evidence of a trace judge as one line of JSON without angle brackets, so that it cannot forge a marker. */
export function traceEvidence(
  answer: string,
  recording: Recording,
  context: CaseContext,
  includeTranscript: boolean,
): string {
  const parts = [
    `"task_turns":${evidencePart(context.prompts)}`,
    `"final_response":${evidencePart(answer)}`,
    ...(includeTranscript ? [`"transcript":${evidencePart(history(recording))}`] : []),
  ];
  return `{${parts.join(',')}}`;
}
