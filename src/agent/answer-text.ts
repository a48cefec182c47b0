import { isJsonObject, parseJson, type JsonValue } from '../core/index.js';

const THINKING = /<think>[\s\S]*?<\/think>\s*/gi;
const END_MARKERS =
  /(?:\s*(?:<\|(?:eot_id|im_end|endoftext|end|end_of_text|eom_id)\|>|<\/s>|<\uff5cend▁of▁sentence\uff5c>))+\s*$/i;
const ENVELOPE = /<(tool_call|toolcall|tool-call|invoke)>([\s\S]*?)<\/\1>/gi;
const OPENING = /^\s*<(?:tool_call|toolcall|tool-call|invoke)\b/i;

/** A tool call that a model wrote as text. */
export interface TextCall {
  name: string;
  arguments: JsonValue;
}

/** What a text reply turns out to be. */
export type AnswerText =
  | { kind: 'answer'; text: string }
  | { kind: 'calls'; text: string; calls: TextCall[] }
  | { kind: 'broken-call' };

/** Removes private reasoning blocks and end-of-message markers; other text stays as it is. */
export function stripMarkers(text: string): string {
  return text.includes('<') ? text.replace(THINKING, '').replace(END_MARKERS, '') : text;
}

function callOf(body: string): TextCall | null {
  const parsed = parseJson(body.trim());
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { name } = parsed.value;
  if (typeof name !== 'string' || name === '') return null;
  return { name, arguments: parsed.value['arguments'] ?? parsed.value['parameters'] ?? {} };
}

/**
 * Reads a text reply as the loop does: an envelope that names a registered tool is a call, text that begins as an
 * envelope and is none is a broken call, all else is the answer.
 */
export function readAnswer(raw: string, registered: ReadonlySet<string>): AnswerText {
  const text = stripMarkers(raw);
  if (!text.includes('<')) return { kind: 'answer', text };
  const calls: TextCall[] = [];
  const rest = text.replace(ENVELOPE, (whole: string, _tag: string, body: string) => {
    const call = callOf(body);
    if (call === null || !registered.has(call.name)) return whole;
    calls.push(call);
    return '';
  });
  if (calls.length > 0) return { kind: 'calls', text: rest.trim(), calls };
  return OPENING.test(text) ? { kind: 'broken-call' } : { kind: 'answer', text };
}
