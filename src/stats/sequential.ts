import { sum } from './arithmetic.js';
import { DEFAULT_ALPHA } from './defaults.js';
import { StatsError } from './error.js';
import { choice, list, optional, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireInsideUnit, requireSize, requireUnit } from './validate.js';

/** The two hypotheses and the nominal error rates, fixed before the first trial. */
export interface SprtRule {
  /** Pass rate of a healthy case, strictly inside 0..1. */
  p0: number;
  /** Pass rate of a regressed case, below p0. */
  p1: number;
  /** Nominal chance to call a healthy case regressed. */
  alpha?: number;
  /** Nominal chance to miss a regression; alpha + beta < 1. */
  beta?: number;
}

/** One trial: 1 passed, 0 failed. */
export type Outcome = 0 | 1;

/** Input of {@link sprt}. */
export interface SprtInput extends SprtRule {
  /** Outcomes in the order of the trials; those after the decision are not looked at. */
  sequence: readonly Outcome[];
}

/** What the test says so far. */
export type SprtDecision = 'accept_h0' | 'accept_h1' | 'continue';

/** State of a sequential probability ratio test. */
export interface Sprt {
  /** At or above: accept H1, a regression. */
  upper: number;
  /** At or below: accept H0, healthy. */
  lower: number;
  /** Log-likelihood ratio after each trial looked at. */
  llr: number[];
  decision: SprtDecision;
  /** Trials used for the decision; null while undecided. */
  stoppedAt: number | null;
}

const DEFAULT_BETA = 0.1;
/** A boundary met up to rounding is met. */
const TIE = 1e-12;

interface Boundaries {
  upper: number;
  lower: number;
  /** Log-likelihood ratio after so many passes and fails. */
  ratio: (passes: number, fails: number) => number;
  decide: (ratio: number) => SprtDecision;
}

function boundaries({ p0, p1, alpha = DEFAULT_ALPHA, beta = DEFAULT_BETA }: SprtRule): Boundaries {
  requireInsideUnit({ p0, p1, alpha, beta });
  if (p1 >= p0) throw new StatsError('INVALID_INPUT', `p1 = ${p1} must be below p0 = ${p0}`);
  if (alpha + beta >= 1) throw new StatsError('INVALID_INPUT', 'alpha + beta must be below 1');
  const upper = Math.log((1 - beta) / alpha);
  const lower = Math.log(beta / (1 - alpha));
  const pass = Math.log(p1 / p0);
  const fail = Math.log((1 - p1) / (1 - p0));
  return {
    upper,
    lower,
    ratio: (passes, fails) => passes * pass + fails * fail,
    decide: (ratio) => {
      if (ratio >= upper - TIE * Math.abs(upper)) return 'accept_h1';
      return ratio <= lower + TIE * Math.abs(lower) ? 'accept_h0' : 'continue';
    },
  };
}

/**
 * Wald's sequential probability ratio test for a drop from p0 to p1: the log-likelihood ratio grows by ln(p1/p0) on a
 * pass and ln((1-p1)/(1-p0)) on a fail; stops at ln((1-beta)/alpha) or ln(beta/(1-alpha)).
 * Errors: INVALID_INPUT for rates outside 0..1, p1 >= p0, alpha + beta >= 1, an outcome other than 0 or 1.
 * Source: Wald 1945.
 */
export function sprt(input: SprtInput): Sprt {
  const { upper, lower, ratio, decide } = boundaries(input);
  requireOutcomes(input.sequence);
  const llr: number[] = [];
  let passes = 0;
  for (const [index, outcome] of input.sequence.entries()) {
    passes += outcome;
    const current = ratio(passes, index + 1 - passes);
    llr.push(current);
    const decision = decide(current);
    if (decision !== 'continue') return { upper, lower, llr, decision, stoppedAt: index + 1 };
  }
  return { upper, lower, llr, decision: 'continue', stoppedAt: null };
}

/** Throws INVALID_INPUT for an outcome other than 0 or 1. */
export function requireOutcomes(sequence: readonly number[]): void {
  for (const [index, outcome] of sequence.entries()) {
    if (outcome !== 0 && outcome !== 1) {
      throw new StatsError(
        'INVALID_INPUT',
        `sequence[${index}] must be 1 (pass) or 0 (fail), got ${outcome}`,
      );
    }
  }
}

