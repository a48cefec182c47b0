import { at, largestMagnitude, mean, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { list, optional, real, text, triple } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireNonNegative, requirePositive, requireTable } from './validate.js';

/** One game: first player, second player, score of the first (1 won, 0 lost, 0.5 tied). */
export type Game = readonly [string, string, number];

/** Input of {@link elo}. */
export interface EloInput {
  /** Distinct names. */
  players: readonly string[];
  /** In the order they were played. */
  games: readonly Game[];
  /** Largest change by one game, above 0. */
  K?: number;
  /** Rating everyone starts with. */
  init?: number;
}

const DEFAULT_K = 32;
const DEFAULT_RATING = 1500;
/** Rating points per factor of ten in the odds. */
const ELO_SCALE = 400;

/**
 * Elo ratings, game by game: expected score 1/(1 + 10^((Rb-Ra)/400)), R += K (score - expected). They depend on the
 * order of the games; for a fixed set of comparisons use bradleyTerry.
 * Errors: INVALID_INPUT for repeated or unknown players, a game against oneself, a score outside 0..1.
 * Source: Elo 1978.
 */
export function elo(input: EloInput): { ratings: Record<string, number> } {
  const { players, games, K = DEFAULT_K, init = DEFAULT_RATING } = input;
  requirePositive({ K });
  if (!Number.isFinite(init)) throw new StatsError('INVALID_INPUT', `init must be finite, got ${init}`);
  const ratings = new Map(players.map((player) => [player, init]));
  if (ratings.size !== players.length) throw new StatsError('INVALID_INPUT', 'players must be distinct');
  for (const [index, [first, second, score]] of games.entries()) {
    const one = ratings.get(first);
    const other = ratings.get(second);
    if (one === undefined || other === undefined || first === second) {
      throw new StatsError(
        'INVALID_INPUT',
        `games[${index}] must be between two different players of the list`,
      );
    }
    if (!(score >= 0 && score <= 1)) {
      throw new StatsError('INVALID_INPUT', `games[${index}][2] must lie in 0..1, got ${score}`);
    }
    const expected = 1 / (1 + 10 ** ((other - one) / ELO_SCALE));
    ratings.set(first, one + K * (score - expected));
    ratings.set(second, other - K * (score - expected));
  }
  return { ratings: Object.fromEntries(ratings) };
}

/** Input of {@link bradleyTerry}. */
export interface BradleyTerryInput {
  /** wins[i][j]: how often i beat j, at least 0; a tie counts half for both. The diagonal is 0. */
  wins: readonly (readonly number[])[];
  /** Virtual wins added in each direction of every pair, at least 0. */
  prior?: number;
}

/** Strengths in the order of the input. */
export interface BradleyTerry {
  /** Log-strengths with mean 0. */
  logStrengths: number[];
  /** The same in Elo points: 400/ln 10 times as much. */
  eloScale: number[];
}

/**
 * Maximum-likelihood Bradley-Terry strengths: P(i beats j) = 1/(1 + exp(tj - ti)), mean 0. Newton's method with step
 * halving on a concave likelihood.
 * Errors: EMPTY, LENGTH_MISMATCH unless square, INVALID_INPUT for negative wins or a diagonal that is not 0,
 * NOT_STRONGLY_CONNECTED when without prior someone never loses to, or never beats, a group of the others.
 * Source: Bradley and Terry 1952; condition for existence: Ford 1957.
 */
export function bradleyTerry({ wins, prior = 0 }: BradleyTerryInput): BradleyTerry {
  requireTable('wins', wins);
  requireNonNegative({ prior });
  const count = wins.length;
  if (at(wins, 0).length !== count) {
    throw new StatsError('LENGTH_MISMATCH', `wins must be square, got ${count} x ${at(wins, 0).length}`);
  }
  for (const [i, row] of wins.entries()) {
    for (const [j, value] of row.entries()) requireNonNegative({ [`wins[${i}][${j}]`]: value });
    if (at(row, i) !== 0)
      throw new StatsError('INVALID_INPUT', `wins[${i}][${i}] must be 0: nobody plays oneself`);
  }
  if (prior === 0 && !(reachesAll(wins, false) && reachesAll(wins, true))) {
    throw new StatsError(
      'NOT_STRONGLY_CONNECTED',
      'some players never lost to, or never beat, the others: their strength is infinite; give a prior above 0',
    );
  }
  const padded = wins.map((row, i) => row.map((value, j) => (i === j ? 0 : value + prior)));
  const logStrengths = maximise(padded);
  return { logStrengths, eloScale: logStrengths.map((value) => (ELO_SCALE / Math.LN10) * value) };
}

/** True when every player can be reached from the first along wins (or, reversed, along losses). */
function reachesAll(wins: readonly (readonly number[])[], reversed: boolean): boolean {
  const seen = new Set([0]);
  for (const from of seen) {
    for (let to = 0; to < wins.length; to += 1) {
      if ((reversed ? at(at(wins, to), from) : at(at(wins, from), to)) > 0) seen.add(to);
    }
  }
  return seen.size === wins.length;
}

