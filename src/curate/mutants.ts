import { normalize } from 'node:path';
import type { CheckSpec, Recording } from '../core/index.js';
import type { Case } from '../suite/index.js';
import { distinctMutants, facetsOf, type DistinctMutants } from './graded-facts.js';
import { callMutants } from './mutate-calls.js';
import { fileMutants } from './mutate-files.js';
import { jsonAnswerMutants } from './mutate-json-answer.js';
import { swappedTurnMutants, textMutants } from './mutate-text.js';
import { usageMutants } from './mutate-usage.js';
import type { Mutant } from './mutant.js';

/** Mutants of one kind that are tried; a recording with more is long, and the rest would tell nothing new. */
const MOST_OF_A_KIND = 500;

/** All mutants of a recording for a case. */
export interface MutantSet extends DistinctMutants {
  /** Faults that the case says nothing about: waste where it sets no bound. Neither tried nor counted. */
  unclaimed: string[];
  /** Mutants beyond the most that are tried of one kind. */
  leftOut: number;
}

/** Turns whose text some check of the case looks at, and the last one, in order. */
function gradedTurns(recording: Recording, checks: readonly CheckSpec[]): number[] {
  const last = recording.turns.length - 1;
  const turns = new Set([last]);
  for (const check of checks) {
    if (check.turn !== undefined && facetsOf(check).includes('text')) turns.add(check.turn);
  }
  return [...turns].filter((turn) => turn >= 0 && turn <= last).toSorted((left, right) => left - right);
}

/** A relative path as the list of files has it. */
function posixPath(path: string): string {
  return normalize(path).replaceAll('\\', '/');
}

/**
 * Every mutant of a recording: idle runs are not among them. The same recording and checks give the same mutants in the
 * same order.
 */
export function mutantsOf(
  tested: Pick<Case, 'agent' | 'checks' | 'graderFiles'>,
  recording: Recording,
): MutantSet {
  const { checks } = tested;
  const usage = usageMutants(recording, checks);
  const texts: Iterable<Mutant>[] = [
    ...gradedTurns(recording, checks).map((turn) => textMutants(recording, turn)),
    jsonAnswerMutants(recording),
    swappedTurnMutants(recording),
  ];
  const rest: Iterable<Mutant>[] = [
    // One inference without tools makes no calls, whatever goes wrong.
    ...(tested.agent.type === 'prompt' && recording.toolCalls.length === 0
      ? []
      : [callMutants(recording, checks)]),
    fileMutants(recording, new Set(Object.keys(tested.graderFiles ?? {}).map(posixPath))),
    usage.filter(({ claimed }) => claimed).map(({ mutant }) => mutant),
  ];
  // Of a stored output nothing but its text is known.
  const kinds = recording.receipt.mode === 'outputs' ? texts : [...texts, ...rest];
  let leftOut = 0;
  function* limited(): Generator<Mutant> {
    for (const kind of kinds) {
      let count = 0;
      for (const mutant of kind) {
        count += 1;
        if (count > MOST_OF_A_KIND) leftOut += 1;
        else yield mutant;
      }
    }
  }
  const distinct = distinctMutants(recording, limited());
  return {
    ...distinct,
    unclaimed: usage.filter(({ claimed }) => !claimed).map(({ mutant }) => mutant.id),
    leftOut,
  };
}
