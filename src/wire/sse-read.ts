import { parseJson, type JsonValue } from '../core/index.js';

/** The data of every server-sent event in a text, as JSON; what is not JSON (`[DONE]`, comments) is left out. */
export function eventValues(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  for (const block of text.replace(/\r\n?/g, '\n').split('\n\n')) {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
      .join('\n');
    const parsed = parseJson(data);
    if (parsed.ok) values.push(parsed.value);
  }
  return values;
}
