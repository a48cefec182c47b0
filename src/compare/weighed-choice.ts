import { pairedPermutation } from '../stats/index.js';
import type { PairComparisonResult } from './compare-runs.js';
import type { ComparedRun } from './compared-run.js';
import type { ChoiceWeights, CompareJob } from './job-schema.js';

/** One arm as a choice. */
export interface WeighedArm {
  arm: string;
  /** Mean pass rate over the cases that every arm was scored on, 0..1. */
  quality: number | null;
  /** Means of a trial: US dollars and milliseconds. */
  cost: number | null;
  latencyMs: number | null;
  /** 0..1, higher is better; null where nothing is weighed, or something that is not known. */
  score: number | null;
  /** Why it cannot be chosen; null when it can. */
  out: string | null;
}

/** A choice between arms by quality, cost and time together. */
export interface WeighedChoice {
  weights: ChoiceWeights;
  arms: WeighedArm[];
  /** The best score, the lowest cost and the second best score among arms that can be chosen. */
  primary: string | null;
  budget: string | null;
  fallback: string | null;
  /** p-value of the best against the rest, over all pairs that might have been looked at; null with nothing to compare. */
  p: number | null;
}

/** One arm's values on one case. */
interface CaseValues {
  rate: number;
  cost: number | null;
  latencyMs: number | null;
}

/** Cases that every arm was scored on: the family, and the values of every arm in order. */
interface Row {
  unit: string;
  values: CaseValues[];
}

function rowsOf(sides: readonly ComparedRun[]): Row[] {
  const [first, ...others] = sides;
  const byKey = others.map((side) => new Map(side.cases.map((one) => [one.key, one])));
  return (first?.cases ?? []).flatMap((one): Row[] => {
    const all = [one, ...byKey.flatMap((cases) => cases.get(one.key) ?? [])];
    const values = all.flatMap(({ rate, spending }): CaseValues[] =>
      rate === null ? [] : [{ rate, cost: spending.cost, latencyMs: spending.durationMs }],
    );
    if (values.length < sides.length) return [];
    return [{ unit: one.cluster === null ? `case:${one.id}` : `family:${one.cluster}`, values }];
  });
}

function meanOf(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length === 0 ? null : total / values.length;
}

/** Cost and time are weighed as parts of those of the most expensive and the slowest arm. */
interface Scale {
  cost: number;
  latencyMs: number;
}

/** The worth of an amount of which less is better: 1 for nothing, 0 for the most of all arms. */
function thrift(value: number | null, weight: number, most: number): number | null {
  if (weight === 0) return 0;
  if (value === null) return null;
  return most === 0 ? weight : weight * (1 - value / most);
}

function worthOf(values: CaseValues, weights: ChoiceWeights, scale: Scale): number | null {
  const cost = thrift(values.cost, weights.cost, scale.cost);
  const latency = thrift(values.latencyMs, weights.latency, scale.latencyMs);
  return cost === null || latency === null ? null : weights.quality * values.rate + cost + latency;
}

function outOf(
  arm: Pick<WeighedArm, 'cost' | 'latencyMs' | 'score'>,
  result: PairComparisonResult | null,
  { weights, limits }: CompareJob,
): string | null {
  if (result?.verdict.name === 'worse') return 'worse than the baseline';
  if (result !== null && result.unscored > 0) return 'some cases could not be scored';
  if (limits.cost !== null && arm.cost === null) return 'its cost is not known';
  if (limits.cost !== null && (arm.cost ?? 0) > limits.cost) return 'costs more than the limit';
  if (limits.latencyMs !== null && arm.latencyMs === null) return 'its time is not known';
  if (limits.latencyMs !== null && (arm.latencyMs ?? 0) > limits.latencyMs) {
    return 'takes longer than the limit';
  }
  if (weights === null || arm.score !== null) return null;
  const unknown = weights.cost > 0 && arm.cost === null ? 'cost' : 'time';
  return `its ${unknown} is weighed and not known`;
}

/** Two-sided p of the differences in worth between two arms, families together. */
function pOf(
  rows: readonly Row[],
  one: number,
  other: number,
  worth: (values: CaseValues) => number,
): number {
  const sums = new Map<string, number>();
  for (const { unit, values } of rows) {
    const [left, right] = [values[one], values[other]];
    if (left === undefined || right === undefined) continue;
    sums.set(unit, (sums.get(unit) ?? 0) + worth(left) - worth(right));
  }
  return pairedPermutation({ differences: [...sums.values()] }).twoSided;
}

/** The arms by what they come to together, those that must not be chosen with the reason why. */
export function weighArms(
  job: CompareJob,
  sides: readonly ComparedRun[],
  results: readonly PairComparisonResult[],
): WeighedArm[] {
  const rows = rowsOf(sides);
  const means = sides.map((_, index) => ({
    quality: meanOf(rows.map(({ values }) => values[index]?.rate ?? null)),
    cost: meanOf(rows.map(({ values }) => values[index]?.cost ?? null)),
    latencyMs: meanOf(rows.map(({ values }) => values[index]?.latencyMs ?? null)),
  }));
  const scale = scaleOf(means);
  return sides.map(({ label }, index) => {
    const mean = means[index] ?? { quality: null, cost: null, latencyMs: null };
    const { weights } = job;
    const score =
      weights === null || mean.quality === null
        ? null
        : worthOf({ rate: mean.quality, ...mean }, weights, scale);
    const result = index === 0 ? null : (results[index - 1] ?? null);
    return { arm: label, ...mean, score, out: outOf({ ...mean, score }, result, job) };
  });
}

function scaleOf(arms: readonly Pick<WeighedArm, 'cost' | 'latencyMs'>[]): Scale {
  return {
    cost: Math.max(0, ...arms.map((one) => one.cost ?? 0)),
    latencyMs: Math.max(0, ...arms.map((one) => one.latencyMs ?? 0)),
  };
}

/**
 * The choice between the arms of a job by its weights: the score of an arm is the weighed sum of its pass rate and of
 * what it saves of the cost and the time of the most expensive and the slowest arm. The best is held against every
 * other with the sign-flip test on cases, Bonferroni over all pairs, since any arm might have come out best.
 */
export function weighedChoice(
  job: CompareJob & { weights: ChoiceWeights },
  sides: readonly ComparedRun[],
  results: readonly PairComparisonResult[],
): WeighedChoice {
  const { weights } = job;
  const arms = weighArms(job, sides, results);
  const able = arms
    .filter((one) => one.out === null)
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0));
  const [best, second] = able;
  const cheapest = able
    .filter((one) => one.cost !== null)
    .toSorted((left, right) => (left.cost ?? 0) - (right.cost ?? 0))[0];
  const rows = rowsOf(sides);
  const scale = scaleOf(arms);
  const worth = (values: CaseValues): number => worthOf(values, weights, scale) ?? 0;
  const place = (one: WeighedArm): number => arms.indexOf(one);
  const rivals = best === undefined ? [] : able.filter((one) => one !== best);
  const pairs = (able.length * (able.length - 1)) / 2;
  const largest = Math.max(
    ...rivals.map((one) => (best === undefined ? 1 : pOf(rows, place(best), place(one), worth))),
  );
  return {
    weights,
    arms,
    primary: best?.arm ?? null,
    budget: cheapest?.arm ?? null,
    fallback: second?.arm ?? null,
    p: rivals.length === 0 ? null : Math.min(1, largest * pairs),
  };
}
