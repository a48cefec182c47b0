import { DEFAULT_CONFIDENCE } from './defaults.js';
import { StatsError } from './error.js';
import { optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { exactLower, exactUpper } from './intervals.js';
import type { Value } from './pass-k.js';
import { requireInsideUnit, requirePart, requireTrials, requireWhole } from './validate.js';

/** Input of {@link threeValuedGate}. */
export interface GateInput {
  /** Scored trials, at least 1. */
  n: number;
  /** Passes, 0..n. */
  c: number;
  /** Pass rate the gate asks for, strictly inside 0..1. */
  p0: number;
  /** One-sided confidence of each bound, strictly inside 0..1. */
  confidence?: number;
}

/** Exact bounds and what they prove. */
export interface GateVerdict {
  lower: number;
  upper: number;
  /** inconclusive is never a pass. */
  verdict: 'pass' | 'fail' | 'inconclusive';
}

/**
 * Gate on a pass rate with one-sided exact bounds: pass when lower >= p0, fail when upper < p0, else inconclusive.
 * Errors: NOT_INTEGER, N_LT_1, C_OUT_OF_RANGE, INVALID_INPUT.
 */
export function threeValuedGate({ n, c, p0, confidence = DEFAULT_CONFIDENCE }: GateInput): GateVerdict {
  requireTrials(n, c);
  requireInsideUnit({ p0, confidence });
  const lower = exactLower(n, c, 1 - confidence);
  const upper = exactUpper(n, c, 1 - confidence);
  let verdict: GateVerdict['verdict'] = 'inconclusive';
  if (lower >= p0) verdict = 'pass';
  else if (upper < p0) verdict = 'fail';
  return { lower, upper, verdict };
}

/** Trials and passes of one case. */
export interface TrialCounts {
  /** Scored trials, at least 2. */
  n: number;
  /** Passes, 0..n. */
  c: number;
}

/**
 * Flakiness index: 2c(n-c)/(n(n-1)), the unbiased estimate of the chance 2p(1-p) that two runs of the case disagree.
 * Errors: NOT_INTEGER, N_LT_2, C_OUT_OF_RANGE.
 */
export function disagreementProbability({ n, c }: TrialCounts): Value {
  requireWhole({ n, c });
  if (n < 2) throw new StatsError('N_LT_2', `n must be at least 2 scored trials, got ${n}`);
  requirePart(c, n, 'c', 'n');
  return { value: (2 * (c / n) * (n - c)) / (n - 1) };
}

/** The groups of this file. */
export const decisionGroups: readonly StatsGroup[] = [
  defineGroup<GateInput, GateVerdict>({
    name: 'threeValuedGate',
    summary: 'May this gate pass? Pass, fail, or not enough trials to say.',
    formula: 'pass if lower >= p0, fail if upper < p0, one-sided exact bounds',
    fields: {
      n: whole('scored trials'),
      c: whole('passes among the n trials'),
      p0: real('pass rate the gate asks for'),
      confidence: optional(real('one-sided confidence'), DEFAULT_CONFIDENCE),
    },
    outputs: { lower: 'lower bound', upper: 'upper bound', verdict: 'pass, fail or inconclusive' },
    example: { n: 59, c: 59, p0: 0.95, confidence: 0.95 },
    compute: threeValuedGate,
  }),
  defineGroup<TrialCounts, Value>({
    name: 'disagreementProbability',
    summary: 'How flaky a case is: the chance that two of its runs disagree.',
    formula: '2c(n-c)/(n(n-1))',
    fields: { n: whole('scored trials'), c: whole('passes among the n trials') },
    outputs: { value: 'flakiness index, 0..1' },
    example: { n: 10, c: 9 },
    compute: disagreementProbability,
  }),
];
