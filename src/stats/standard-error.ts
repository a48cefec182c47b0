import { at, isConstant, mean, sampleVariance, sum, sumOfProducts, sumOfSquares } from './arithmetic.js';
import { label, list, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { studentPoint } from './student-t.js';
import { StatsError } from './error.js';
import { requireFinite, requireSameLength, requireTwo } from './validate.js';

/** A mean with its standard error and 95% t interval. */
export interface MeanError {
  mean: number;
  /** Standard error. */
  se: number;
  /** Lower end; not cut at the limits of the scale. */
  tLo: number;
  /** Upper end. */
  tHi: number;
}

/**
 * Standard error of a mean, s/sqrt(n) with s^2 over n-1, and mean +- t_{0.975, n-1} * se. A standard error of 0 on
 * 0/1 data does not mean certainty: show wilson instead.
 * Errors: N_LT_2, INVALID_INPUT for a value that is not finite.
 */
export function standardErrorOfMean({ values }: { values: readonly number[] }): MeanError {
  requireTwo(values, 'values');
  requireFinite('values', values);
  const centre = mean(values);
  const se = Math.sqrt(sampleVariance(values) / values.length);
  const half = studentPoint(0.975, values.length - 1) * se;
  return { mean: centre, se, tLo: centre - half, tHi: centre + half };
}

/** Input of {@link clusteredStandardError}. */
export interface ClusteredInput {
  values: readonly number[];
  /** The cluster of each value: its case, or the family its case belongs to. */
  clusters: readonly (string | number)[];
}

/** A mean with its standard error by four rules. */
export interface ClusteredError {
  mean: number;
  /** As if all values were independent. */
  naive: number;
  /** Cluster-robust, without small-sample factor. */
  cr0: number;
  /** cr0 * sqrt(G/(G-1)): the one to use, with t on G-1 degrees of freedom. */
  cr1: number;
  /** Naive variance plus the within-cluster cross terms over n^2; 0 if they should outweigh it. */
  miller: number;
  /** Number of clusters G. */
  nClusters: number;
}

/**
 * Cluster-robust standard errors of a mean: CR0 = (1/n) sqrt(sum over clusters of (sum of deviations)^2),
 * CR1 = CR0 sqrt(G/(G-1)), and Miller's form sqrt(naive^2 + (1/n^2) sum of cross products within clusters).
 * Errors: LENGTH_MISMATCH, N_LT_2, CLUSTERS_LT_2, INVALID_INPUT for a value that is not finite.
 * Source: Liang and Zeger 1986; Miller 2024, "Adding Error Bars to Evals".
 */
export function clusteredStandardError({ values, clusters }: ClusteredInput): ClusteredError {
  requireSameLength(values, clusters, 'values', 'clusters');
  requireTwo(values, 'values');
  requireFinite('values', values);
  const deviations = new Map<string | number, number[]>();
  const centre = mean(values);
  for (const [index, value] of values.entries()) {
    const cluster = at(clusters, index);
    const members = deviations.get(cluster) ?? [];
    members.push(value - centre);
    deviations.set(cluster, members);
  }
  const count = deviations.size;
  if (count < 2)
    throw new StatsError('CLUSTERS_LT_2', `all values are in one cluster; at least 2 are needed`);
  const n = values.length;
  const between = sum([...deviations.values()].map((members) => sum(members) ** 2));
  const naiveVariance = sampleVariance(values) / n;
  const cross = (between - sumOfSquares(values)) / (n * n);
  const cr0 = Math.sqrt(between) / n;
  return {
    mean: centre,
    naive: Math.sqrt(naiveVariance),
    cr0,
    cr1: cr0 * Math.sqrt(count / (count - 1)),
    miller: Math.sqrt(Math.max(0, naiveVariance + cross)),
    nClusters: count,
  };
}

/** Input of {@link pairedDifference}: one value a case on each side, in the same order of cases. */
export interface PairedInput {
  a: readonly number[];
  b: readonly number[];
}

/** Mean difference a - b with its standard error, paired and as if unpaired. */
export interface PairedDifference {
  meanDiff: number;
  sePaired: number;
  /** What two separate runs on different cases would have. */
  seUnpaired: number;
  /** Pearson correlation of the sides; null when a side has no spread. */
  correlation: number | null;
  /** sePaired again, from variances and covariance. */
  seFromCov: number;
}

/**
 * Difference of two paired means: SE = sd(a-b)/sqrt(n) = sqrt((var a + var b - 2 cov)/n); unpaired sqrt(SEa^2+SEb^2).
 * Average the trials of a case first. Errors: LENGTH_MISMATCH, N_LT_2, INVALID_INPUT for a value that is not finite.
 */
export function pairedDifference({ a, b }: PairedInput): PairedDifference {
  requireSameLength(a, b, 'a', 'b');
  requireTwo(a, 'a');
  requireFinite('a', a);
  requireFinite('b', b);
  const n = a.length;
  const differences = a.map((value, index) => value - at(b, index));
  const varianceA = sampleVariance(a);
  const varianceB = sampleVariance(b);
  const covariance = sumOfProducts(a, b) / (n - 1);
  // var a + var b - 2 cov is the mean square of the gaps between deviations, here without subtracting like from like
  const [meanA, meanB] = [mean(a), mean(b)];
  const deviationGaps = a.map((value, index) => value - meanA - (at(b, index) - meanB));
  const flat = isConstant(a) || isConstant(b) || varianceA === 0 || varianceB === 0;
  const correlation = flat ? null : covariance / Math.sqrt(varianceA) / Math.sqrt(varianceB);
  return {
    meanDiff: mean(differences),
    sePaired: Math.sqrt(sampleVariance(differences) / n),
    seUnpaired: Math.sqrt((varianceA + varianceB) / n),
    correlation: correlation === null ? null : Math.min(1, Math.max(-1, correlation)),
    seFromCov: Math.sqrt(sumOfSquares(deviationGaps) / (n - 1) / n),
  };
}

const numbers = (meaning: string): ReturnType<typeof list<number>> => list(meaning, real('a value'));

/** The groups of this file. */
export const standardErrorGroups: readonly StatsGroup[] = [
  defineGroup<{ values: readonly number[] }, MeanError>({
    name: 'standardErrorOfMean',
    summary: 'Mean, standard error and 95% t interval of independent values.',
    formula: 's/sqrt(n); mean +- t_{0.975, n-1} * se',
    fields: { values: numbers('independent values, at least two') },
    outputs: { mean: 'mean', se: 'standard error', tLo: 'lower end', tHi: 'upper end' },
    example: { values: [1, 1, 1, 0, 1] },
    compute: standardErrorOfMean,
  }),
  defineGroup<ClusteredInput, ClusteredError>({
    name: 'clusteredStandardError',
    summary: 'Standard error of a mean whose values come in correlated clusters.',
    formula: 'CR0 = (1/n) sqrt(sum_g (sum_i (x_i - mean))^2); CR1 = CR0 sqrt(G/(G-1))',
    fields: {
      values: numbers('the values'),
      clusters: list('the cluster of each value', label('a cluster')),
    },
    outputs: {
      mean: 'mean',
      naive: 'standard error without clusters',
      cr0: 'cluster-robust standard error',
      cr1: 'cr0 with the small-sample factor; use this one',
      miller: "Miller's form",
      nClusters: 'number of clusters',
    },
    example: { values: [1, 1, 0, 0, 1, 1, 0, 0], clusters: ['t1', 't1', 't2', 't2', 't3', 't3', 't4', 't4'] },
    compute: clusteredStandardError,
  }),
  defineGroup<PairedInput, PairedDifference>({
    name: 'pairedDifference',
    summary: 'Mean difference of two runs over the same cases, with its standard error.',
    formula: 'd_i = a_i - b_i; SE = sd(d)/sqrt(n)',
    fields: {
      a: numbers('first run, one value a case'),
      b: numbers('second run, same cases in the same order'),
    },
    outputs: {
      meanDiff: 'mean of a - b',
      sePaired: 'standard error of the paired difference',
      seUnpaired: 'standard error if the runs were unpaired',
      correlation: 'correlation of the runs, null without spread',
      seFromCov: 'sePaired by variances and covariance',
    },
    example: { a: [1, 1, 0, 1, 0, 1, 1, 0], b: [1, 0, 0, 1, 0, 1, 0, 0] },
    compute: pairedDifference,
  }),
];
