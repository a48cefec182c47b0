import { at, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { list, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { seededRandom } from './random.js';
import { requireFinite, requireSome, requireWhole } from './validate.js';

/** P-values of the sign-flip test. */
export interface PairedPermutation {
  twoSided: number;
  /** For a mean above 0. */
  greater: number;
}

/** Sums this close, relative to the sum of magnitudes, are ties, and ties count as extreme. */
const TIE = 1e-12;
/** Up to here 2^m sign patterns are split into two halves of at most 2^10 sums: always instant. */
const SMALL = 20;
/** Up to here two halves of at most 2^20 sums. */
const LARGE = 40;
const MAX_DENOMINATOR = 10_000;
const MAX_LATTICE_WORK = 200_000_000;
const SAMPLES = 99_999;
const SAMPLE_SEED = 20_240_229;

/**
 * Sign-flip test of paired differences: the share of the 2^m sign assignments (zeros dropped) with |sum| >= |observed|,
 * and with sum >= observed. Exact for up to 40 differences of any kind and for any number of differences that are
 * multiples of a common fraction, as case means are; otherwise sampled with a fixed seed, see
 * {@link pairedPermutationSampled}. Equals exact McNemar for differences in {-1, 0, 1}.
 * Errors: EMPTY, INVALID_INPUT for a value that is not finite. Source: Fisher 1935; Pitman 1937.
 */
export function pairedPermutation({ differences }: { differences: readonly number[] }): PairedPermutation {
  requireSome(differences, 'differences');
  requireFinite('differences', differences);
  const sizes = differences.filter((value) => value !== 0).map(Math.abs);
  if (sizes.length === 0) return { twoSided: 1, greater: 1 };
  const observed = sum(differences);
  const tie = TIE * sum(sizes);
  if (sizes.length <= SMALL) return fromTail((bound) => splitTail(sizes, bound), observed, tie);
  const lattice = latticeTail(sizes);
  if (lattice !== null) return fromTail(lattice, observed, tie);
  if (sizes.length <= LARGE) return fromTail((bound) => splitTail(sizes, bound), observed, tie);
  return pairedPermutationSampled({ differences, samples: SAMPLES, seed: SAMPLE_SEED });
}

/** Both p-values from P(sum >= bound); the distribution of the sum is symmetric about 0. */
function fromTail(tail: (bound: number) => number, observed: number, tie: number): PairedPermutation {
  const twoSided = Math.abs(observed) <= tie ? 1 : Math.min(1, 2 * tail(Math.abs(observed) - tie));
  return { twoSided, greater: Math.min(1, tail(observed - tie)) };
}

/** All sums of +-size, ascending: each size merges two shifted copies of the sums so far. */
function signedSums(sizes: readonly number[]): Float64Array {
  let sums = new Float64Array(1);
  for (const size of sizes) {
    const next = new Float64Array(sums.length * 2);
    let low = 0;
    let high = 0;
    for (let index = 0; index < next.length; index += 1) {
      const down = low < sums.length ? at(sums, low) - size : Number.POSITIVE_INFINITY;
      const up = high < sums.length ? at(sums, high) + size : Number.POSITIVE_INFINITY;
      if (down <= up) low += 1;
      else high += 1;
      next[index] = Math.min(down, up);
    }
    sums = next;
  }
  return sums;
}

/** P(sum of +-sizes >= bound), by counting pairs of half sums. */
function splitTail(sizes: readonly number[], bound: number): number {
  const middle = sizes.length >> 1;
  const left = signedSums(sizes.slice(0, middle));
  const right = signedSums(sizes.slice(middle));
  let reached = 0;
  let first = right.length;
  for (const part of left) {
    while (first > 0 && part + at(right, first - 1) >= bound) first -= 1;
    reached += right.length - first;
  }
  return reached / 2 ** sizes.length;
}

/** The tail by dynamic programming over a common fraction of all sizes; null when there is none that is coarse enough. */
function latticeTail(sizes: readonly number[]): ((bound: number) => number) | null {
  const onLattice = (denominator: number): boolean =>
    sizes.every((size) => {
      const steps = size * denominator;
      return Math.round(steps) >= 1 && Math.abs(steps - Math.round(steps)) <= 1e-9;
    });
  let denominator = 1;
  while (denominator <= MAX_DENOMINATOR && !onLattice(denominator)) denominator += 1;
  if (denominator > MAX_DENOMINATOR) return null;
  const steps = sizes.map((size) => Math.round(size * denominator));
  const total = sum(steps);
  if (total * steps.length > MAX_LATTICE_WORK) return null;
  // chance[s] = probability that the sizes with a plus sign add up to s steps; the signed sum is then 2s - total
  const chance = new Float64Array(total + 1);
  chance[0] = 1;
  let reach = 0;
  for (const size of steps) {
    reach += size;
    for (let s = reach; s >= size; s -= 1) chance[s] = (at(chance, s) + at(chance, s - size)) / 2;
    for (let s = size - 1; s >= 0; s -= 1) chance[s] = at(chance, s) / 2;
  }
  // bounds lie a hair below a multiple of the fraction; the hair is far smaller than a step
  return (bound) => sum(chance.subarray(Math.max(0, Math.ceil((bound * denominator + total) / 2 - 1e-6))));
}

/** Input of {@link pairedPermutationSampled}. */
export interface SampledPermutationInput {
  differences: readonly number[];
  /** Number of random sign assignments, at least 1. */
  samples: number;
  /** Whole number; the same seed gives the same p-values. */
  seed: number;
}

/**
 * The sign-flip test by random sign assignments: (1 + hits)/(1 + samples), a valid p-value that is never 0.
 * Errors: EMPTY, NOT_INTEGER, INVALID_INPUT. Source: Phipson and Smyth 2010.
 */
export function pairedPermutationSampled(input: SampledPermutationInput): PairedPermutation {
  const { differences, samples, seed } = input;
  requireSome(differences, 'differences');
  requireFinite('differences', differences);
  requireWhole({ samples });
  if (samples < 1) throw new StatsError('INVALID_INPUT', `samples must be at least 1, got ${samples}`);
  const random = seededRandom(seed);
  const sizes = differences.filter((value) => value !== 0).map(Math.abs);
  const observed = sum(differences);
  const tie = TIE * sum(sizes);
  let above = 0;
  let beyond = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    let total = 0;
    for (const size of sizes) total += random() < 0.5 ? size : -size;
    if (total >= observed - tie) above += 1;
    if (Math.abs(total) >= Math.abs(observed) - tie) beyond += 1;
  }
  return { twoSided: (1 + beyond) / (1 + samples), greater: (1 + above) / (1 + samples) };
}

/** The groups of this file. */
export const permutationGroups: readonly StatsGroup[] = [
  defineGroup<{ differences: readonly number[] }, PairedPermutation>({
    name: 'pairedPermutation',
    summary: 'Did the suite change, several trials a case? Sign-flip test on the differences of case means.',
    formula: 'share of the 2^m sign assignments with |sum| >= |observed|; greater: sum >= observed',
    fields: { differences: list('new minus old, one a case', real('a difference')) },
    outputs: { twoSided: 'two-sided p', greater: 'p for a mean above 0' },
    example: { differences: [0.2, -0.1, 0.4, 0.3, 0, 0.5] },
    compute: pairedPermutation,
  }),
];
