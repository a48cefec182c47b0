import { expect, it } from 'vitest';
import { codeOf, run } from './run.js';

/** A group, an input it must refuse, and the code it must give. */
export type Case = [group: string, input: Record<string, unknown>, code: string];

/** One test a case. */
export function refuses(cases: readonly Case[]): void {
  it.each(cases)('%s refuses %o with %s', (group, input, code) => {
    expect(codeOf(() => run(group, input))).toBe(code);
  });
}