const chance = (gap: number): number => 1 / (1 + Math.exp(-gap));

function logLikelihood(wins: readonly (readonly number[])[], strengths: readonly number[]): number {
  return sum(
    wins.flatMap((row, i) =>
      row.map((value, j) => (value === 0 ? 0 : -value * softplus(at(strengths, j) - at(strengths, i)))),
    ),
  );
}

/** log(1 + exp(x)) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

function maximise(wins: readonly (readonly number[])[]): number[] {
  let strengths = wins.map(() => 0);
  let height = logLikelihood(wins, strengths);
  for (let round = 0; round < 1000; round += 1) {
    const step = newtonStep(wins, strengths);
    const scale = Math.max(1, largestMagnitude(strengths));
    let share = 1;
    let next = strengths;
    let reached = Number.NEGATIVE_INFINITY;
    for (; share > 1e-12; share /= 2) {
      next = strengths.map((value, index) => value + share * at(step, index));
      reached = logLikelihood(wins, next);
      if (reached >= height - 1e-13 * Math.abs(height)) break;
    }
    strengths = next;
    height = reached;
    if (largestMagnitude(step) <= 1e-14 * scale) break;
  }
  const centre = mean(strengths);
  return strengths.map((value) => value - centre);
}

/** Solves (Laplacian + ones) * step = gradient, which keeps the sum of the strengths where it is. */
function newtonStep(wins: readonly (readonly number[])[], strengths: readonly number[]): number[] {
  const count = wins.length;
  const gradient = wins.map((row, i) =>
    sum(
      row.map((value, j) => {
        const gap = at(strengths, i) - at(strengths, j);
        // each term as wins * P(loss) - losses * P(win): no cancellation when one side dominates
        return value * chance(-gap) - at(at(wins, j), i) * chance(gap);
      }),
    ),
  );
  const weights = wins.map((row, i) =>
    row.map((value, j) => {
      const gap = at(strengths, i) - at(strengths, j);
      return (value + at(at(wins, j), i)) * chance(gap) * chance(-gap);
    }),
  );
  const total = sum(weights.flat()) / count;
  const anchor = total > 0 ? total / count : 1;
  const system = weights.map((row, i) =>
    row.map((weight, j) => anchor + (i === j ? sum(row.filter((_, other) => other !== i)) : -weight)),
  );
  return solveSymmetric(system, gradient);
}

/** Solves a symmetric positive definite system by Gaussian elimination. */
function solveSymmetric(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, at(right, i)]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const lead = at(rows, pivot);
    for (let below = pivot + 1; below < size; below += 1) {
      const row = at(rows, below);
      const factor = at(row, pivot) / at(lead, pivot);
      for (let column = pivot; column <= size; column += 1) {
        row[column] = at(row, column) - factor * at(lead, column);
      }
    }
  }
  const solution: number[] = right.map(() => 0);
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = at(rows, i);
    let rest = at(row, size);
    for (let column = i + 1; column < size; column += 1) rest -= at(row, column) * at(solution, column);
    solution[i] = rest / at(row, i);
  }
  return solution;
}

/** The groups of this file. */
export const rankingGroups: readonly StatsGroup[] = [
  defineGroup<EloInput, { ratings: Record<string, number> }>({
    name: 'elo',
    summary: 'Ratings updated game by game; they depend on the order of the games.',
    formula: 'E = 1/(1 + 10^((Rb-Ra)/400)); R += K (S - E)',
    fields: {
      players: list('distinct names', text('a name')),
      games: list(
        'games in order',
        triple('one game', text('first player'), text('second player'), real('score of the first, 0..1')),
      ),
      K: optional(real('largest change by one game'), DEFAULT_K),
      init: optional(real('rating to start with'), DEFAULT_RATING),
    },
    outputs: { ratings: 'rating by name' },
    example: {
      players: ['A', 'B', 'C'],
      games: [
        ['A', 'B', 1],
        ['B', 'C', 1],
        ['A', 'C', 0.5],
      ],
      K: 32,
      init: 1500,
    },
    compute: elo,
  }),
  defineGroup<BradleyTerryInput, BradleyTerry>({
    name: 'bradleyTerry',
    summary: 'Strengths behind a fixed set of pairwise wins.',
    formula: 'P(i beats j) = 1/(1 + exp(tj - ti)), maximum likelihood, mean 0',
    fields: {
      wins: list('wins[i][j]: how often i beat j', list('one player', real('wins'))),
      prior: optional(real('virtual wins in each direction of every pair'), 0),
    },
    outputs: { logStrengths: 'log-strengths, mean 0', eloScale: 'the same in Elo points' },
    example: {
      wins: [
        [0, 8, 6],
        [2, 0, 7],
        [4, 3, 0],
      ],
      prior: 0,
    },
    compute: bradleyTerry,
  }),
];
