import { whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireAtMost, requireDraws } from './validate.js';

/** n scored trials of one case, c of them passed, k drawn. */
export interface DrawsInput {
  /** Scored trials, at least 1. Errors, skipped and cancelled trials do not count. */
  n: number;
  /** Passes, 0..n. */
  c: number;
  /** Draws, at least 1. */
  k: number;
}

/** A statistic that is one number. */
export interface Value {
  value: number;
}

/**
 * Probability that at least one of k items, drawn without replacement from n of which c are marked, is marked:
 * 1 - C(n-c,k)/C(n,k). Symmetric in c and k, so the loop is as short as the smaller of the two; a sum of positive
 * terms, so a small result keeps its digits.
 */
function anyOf(n: number, c: number, k: number): number {
  if (c === 0) return 0;
  if (k > n - c) return 1;
  const steps = Math.min(c, k);
  const marked = Math.max(c, k);
  let hit = 0;
  let missed = 1;
  for (let step = 0; step < steps && missed > 0; step += 1) {
    hit += missed * (marked / (n - step));
    missed *= (n - marked - step) / (n - step);
  }
  return Math.min(1, hit);
}

/** Probability that all k items, drawn without replacement from n of which c are marked, are marked: C(c,k)/C(n,k). */
function allOf(n: number, c: number, k: number): number {
  if (k > c) return 0;
  const steps = Math.min(k, n - c);
  const kept = k <= n - c ? c : n - k;
  let chance = 1;
  for (let step = 0; step < steps && chance > 0; step += 1) chance *= (kept - step) / (n - step);
  return chance;
}

/**
 * pass@k: 1 - C(n-c,k)/C(n,k), the chance that one of k trials passes; unbiased for 1 - (1-p)^k.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, K_LT_1, K_GT_N, in this order.
 * Source: Chen et al. 2021, "Evaluating large language models trained on code".
 */
export function passAtK({ n, c, k }: DrawsInput): Value {
  requireDraws(n, c, k);
  requireAtMost(k, n);
  return { value: anyOf(n, c, k) };
}

/**
 * pass^k: C(c,k)/C(n,k), the chance that all of k trials pass; unbiased for p^k, 0 when c < k.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, K_LT_1, K_GT_N, in this order.
 * Source: Yao et al. 2024, "tau-bench".
 */
export function passHatK({ n, c, k }: DrawsInput): Value {
  requireDraws(n, c, k);
  requireAtMost(k, n);
  return { value: allOf(n, c, k) };
}

/**
 * Plug-in pass@k: 1 - (1 - c/n)^k. Biased low; defined for k > n, where it assumes identical independent trials.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, K_LT_1.
 */
export function naivePassAtK({ n, c, k }: DrawsInput): Value {
  requireDraws(n, c, k);
  return { value: c === n ? 1 : -Math.expm1(k * Math.log1p(-c / n)) };
}

/**
 * Plug-in pass^k: (c/n)^k. Biased high; defined for k > n, where it assumes identical independent trials.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, K_LT_1.
 */
export function naivePassHatK({ n, c, k }: DrawsInput): Value {
  requireDraws(n, c, k);
  return { value: (c / n) ** k };
}

const fields = {
  n: whole('scored trials'),
  c: whole('passes among the n trials'),
  k: whole('draws'),
};

/** The groups of this file. */
export const passKGroups: readonly StatsGroup[] = [
  defineGroup<DrawsInput, Value>({
    name: 'passAtK',
    summary: 'Chance that at least one of k trials passes, estimated without bias from n trials.',
    formula: '1 - C(n-c,k)/C(n,k)',
    fields,
    outputs: { value: 'estimate, 0..1' },
    example: { n: 10, c: 3, k: 5 },
    compute: passAtK,
  }),
  defineGroup<DrawsInput, Value>({
    name: 'passHatK',
    summary: 'Chance that all of k trials pass, estimated without bias from n trials.',
    formula: 'C(c,k)/C(n,k)',
    fields,
    outputs: { value: 'estimate, 0..1' },
    example: { n: 8, c: 6, k: 4 },
    compute: passHatK,
  }),
  defineGroup<DrawsInput, Value>({
    name: 'naivePassAtK',
    summary: 'Plug-in pass@k; biased low, an extrapolation when k > n.',
    formula: '1 - (1 - c/n)^k',
    fields,
    outputs: { value: 'estimate, 0..1' },
    example: { n: 3, c: 1, k: 5 },
    compute: naivePassAtK,
  }),
  defineGroup<DrawsInput, Value>({
    name: 'naivePassHatK',
    summary: 'Plug-in pass^k; biased high, an extrapolation when k > n.',
    formula: '(c/n)^k',
    fields,
    outputs: { value: 'estimate, 0..1' },
    example: { n: 4, c: 3, k: 3 },
    compute: naivePassHatK,
  }),
];
