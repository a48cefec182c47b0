import { canonicalJson, isJsonObject, type JsonValue } from '../core/index.js';
import type { ToolOutcome } from './tool.js';

/** Most characters of a result that reach the model. */
const MOST_CHARACTERS = 1_000_000;

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  const member = (name: string): unknown => Reflect.get(part, name);
  const word = (name: string): string => {
    const value = member(name);
    return typeof value === 'string' ? value : '';
  };
  const type = word('type');
  if (type === 'text') return word('text');
  const resource = member('resource');
  if (typeof resource === 'object' && resource !== null) {
    const text: unknown = Reflect.get(resource, 'text');
    if (typeof text === 'string') return text;
  }
  const data = member('data');
  const size = typeof data === 'string' ? `, ${data.length} characters of base64` : '';
  return `[${type} ${word('mimeType') || word('uri')}${size}]`;
}

/** The answer of a server as an outcome: its texts, else its structured content. */
export function outcomeOfResult(result: { [key: string]: unknown }): ToolOutcome {
  const { content, structuredContent, isError } = result;
  const parts = Array.isArray(content) ? content.map(partText) : [];
  const structured =
    typeof structuredContent === 'object' && structuredContent !== null
      ? canonicalJson(structuredContent)
      : '';
  const text = parts.length === 0 ? structured : parts.join('\n');
  const cut =
    text.length > MOST_CHARACTERS
      ? `${text.slice(0, MOST_CHARACTERS)}\n[cut after ${MOST_CHARACTERS} characters]`
      : text;
  return { ok: isError !== true, text: cut };
}

/** The arguments as the protocol takes them; null when they are no object. */
export function argumentsOf(input: JsonValue): { [name: string]: JsonValue } | null {
  return isJsonObject(input) ? input : null;
}
