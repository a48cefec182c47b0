import { AssayError, errorMessage, isJsonObject, yamlLibrary, type JsonValue } from '../core/index.js';
import { shifted } from './edit-lines.js';

/**
 * A value as a person writes it on a command line or in a small file: YAML, of which JSON is a part.
 * @throws AssayError `INPUT` when it is not well formed
 */
export function parseYamlValue(text: string, about: string): JsonValue {
  try {
    const value: JsonValue = yamlLibrary().parse(text, { schema: 'core', version: '1.2' });
    return value ?? null;
  } catch (error) {
    throw new AssayError('INPUT', `${about}: not valid YAML: ${errorMessage(error).split('\n')[0] ?? ''}`, {
      fix: 'put text that holds ": " or "#" in quotes',
    });
  }
}

/**
 * One case out of a small file, and its text as a list entry.
 * @throws AssayError `INPUT` when the file holds anything but one case
 */
export function parseCaseText(text: string, about: string): { value: JsonValue; raw: string | null } {
  const value = parseYamlValue(text, about);
  if (isJsonObject(value)) {
    // A case written as one object keeps its lines behind a dash; JSON is laid out anew.
    const raw = text.trimStart().startsWith('{') ? null : `- ${shifted(text.trimEnd(), 2).trimStart()}\n`;
    return { value, raw };
  }
  const [only, ...rest] = Array.isArray(value) ? value : [];
  if (only === undefined || rest.length > 0) {
    throw new AssayError('INPUT', `${about}: holds no case, or more than one`, {
      fix: 'write one case: id, prompt and assert',
    });
  }
  return { value: only, raw: text };
}
