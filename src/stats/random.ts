import { StatsError } from './error.js';
import { whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireCounts, requireWhole } from './validate.js';

/** A source of numbers u with 0 <= u < 1. */
export type Random = () => number;

const INCREMENT = 0x6d2b79f5;
const RANGE = 2 ** 32;
const MAX_COUNT = 10_000_000;

/**
 * The mulberry32 generator: a 32-bit state that grows by 0x6D2B79F5 and is mixed; each call gives a uint32 / 2^32.
 * seed: any whole number, taken modulo 2^32. Reproducible, not for secrets. Errors: NOT_INTEGER.
 * Source: Tommy Ettinger, public domain.
 */
export function seededRandom(seed: number): Random {
  requireWhole({ seed });
  let state = (seed % RANGE) | 0;
  return () => {
    state = (state + INCREMENT) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
}

/** A seed from a text: 32-bit FNV-1a over its UTF-8 bytes, 0..2^32-1. Source: Fowler, Noll and Vo. */
export function hashSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Input of {@link mulberry32}. */
export interface Mulberry32Input {
  /** Any whole number, taken modulo 2^32. */
  seed: number;
  /** How many values, 0 to ten million. */
  count: number;
}

/**
 * The first values of {@link seededRandom}.
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE for a count below 0, INVALID_INPUT for one above ten million.
 */
export function mulberry32({ seed, count }: Mulberry32Input): { values: number[] } {
  requireCounts({ count });
  if (count > MAX_COUNT)
    throw new StatsError('INVALID_INPUT', `count must be at most ${MAX_COUNT}, got ${count}`);
  return { values: Array.from({ length: count }, seededRandom(seed)) };
}

/** The groups of this file. */
export const randomGroups: readonly StatsGroup[] = [
  defineGroup<Mulberry32Input, { values: number[] }>({
    name: 'mulberry32',
    summary: 'The reproducible random numbers every resampling here is drawn from.',
    formula: '32-bit state += 0x6D2B79F5, then mixed; uint32 / 2^32',
    fields: { seed: whole('any whole number'), count: whole('how many values') },
    outputs: { values: 'numbers in 0..1, 1 excluded' },
    example: { seed: 42, count: 5 },
    compute: mulberry32,
  }),
];
