import { studentTQuantile, pairedDifference } from '../stats/index.js';
import type { CasePair } from './common-part.js';
import type { CaseSpending, ComparedRun, JudgeVerdicts } from './compared-run.js';

/** A mean difference with its interval; no interval where all cases differ alike, which is no proof of certainty. */
export interface MeanDifference {
  value: number;
  lo: number | null;
  hi: number | null;
}

/** One kind of spending on both sides: means over the common cases of the mean of a trial. */
export interface SpendingComparison {
  what: keyof CaseSpending;
  a: number | null;
  b: number | null;
  /** B minus A with its interval; null when a side is not known or fewer than two cases have it. */
  difference: MeanDifference | null;
}

/** One dimension: what its checks came to on both sides. */
export interface DimensionComparison {
  name: string;
  a: { passed: number; total: number; score: number };
  b: { passed: number; total: number; score: number };
  /** B minus A of the case means of the score, with its interval; null below two cases. */
  difference: MeanDifference | null;
}

const VERDICTS = ['pass', 'fail', 'unknown', 'error'] as const;

const KINDS: readonly (keyof CaseSpending)[] = [
  'inputTokens',
  'outputTokens',
  'cost',
  'durationMs',
  'judgeTokens',
  'judgeCost',
];

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function paired(
  a: readonly number[],
  b: readonly number[],
  confidence: number,
): SpendingComparison['difference'] {
  if (a.length < 2) return null;
  const { meanDiff, sePaired } = pairedDifference({ a: b, b: a });
  if (sePaired === 0) return { value: meanDiff, lo: null, hi: null };
  const half = studentTQuantile({ p: 1 - (1 - confidence) / 2, df: a.length - 1 }).t * sePaired;
  return { value: meanDiff, lo: meanDiff - half, hi: meanDiff + half };
}

/** Tokens, cost and time of a trial, side by side; a kind that some common case does not know is null. */
export function compareSpending(pairs: readonly CasePair[], confidence: number): SpendingComparison[] {
  return KINDS.map((what) => {
    const recorded = pairs.filter(
      ({ a, b }) => a.spending.durationMs !== null && b.spending.durationMs !== null,
    );
    const a = recorded.flatMap((pair) => pair.a.spending[what] ?? []);
    const b = recorded.flatMap((pair) => pair.b.spending[what] ?? []);
    const knownA = a.length === recorded.length && a.length > 0;
    const knownB = b.length === recorded.length && b.length > 0;
    return {
      what,
      a: knownA ? mean(a) : null,
      b: knownB ? mean(b) : null,
      difference: knownA && knownB ? paired(a, b, confidence) : null,
    };
  });
}

function total(pairs: readonly CasePair[], side: 'a' | 'b', name: string): DimensionComparison['a'] {
  const sum = { passed: 0, total: 0, score: 0 };
  for (const pair of pairs) {
    const count = pair[side].dimensions.get(name);
    if (count === undefined) continue;
    sum.passed += count.passed;
    sum.total += count.passed + count.other;
    sum.score += count.score;
  }
  return { ...sum, score: sum.total === 0 ? 0 : sum.score / sum.total };
}

/** Every dimension that both sides have, with its checks counted and its score compared case by case. */
export function compareDimensions(pairs: readonly CasePair[], confidence: number): DimensionComparison[] {
  const names = new Set(pairs.flatMap((pair) => [...pair.a.dimensions.keys(), ...pair.b.dimensions.keys()]));
  return [...names].toSorted().map((name) => {
    const a: number[] = [];
    const b: number[] = [];
    for (const pair of pairs) {
      const left = pair.a.dimensions.get(name);
      const right = pair.b.dimensions.get(name);
      if (left === undefined || right === undefined) continue;
      a.push(left.score / (left.passed + left.other));
      b.push(right.score / (right.passed + right.other));
    }
    return {
      name,
      a: total(pairs, 'a', name),
      b: total(pairs, 'b', name),
      difference: paired(a, b, confidence),
    };
  });
}

/** What the judges of both sides said over the common cases; null when none was asked. */
export function compareVerdicts(pairs: readonly CasePair[]): Record<'a' | 'b', JudgeVerdicts> | null {
  const sum = (side: 'a' | 'b'): JudgeVerdicts => {
    const total: JudgeVerdicts = { pass: 0, fail: 0, unknown: 0, error: 0 };
    for (const { verdicts } of pairs.map((pair) => pair[side])) {
      for (const name of VERDICTS) total[name] += verdicts[name];
    }
    return total;
  };
  const both = { a: sum('a'), b: sum('b') };
  const asked = VERDICTS.some((name) => both.a[name] + both.b[name] > 0);
  return asked ? both : null;
}

/** What is shown of a side beside the numbers. */
export function sideFacts(
  run: ComparedRun,
): Pick<ComparedRun, 'label' | 'agentModel' | 'judgeModel' | 'startedAt'> {
  const { label, agentModel, judgeModel, startedAt } = run;
  return { label, agentModel, judgeModel, startedAt };
}
