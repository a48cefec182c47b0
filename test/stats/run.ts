import { statsGroups } from '../../src/stats/index.js';

/** Runs a statistic by name on untyped input, as a caller with only JSON would. */
export function run(name: string, input: unknown): Readonly<Record<string, unknown>> {
  const group = statsGroups.get(name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group.run(input);
}

/** The error code a call gives, or undefined when it gives a value. */
export function codeOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
}
