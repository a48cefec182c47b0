import { AssayError } from '../core/index.js';
import { mdeMiller, normalQuantile, sampleSizeMiller } from '../stats/index.js';
import type { CaseSpending, ComparedRun } from './compared-run.js';
import { varianceParts } from './needed-trials.js';
import { commonPart } from './common-part.js';

/** One case that is to run. */
export interface PlannedCase {
  /** Hash of the case's content: what history is matched by. */
  key: string;
  trials: number;
  /** Calls to a judge in one trial. */
  judgeCalls: number;
}

/** What a plan is made of. */
export interface PlanInput {
  cases: readonly PlannedCase[];
  /** Earlier runs of the suite under the same model, newest first. */
  history: readonly ComparedRun[];
  /** Price of a trial's tokens, in US dollars; null when no price is known. */
  price: (inputTokens: number, outputTokens: number) => number | null;
  /** Trials under way at once. */
  concurrency: number;
  /** Difference that is wanted, 0..1; null to say what this run can show. */
  effect: number | null;
  /** Two-sided error rate and wanted power. */
  alpha: number;
  power: number;
}

/** An expected amount and where it comes from; null when nothing is known. */
export interface Expected {
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars, agent only. */
  cost: number | null;
  judgeTokens: number | null;
  judgeCost: number | null;
  /** Milliseconds of wall time at the given concurrency. */
  wallMs: number | null;
  /** Trials that an earlier run of the same case stands behind. */
  knownTrials: number;
}

/** What a run would take and what it could show. */
export interface Plan {
  schema: 'assay/plan/v1';
  cases: number;
  trials: number;
  judgeCalls: number;
  expected: Expected;
  /** Spread that the statistics below assume. */
  spread: { omega2: number; sigma2: number; from: 'history' | 'assumed' };
  /** Smallest difference between two such runs that is seen with the wanted power; null without a case. */
  detectable: number | null;
  /** Trials a case and cases for the wanted effect; null when none is wanted. */
  wanted: { effect: number; trials: number | null; cases: number | null } | null;
  alpha: number;
  power: number;
}

/** Variances that are assumed until two runs tell better; both sides of the planning table in docs/plan.md. */
const ASSUMED = { omega2: 0.05, sigma2: 0.09 };

type Kind = keyof CaseSpending;

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean amount of a trial by case, from the newest run that has the case. */
function spendingByCase(history: readonly ComparedRun[]): Map<string, CaseSpending> {
  const known = new Map<string, CaseSpending>();
  for (const run of history) {
    for (const { key, spending } of run.cases) {
      if (!known.has(key) && spending.durationMs !== null) known.set(key, spending);
    }
  }
  return known;
}

/** Sum over all planned trials; a case without history counts as the mean of those with one. */
function expectedTotal(
  cases: readonly PlannedCase[],
  known: ReadonlyMap<string, CaseSpending>,
  read: (spending: CaseSpending) => number | null,
): number | null {
  const usual = mean([...known.values()].flatMap((spending) => read(spending) ?? []));
  if (usual === null) return null;
  let total = 0;
  for (const { key, trials } of cases) {
    const own = known.get(key);
    total += trials * ((own === undefined ? null : read(own)) ?? usual);
  }
  return total;
}

function expectedOf(input: PlanInput): Expected {
  const known = spendingByCase(input.history);
  const of = (kind: Kind): number | null => expectedTotal(input.cases, known, (spending) => spending[kind]);
  const inputTokens = of('inputTokens');
  const outputTokens = of('outputTokens');
  const recorded = of('cost');
  const priced =
    inputTokens === null || outputTokens === null ? null : input.price(inputTokens, outputTokens);
  const busy = of('durationMs');
  return {
    inputTokens,
    outputTokens,
    cost: recorded ?? priced,
    judgeTokens: of('judgeTokens'),
    judgeCost: of('judgeCost'),
    wallMs: busy === null ? null : busy / input.concurrency,
    knownTrials: input.cases.reduce((sum, { key, trials }) => sum + (known.has(key) ? trials : 0), 0),
  };
}

/** Spread from the two newest runs that can be compared; from assumptions without them. */
function spreadOf(history: readonly ComparedRun[]): Plan['spread'] {
  const [newest, ...earlier] = history;
  for (const other of newest === undefined ? [] : earlier) {
    if (newest === undefined) break;
    try {
      const parts = varianceParts(commonPart(other, newest).pairs, 'passed');
      // One trial a case does not tell chance from real differences.
      if (parts === null || Math.min(parts.trialsA, parts.trialsB) < 2) continue;
      return { omega2: parts.omega2, sigma2: (parts.sigmaA2 + parts.sigmaB2) / 2, from: 'history' };
    } catch (error) {
      // Runs that have nothing in common are no history.
      if (!AssayError.isInstance(error)) throw error;
    }
  }
  return { ...ASSUMED, from: 'assumed' };
}

/** Trials a case that make `effect` visible on this many cases; null when no number of trials does. */
function trialsFor(
  effect: number,
  cases: number,
  spread: Plan['spread'],
  alpha: number,
  power: number,
): number | null {
  const points = normalQuantile({ p: 1 - alpha / 2 }).x + normalQuantile({ p: power }).x;
  const left = cases * (effect / points) ** 2 - spread.omega2;
  if (left <= 0) return null;
  return Math.max(1, Math.ceil((2 * spread.sigma2) / left - 1e-9));
}

/** What a run takes and shows, before anything is spent. Formulas: Miller 2024, section on power. */
export function planRun(input: PlanInput): Plan {
  const { cases, history, effect, alpha, power } = input;
  const trials = cases.reduce((sum, one) => sum + one.trials, 0);
  const spread = spreadOf(history);
  const perCase = cases.length === 0 ? 0 : Math.max(1, Math.round(trials / cases.length));
  const suite = { omega2: spread.omega2, sigmaA2: spread.sigma2, sigmaB2: spread.sigma2, alpha, power };
  return {
    schema: 'assay/plan/v1',
    cases: cases.length,
    trials,
    judgeCalls: cases.reduce((sum, one) => sum + one.trials * one.judgeCalls, 0),
    expected: expectedOf(input),
    spread,
    detectable:
      cases.length === 0 ? null : mdeMiller({ ...suite, KA: perCase, KB: perCase, n: cases.length }).mde,
    wanted:
      effect === null || cases.length === 0
        ? null
        : {
            effect,
            trials: trialsFor(effect, cases.length, spread, alpha, power),
            cases: sampleSizeMiller({ ...suite, KA: perCase, KB: perCase, delta: effect }).n,
          },
    alpha,
    power,
  };
}
