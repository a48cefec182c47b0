import type { CaseComparison } from '../core/index.js';
import { compareEntries, removedCase, STRICT_POLICY } from './compare.js';
import type { Baseline } from './schema.js';

/** What changed from one baseline to another: the cases of the newer one in its order, then those that are gone. */
export function diffOf(before: Baseline, after: Baseline): ({ id: string } & CaseComparison)[] {
  return [
    ...[...after.entries].map(([id, entry]) => ({
      id,
      ...compareEntries(entry, before.entries.get(id), STRICT_POLICY),
    })),
    ...[...before.entries]
      .filter(([id]) => !after.entries.has(id))
      .map(([id, entry]) => ({ id, ...removedCase(entry) })),
  ];
}
