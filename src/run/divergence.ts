import { AgentError } from '../agent/index.js';
import { quote } from '../core/index.js';
import type { Case } from '../suite/index.js';
import { firstDivergence, laneRequests, type FirstDivergence, type Traffic } from '../wire/index.js';
import type { ScriptPlaces } from './wire-script.js';

/** What is done about a run that leaves its recording. */
export interface DivergenceRules {
  /** A divergence fails the trial. */
  strict: boolean;
  /** Says the divergence of a case to a person. */
  warn: (message: string) => void;
}

function described(found: FirstDivergence): string[] {
  return found.divergences.map(({ kind, where, diff }) => `  ${kind}: ${where}\n${diff.trimEnd()}`);
}

/**
 * Compares what an agent asked with what it asked when the case was recorded. The first step that differs is a note
 * of the trial, and an error where that is wanted.
 * @returns notes; none when everything agrees or nothing was recorded
 * @throws AgentError of kind `script` in strict mode
 */
export function divergenceNotes(
  tested: Case,
  traffic: Traffic,
  places: ScriptPlaces,
  rules: DivergenceRules,
): string[] {
  const { recorded } = tested;
  if (recorded === undefined) return [];
  const found = firstDivergence(recorded.requests, laneRequests(traffic), {
    ...recorded.rules,
    paths: {
      ...recorded.rules.paths,
      [places.workspace]: '{{workspace}}',
      [places.home]: '{{home}}',
    },
  });
  if (found === null) return [];
  const kinds = [...new Set(found.divergences.map(({ kind }) => kind))].join(', ');
  const head = `the agent leaves its recording at request ${found.step + 1}: ${kinds}`;
  const message = [head, ...described(found)].join('\n');
  if (rules.strict) throw new AgentError('script', message);
  rules.warn(`case ${quote(tested.id)}: ${message}`);
  return [message];
}