/** Input of {@link sprtOperatingCharacteristic}. */
export interface OperatingInput extends SprtRule {
  /** Trials after which an undecided test is inconclusive, 1 to 20 000. */
  nMax: number;
  /** True pass rate, 0..1. */
  p: number;
}

/** What a truncated test really does at one true pass rate. */
export interface OperatingCharacteristic {
  pAcceptH0: number;
  pAcceptH1: number;
  pInconclusive: number;
  /** Expected number of trials. */
  expectedN: number;
}

const MAX_TRIALS = 20_000;

/**
 * Exact error rates and expected cost of the sequential test truncated at nMax, for a true pass rate p, by dynamic
 * programming over the number of fails. Errors: as sprt; NOT_INTEGER, N_LT_1, INVALID_INPUT for nMax above 20 000.
 */
export function sprtOperatingCharacteristic(input: OperatingInput): OperatingCharacteristic {
  const { nMax, p } = input;
  const { ratio, decide } = boundaries(input);
  requireSize(nMax, 'nMax');
  requireUnit({ p });
  if (nMax > MAX_TRIALS)
    throw new StatsError('INVALID_INPUT', `nMax must be at most ${MAX_TRIALS}, got ${nMax}`);
  const stopped: Record<SprtDecision, number[]> = { accept_h0: [], accept_h1: [], continue: [] };
  const cost: number[] = [];
  // chance of still running with a given number of fails
  let running = new Map<number, number>([[0, 1]]);
  for (let trial = 1; trial <= nMax && running.size > 0; trial += 1) {
    const next = new Map<number, number>();
    const add = (fails: number, chance: number): void => {
      if (chance > 0) next.set(fails, (next.get(fails) ?? 0) + chance);
    };
    for (const [fails, chance] of running) {
      add(fails, chance * p);
      add(fails + 1, chance * (1 - p));
    }
    running = new Map();
    for (const [fails, chance] of next) {
      const decision = decide(ratio(trial - fails, fails));
      if (decision === 'continue' && trial < nMax) running.set(fails, chance);
      else {
        stopped[decision].push(chance);
        cost.push(chance * trial);
      }
    }
  }
  return {
    pAcceptH0: sum(stopped.accept_h0),
    pAcceptH1: sum(stopped.accept_h1),
    pInconclusive: sum(stopped.continue),
    expectedN: sum(cost),
  };
}

const rule = {
  p0: real('pass rate of a healthy case'),
  p1: real('pass rate of a regressed case, below p0'),
  alpha: optional(real('nominal false alarm rate'), DEFAULT_ALPHA),
  beta: optional(real('nominal miss rate'), DEFAULT_BETA),
};

/** The groups of this file. */
export const sequentialGroups: readonly StatsGroup[] = [
  defineGroup<SprtInput, Sprt>({
    name: 'sprt',
    summary: 'Stop as soon as the trials show a healthy or a regressed case.',
    formula:
      'LLR += ln(p1/p0) on pass, ln((1-p1)/(1-p0)) on fail; stop at ln((1-beta)/alpha) or ln(beta/(1-alpha))',
    fields: { ...rule, sequence: list('outcomes in order', choice('1 passed, 0 failed', [0, 1])) },
    outputs: {
      upper: 'boundary of accept_h1',
      lower: 'boundary of accept_h0',
      llr: 'log-likelihood ratio after each trial',
      decision: 'accept_h0 (healthy), accept_h1 (regressed) or continue',
      stoppedAt: 'trials used, null while undecided',
    },
    example: { p0: 0.95, p1: 0.7, alpha: 0.05, beta: 0.1, sequence: [0, 0, 0] },
    compute: sprt,
  }),
  defineGroup<OperatingInput, OperatingCharacteristic>({
    name: 'sprtOperatingCharacteristic',
    summary: 'True error rates and cost of the truncated sequential test, to show before a run.',
    formula: 'exact dynamic programming over trials and fails',
    fields: { ...rule, nMax: whole('trials at most'), p: real('true pass rate') },
    outputs: {
      pAcceptH0: 'chance of healthy',
      pAcceptH1: 'chance of regressed',
      pInconclusive: 'chance of no decision',
      expectedN: 'expected trials',
    },
    example: { p0: 0.95, p1: 0.7, alpha: 0.05, beta: 0.1, nMax: 30, p: 0.95 },
    compute: sprtOperatingCharacteristic,
  }),
];
