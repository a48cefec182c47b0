import { quote, type Recording, type ToolCall } from '../core/index.js';

const NAMES_SHOWN = 50;
const PLAIN_NAME = /^[\w.:/-]+$/;

/** A tool's name in evidence: as it is when it is plain, else in quotes. */
export function shownName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quote(name);
}

/** The calls to one tool, in dispatch order. */
export function callsTo(recording: Recording, tool: string): ToolCall[] {
  return recording.toolCalls.filter((call) => call.name === tool);
}

/** The names of all calls, in order of their first call, with how often: `called: echo (2), search (1)`. */
export function namesCalled(recording: Recording): string {
  if (recording.toolCalls.length === 0) return 'no tools were called';
  const counts = new Map<string, number>();
  for (const call of recording.toolCalls) counts.set(call.name, (counts.get(call.name) ?? 0) + 1);
  const names = [...counts].slice(0, NAMES_SHOWN).map(([name, count]) => `${shownName(name)} (${count})`);
  const more = counts.size > NAMES_SHOWN ? ` and ${counts.size - NAMES_SHOWN} more` : '';
  return `called: ${names.join(', ')}${more}`;
}
