import { isJsonObject, type JsonValue, type Recording, type ToolCall } from '../core/index.js';
import { otherText } from './text-edits.js';

/** Which side of a recording a mutant changes, and a check looks at. */
export type Facet = 'text' | 'calls' | 'usage' | 'files';

/** A change of one file of the workspace: new content, or null to remove it. */
export interface FileChange {
  path: string;
  content: Buffer | null;
}

/** A recording with one fault put in, and what that fault is. */
export interface Mutant {
  /** Stable: it names the place by tool, number and key, never by what else the recording holds. */
  id: string;
  /** Ends the sentence "the case would still pass if …". */
  claim: string;
  facet: Facet;
  recording: Recording;
  /** For a fault in the workspace, which is on disk. */
  file?: FileChange;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/** `first`, `second`, …, `10th` for a 0-based number. */
export function ordinal(index: number): string {
  const word = ORDINALS[index];
  if (word !== undefined) return word;
  const number = index + 1;
  const teen = number % 100 >= 11 && number % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

/** A copy of a recording with other texts. Messages are left out: they would tell of what was changed. */
export function withTexts(recording: Recording, texts: ReadonlyMap<number, string>): Recording {
  return {
    ...recording,
    messages: [],
    turns: recording.turns.map((turn, index) => ({ ...turn, text: texts.get(index) ?? turn.text })),
  };
}

/** A copy of a recording with other calls. */
export function withCalls(recording: Recording, toolCalls: readonly ToolCall[]): Recording {
  return { ...recording, messages: [], toolCalls: [...toolCalls] };
}

/** Another value of the same type; the same value when its type has only one. */
export function otherValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value === '' ? 'x' : otherText(value);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : value.map(otherValue);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return { x: 'x' };
  return Object.fromEntries(entries.map(([key, member]) => [key, otherValue(member)]));
}

/** The emptiest value of the same type. */
export function emptyValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  return value === null ? null : {};
}

/** The nearest value of another type: a number becomes its text, a text a list of itself, an object a list of it. */
export function flippedValue(value: JsonValue): JsonValue {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return '';
  if (Array.isArray(value)) return value[0] ?? {};
  if (typeof value === 'string') {
    const number = Number(value);
    return value.trim() !== '' && String(number) === value ? number : [value];
  }
  return [value];
}
