import type { CheckCategory, CheckSpec, Recording } from '../core/index.js';
import type { Facet, Mutant } from './mutant.js';

const EVERYTHING: readonly Facet[] = ['text', 'calls', 'usage', 'files'];

const READS: ReadonlyMap<CheckCategory, readonly Facet[]> = new Map([
  ['response', ['text']],
  ['tool', ['calls']],
  ['budget', ['calls', 'usage']],
  ['side_effect', ['files']],
  ['judge', ['text', 'calls']],
  ['program', ['text', 'calls', 'usage']],
]);

/** The facets of a recording that a check reads; all of them where that is not known. */
export function facetsOf(check: CheckSpec): readonly Facet[] {
  return READS.get(check.category) ?? EVERYTHING;
}

/**
 * One side of a recording as the graders see it: ids, times and messages of calls are no part of it. Two recordings
 * with the same facts cannot be told apart by any check.
 */
export function factsOf(recording: Recording, facet: Facet): string {
  switch (facet) {
    case 'text':
      return JSON.stringify(recording.turns.map((turn) => turn.text));
    case 'calls':
      return JSON.stringify(
        recording.toolCalls.map((call) => [call.name, call.arguments, call.result, call.ok, call.turn]),
      );
    case 'usage': {
      const { usage, llmCalls, durationMs } = recording;
      return JSON.stringify([usage.inputTokens, usage.outputTokens, usage.cost, llmCalls, durationMs]);
    }
    case 'files':
      return '';
  }
}

/** Mutants that are worth grading, and how many are not. */
export interface DistinctMutants {
  mutants: Mutant[];
  /** They record the same as the original: no check could tell. */
  equivalent: string[];
  /** They record the same as a mutant before them. */
  repeated: string[];
}

/** Leaves out mutants that record the same as the original or as one before them. */
export function distinctMutants(original: Recording, candidates: Iterable<Mutant>): DistinctMutants {
  const originals = new Map<Facet, string>();
  const seen = new Set<string>();
  const result: DistinctMutants = { mutants: [], equivalent: [], repeated: [] };
  for (const mutant of candidates) {
    const { facet, id } = mutant;
    if (mutant.file !== undefined) {
      result.mutants.push(mutant);
      continue;
    }
    let before = originals.get(facet);
    if (before === undefined) originals.set(facet, (before = factsOf(original, facet)));
    const facts = factsOf(mutant.recording, facet);
    if (facts === before) result.equivalent.push(id);
    else if (seen.has(`${facet}${facts}`)) result.repeated.push(id);
    else {
      seen.add(`${facet}${facts}`);
      result.mutants.push(mutant);
    }
  }
  return result;
}
