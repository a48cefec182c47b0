import { isJsonObject, type JsonValue } from '../core/index.js';
import { UPKEEP_KEYS } from './trace-schema.js';

/**
 * The keys of a fixture that only Assay reads, as key paths; the reference refuses a file that has one. Empty for a
 * fixture that means the same in both.
 */
export function traceExtensions(fixture: JsonValue): string[] {
  if (!isJsonObject(fixture)) return [];
  const found: string[] = [];
  for (const key of ['tags', 'agent', 'grader_files', 'limits', ...UPKEEP_KEYS])
    if (key in fixture) found.push(key);
  const turns = fixture['turns'];
  if (Array.isArray(turns)) {
    turns.forEach((turn, index) => {
      if (isJsonObject(turn) && 'expects' in turn) found.push(`turns[${index}].expects`);
    });
  }
  const expects = fixture['expects'];
  if (isJsonObject(expects) && 'assert' in expects) found.push('expects.assert');
  return found;
}
