import { at, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { list, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';

/** P-values of one family of tests; may be empty. */
export interface FamilyInput {
  /** Each in 0..1. */
  p: readonly number[];
}

/** Adjusted p-values in the order of the input. */
export interface Adjusted {
  adjusted: number[];
}

function requireProbabilities(p: readonly number[]): void {
  for (const [index, value] of p.entries()) {
    if (!(value >= 0 && value <= 1)) {
      throw new StatsError('INVALID_INPUT', `p[${index}] must lie in 0..1, got ${value}`);
    }
  }
}

/** Indexes of the p-values from small to large; equal ones keep their order. */
function ascendingOrder(p: readonly number[]): number[] {
  return [...p.keys()].toSorted((one, other) => at(p, one) - at(p, other) || one - other);
}

/**
 * Holm's step-down adjustment: max over j <= i of min(1, (m-j+1) p_(j)); controls the chance of any false claim.
 * Errors: INVALID_INPUT for p outside 0..1. Source: Holm 1979.
 */
export function holm({ p }: FamilyInput): Adjusted {
  requireProbabilities(p);
  const adjusted = p.slice();
  let largest = 0;
  for (const [rank, index] of ascendingOrder(p).entries()) {
    largest = Math.max(largest, Math.min(1, (p.length - rank) * at(p, index)));
    adjusted[index] = largest;
  }
  return { adjusted };
}

function stepUp(p: readonly number[], factor: number): Adjusted {
  requireProbabilities(p);
  const adjusted = p.slice();
  let smallest = 1;
  for (const [rank, index] of [...ascendingOrder(p).entries()].toReversed()) {
    smallest = Math.min(smallest, (factor * p.length * at(p, index)) / (rank + 1));
    adjusted[index] = smallest;
  }
  return { adjusted };
}

/**
 * Benjamini and Hochberg's step-up adjustment: min over j >= i of min(1, m p_(j)/j); controls the share of false
 * claims. Errors: INVALID_INPUT for p outside 0..1. Source: Benjamini and Hochberg 1995.
 */
export function benjaminiHochberg({ p }: FamilyInput): Adjusted {
  return stepUp(p, 1);
}

/**
 * Benjamini and Yekutieli's adjustment, valid under any dependence: the Benjamini-Hochberg steps times 1 + 1/2 + ... + 1/m.
 * Errors: INVALID_INPUT for p outside 0..1. Source: Benjamini and Yekutieli 2001.
 */
export function benjaminiYekutieli({ p }: FamilyInput): Adjusted {
  return stepUp(p, sum(p.map((_, index) => 1 / (index + 1))));
}

const fields = { p: list('p-values of one family', real('a p-value')) };
const outputs = { adjusted: 'adjusted p-values, in input order' };
const example = { p: [0.01, 0.04, 0.03, 0.005] };

/** The groups of this file. */
export const multiplicityGroups: readonly StatsGroup[] = [
  defineGroup<FamilyInput, Adjusted>({
    name: 'holm',
    summary: 'Many comparisons in a gate: no false claim at all, with probability 1 - alpha.',
    formula: 'max over j <= i of min(1, (m-j+1) p_(j))',
    fields,
    outputs,
    example,
    compute: holm,
  }),
  defineGroup<FamilyInput, Adjusted>({
    name: 'benjaminiHochberg',
    summary: 'Many comparisons in exploration: few false claims among the claims.',
    formula: 'min over j >= i of min(1, m p_(j)/j)',
    fields,
    outputs,
    example,
    compute: benjaminiHochberg,
  }),
  defineGroup<FamilyInput, Adjusted>({
    name: 'benjaminiYekutieli',
    summary: 'As benjaminiHochberg, but valid however the tests depend on each other.',
    formula: 'benjaminiHochberg times sum_{i<=m} 1/i',
    fields,
    outputs,
    example,
    compute: benjaminiYekutieli,
  }),
];
