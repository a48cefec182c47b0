import { isJsonObject, type JsonValue } from '../core/index.js';
import { UPKEEP_KEYS } from './trace-schema.js';
import { RESPONSE_EXTENSIONS } from './trace-step.js';

const OWN_KEYS = ['tags', 'agent', 'lanes', 'faults', 'recorded', 'grader_files', 'limits', ...UPKEEP_KEYS];

function stepExtensions(steps: JsonValue | undefined, place: string): string[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step, index): string[] => {
    const response = isJsonObject(step) ? step['response'] : undefined;
    if (!isJsonObject(response)) return [];
    const keys: string[] = RESPONSE_EXTENSIONS.filter((key) => key in response);
    if (response['type'] === 'refusal') keys.push('type');
    if (response['type'] === 'tool_calls' && 'content' in response) keys.push('content');
    return keys.map((key) => `${place}[${index}].response.${key}`);
  });
}

/**
 * The keys of a fixture that only Assay reads, as key paths; the reference refuses a file that has one. Empty for a
 * fixture that means the same in both.
 */
export function traceExtensions(fixture: JsonValue): string[] {
  if (!isJsonObject(fixture)) return [];
  const found: string[] = [];
  for (const key of OWN_KEYS) if (key in fixture) found.push(key);
  const turns = fixture['turns'];
  if (Array.isArray(turns)) {
    turns.forEach((turn, index) => {
      if (!isJsonObject(turn)) return;
      if ('expects' in turn) found.push(`turns[${index}].expects`);
      found.push(...stepExtensions(turn['steps'], `turns[${index}].steps`));
    });
  }
  const expects = fixture['expects'];
  if (isJsonObject(expects) && 'assert' in expects) found.push('expects.assert');
  return found;
}
