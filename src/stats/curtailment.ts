import { UNIFORM } from './defaults.js';
import { binomialUpper, distributionByRatio, upperTail } from './discrete.js';
import { StatsError } from './error.js';
import { choice, list, optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireOutcomes, type Outcome } from './sequential.js';
import {
  requireAtLeastOne,
  requireAtMost,
  requireCounts,
  requirePart,
  requirePositive,
  requireSize,
  requireUnit,
  requireWhole,
} from './validate.js';

/** A case passes when `need` of its n trials pass. */
export interface CurtailmentRule {
  /** Trials at most, at least 1. */
  n: number;
  /** Passes needed, 1..n. */
  need: number;
}

/** NOT_INTEGER, N_LT_1, K_LT_1, then K_GT_N for a need beyond n. */
function requireRule({ n, need }: CurtailmentRule): void {
  requireWhole({ n, need });
  requireSize(n);
  requireAtLeastOne(need, 'need');
  requireAtMost(need, n, 'need');
}

/** Input of {@link curtailedVerdict}. */
export interface CurtailedInput extends CurtailmentRule {
  /** Outcomes in the order of the trials; those after the decision are not looked at. */
  sequence: readonly Outcome[];
}

/** The verdict so far. */
export interface CurtailedVerdict {
  verdict: 'pass' | 'fail' | 'continue';
  /** Trials used for the verdict; null while undecided. */
  stoppedAt: number | null;
  passes: number;
  fails: number;
}

/**
 * Stops at the need-th pass or the (n-need+1)-th fail. The verdict is that of all n trials; only the cost changes.
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, K_GT_N, INVALID_INPUT for an outcome other than 0 or 1.
 */
export function curtailedVerdict(input: CurtailedInput): CurtailedVerdict {
  requireRule(input);
  requireOutcomes(input.sequence);
  const { n, need, sequence } = input;
  let passes = 0;
  let fails = 0;
  for (const outcome of sequence) {
    if (outcome === 1) passes += 1;
    else fails += 1;
    const stoppedAt = passes + fails;
    if (passes === need) return { verdict: 'pass', stoppedAt, passes, fails };
    if (fails > n - need) return { verdict: 'fail', stoppedAt, passes, fails };
  }
  return { verdict: 'continue', stoppedAt: null, passes, fails };
}

/** Input of {@link curtailedExpectedTrials}. */
export interface CurtailedExpectationInput extends CurtailmentRule {
  /** True pass rate, 0..1. */
  p: number;
}

/** Cost and chance of a curtailed case. */
export interface CurtailedExpectation {
  expectedTrials: number;
  /** Chance that the case passes. */
  pPass: number;
}

/**
 * Exact expected number of trials and pass probability under pass rate p. With s = need, r = n-need+1, q = 1-p the
 * truncated negative binomial sums close to (s/p) P(Bin(n+1,p) >= s+1) + (r/q) P(Bin(n+1,q) >= r+1).
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, K_GT_N, INVALID_INPUT for p.
 */
export function curtailedExpectedTrials(input: CurtailedExpectationInput): CurtailedExpectation {
  requireRule(input);
  const { n, need, p } = input;
  requireUnit({ p });
  const failLimit = n - need + 1;
  const until = (count: number, chance: number): number => {
    const reached = binomialUpper(count + 1, n + 1, chance);
    // for the smallest chances the probability underflows before the quotient overflows
    return reached === 0 ? 0 : (count / chance) * reached;
  };
  return { expectedTrials: until(need, p) + until(failLimit, 1 - p), pPass: binomialUpper(need, n, p) };
}

/** Input of {@link curtailedUnbiasedRate}: the counts at which the rule stopped. */
export interface StoppedInput extends CurtailmentRule {
  passes: number;
  fails: number;
}

/**
 * Unbiased pass rate after a curtailed case: (s-1)/(t-1) when stopped on the s-th pass, passes/(t-1) when stopped on
 * the last allowed fail, t trials used; after a single trial, its outcome. passes/t is biased.
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, K_GT_N, C_OUT_OF_RANGE below 0, NOT_A_STOPPING_POINT.
 * Source: Girshick, Mosteller and Savage 1946.
 */
export function curtailedUnbiasedRate(input: StoppedInput): { rate: number } {
  requireRule(input);
  const { n, need, passes, fails } = input;
  requireCounts({ passes, fails });
  const failLimit = n - need + 1;
  const onPass = passes === need && fails < failLimit;
  const onFail = fails === failLimit && passes < need;
  if (!onPass && !onFail) {
    throw new StatsError(
      'NOT_A_STOPPING_POINT',
      `${passes} passes and ${fails} fails is not where ${need} of ${n} stops (at pass ${need} or fail ${failLimit})`,
    );
  }
  const trials = passes + fails;
  if (trials === 1) return { rate: passes };
  return { rate: (onPass ? passes - 1 : passes) / (trials - 1) };
}

