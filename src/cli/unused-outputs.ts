import { plural } from '../core/index.js';
import type { StoredOutputs } from '../model/index.js';
import { caseIds, type Suite } from '../suite/index.js';
import { note } from './streams.js';

function noteSome(names: readonly string[], what: (count: number) => string): void {
  if (names.length === 0) return;
  note(`note: ${what(names.length)}: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`);
}

/** Suites of more cases are not walked only to find stored answers without a use. */
const CASES_WALKED = 10_000;

/** How many trials the cases get, by id; empty where no stored answer can be beyond them. */
function trialsAsked(
  suite: Suite,
  stored: readonly [string, readonly number[]][],
  most: number | null,
): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  // Every case has a first trial, so only answers of later ones are worth a walk through the cases.
  const later = stored.some(([, numbers]) => numbers.some((trial) => trial > 1));
  if (!later || suite.cases.length > CASES_WALKED) return asked;
  for (const tested of suite.cases) asked.set(tested.id, most ?? tested.trials);
  return asked;
}

/**
 * Says which stored answers belong to no case, or to no trial: a misspelt id would otherwise go unnoticed.
 * @param most the number of trials where the command line names one; null for those of the cases
 */
export function noteUnusedOutputs(suite: Suite, outputs: StoredOutputs, most: number | null): void {
  const known = new Set(caseIds(suite.cases));
  const stored = [...outputs.trials()];
  const strange = stored.filter(([id]) => !known.has(id));
  noteSome(
    strange.map(([id, trials]) => `${JSON.stringify(id)} (line ${outputs.line(id, trials[0] ?? 1) ?? '?'})`),
    (count) =>
      `${plural(count, 'id')} of ${outputs.file} ${count === 1 ? 'is' : 'are'} no case of ${suite.name}`,
  );
  const trials = trialsAsked(suite, stored, most);
  noteSome(
    stored.flatMap(([id, numbers]) =>
      numbers
        .filter((trial) => trial > (trials.get(id) ?? Infinity))
        .map((trial) => `${JSON.stringify(id)} trial ${trial} (line ${outputs.line(id, trial) ?? '?'})`),
    ),
    (count) =>
      `${plural(count, 'answer')} of ${outputs.file} ${count === 1 ? 'is' : 'are'} of a trial that is not graded`,
  );
}
