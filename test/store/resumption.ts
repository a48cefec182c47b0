import { sha256, systemSource } from '../../src/core/index.js';
import { RunStore, type PlannedCase, type ResumedRun } from '../../src/store/index.js';
import { createRun, erroredTrial, temporaryDirectory, trial } from './builders.js';

/** A case that is wanted, two trials of it unless said. */
export function planned(id: string, trials = 2, hash = sha256(id)): PlannedCase {
  return { id, hash, trials };
}

/** Takes a stored run up. */
export function resume(
  directory: string,
  cases: PlannedCase[],
  changes: Partial<Parameters<typeof RunStore.resume>[0]> = {},
): Promise<ResumedRun> {
  return RunStore.resume({ directory, cases, fsync: 'off', source: systemSource(), ...changes });
}

/** An interrupted run: a complete, b half done, c errored, d and e never started, f and g no longer as they were. */
export async function interrupted(): Promise<string> {
  const store = await createRun(temporaryDirectory(), { caseIds: ['a', 'b', 'c', 'd', 'f', 'g'] });
  for (const one of [
    trial('a', 1),
    trial('a', 2, { status: 'failed', score: 0 }),
    trial('b', 2),
    trial('c', 1),
    erroredTrial('c', 2),
    trial('f', 1),
    trial('g', 1),
  ]) {
    await store.append(one);
  }
  await store.close();
  return store.directory;
}

/** Cases of a later resume of that run. */
export const NOW = [
  planned('e'),
  planned('a'),
  planned('b'),
  planned('c'),
  planned('d'),
  planned('f', 2, sha256('other')),
];