/** Input of {@link predictiveVerdict}. */
export interface PredictiveInput extends CurtailmentRule {
  /** Trials already run, 0..n. */
  done: number;
  /** Passes among them, 0..done. */
  passes: number;
  /** Prior pass weight, above 0. */
  a?: number;
  /** Prior fail weight, above 0. */
  b?: number;
}

/**
 * Chance that the case will end with at least `need` passes: the Beta-binomial predictive probability of the remaining
 * trials. Small values allow giving up, never passing early.
 * Errors: NOT_INTEGER, N_LT_1, K_LT_1, K_GT_N for need or done beyond n, C_OUT_OF_RANGE, INVALID_INPUT.
 */
export function predictiveVerdict(input: PredictiveInput): { pPass: number } {
  requireRule(input);
  const { n, need, done, passes, a = UNIFORM, b = UNIFORM } = input;
  requireCounts({ done, passes });
  requireAtMost(done, n, 'done');
  requirePart(passes, done, 'passes', 'done');
  requirePositive({ a, b });
  const left = n - done;
  const missing = need - passes;
  if (missing <= 0) return { pPass: 1 };
  if (missing > left) return { pPass: 0 };
  const passWeight = a + passes;
  const failWeight = b + done - passes;
  const future = distributionByRatio({
    from: 0,
    to: left,
    start: (left * passWeight) / (passWeight + failWeight),
    ratio: (k) => ((left - k) / (k + 1)) * ((passWeight + k) / (failWeight + left - k - 1)),
  });
  return { pPass: upperTail(future, missing) };
}

const rule = { n: whole('trials at most'), need: whole('passes needed') };

/** The groups of this file. */
export const curtailmentGroups: readonly StatsGroup[] = [
  defineGroup<CurtailedInput, CurtailedVerdict>({
    name: 'curtailedVerdict',
    summary: 'Stop a case as soon as its verdict is certain.',
    formula: 'stop at the need-th pass or the (n-need+1)-th fail',
    fields: { ...rule, sequence: list('outcomes in order', choice('1 passed, 0 failed', [0, 1])) },
    outputs: {
      verdict: 'pass, fail or continue',
      stoppedAt: 'trials used, null while undecided',
      passes: 'passes looked at',
      fails: 'fails looked at',
    },
    example: { n: 5, need: 4, sequence: [1, 1, 1, 1] },
    compute: curtailedVerdict,
  }),
  defineGroup<CurtailedExpectationInput, CurtailedExpectation>({
    name: 'curtailedExpectedTrials',
    summary: 'What stopping early is expected to cost.',
    formula: '(s/p) P(Bin(n+1,p) >= s+1) + (r/q) P(Bin(n+1,q) >= r+1), s = need, r = n-need+1',
    fields: { ...rule, p: real('true pass rate') },
    outputs: { expectedTrials: 'expected trials', pPass: 'chance to pass' },
    example: { n: 5, need: 4, p: 0.9 },
    compute: curtailedExpectedTrials,
  }),
  defineGroup<StoppedInput, { rate: number }>({
    name: 'curtailedUnbiasedRate',
    summary: 'Unbiased pass rate of a case that stopped early.',
    formula: '(s-1)/(t-1) stopped on a pass; passes/(t-1) stopped on a fail',
    fields: { ...rule, passes: whole('passes when it stopped'), fails: whole('fails when it stopped') },
    outputs: { rate: 'pass rate' },
    example: { n: 5, need: 4, passes: 4, fails: 1 },
    compute: curtailedUnbiasedRate,
  }),
  defineGroup<PredictiveInput, { pPass: number }>({
    name: 'predictiveVerdict',
    summary: 'Chance that an unfinished case will still pass.',
    formula: 'P(final passes >= need | done, passes), Beta-binomial',
    fields: {
      ...rule,
      done: whole('trials already run'),
      passes: whole('passes among them'),
      a: optional(real('prior pass weight'), UNIFORM),
      b: optional(real('prior fail weight'), UNIFORM),
    },
    outputs: { pPass: 'chance to pass' },
    example: { n: 10, need: 8, done: 4, passes: 4, a: 1, b: 1 },
    compute: predictiveVerdict,
  }),
];
