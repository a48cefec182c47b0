import { dirname } from 'node:path';
import { canonicalJson, type Recording, type TrialError } from '../core/index.js';

/** What is wrong when the same replay was recorded twice and not the same; null when nothing is. */
export async function differenceOf(first: Recording, second: Recording | null): Promise<TrialError | null> {
  const before = whatHappened(first);
  const after = second === null ? 'null' : whatHappened(second);
  if (before === after) return null;
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch('first run', 'second run', pretty(before), pretty(after), '', '', {
    context: 2,
    timeout: 1000,
  });
  return {
    kind: 'script',
    message: `the replay is not deterministic: two runs recorded different things\n${patch ?? 'the difference is too large to show'}`,
  };
}

/**
 * What a replay did, as canonical JSON: how long the machine took is no part of it, nor where the trial's temporary
 * directories lay, which programs often say.
 */
function whatHappened(recording: Recording): string {
  const { workspace, durationMs: _duration, toolCalls, ...rest } = recording;
  const calls = toolCalls.map((call) => ({ ...call, startedAt: 0, durationMs: 0 }));
  const text = canonicalJson({ ...rest, toolCalls: calls });
  if (workspace === undefined) return text;
  // As it stands inside a JSON string.
  const place = JSON.stringify(dirname(workspace.root)).slice(1, -1);
  return text.replaceAll(place, '{{place}}');
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
