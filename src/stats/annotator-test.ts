import { at, isConstant, mean, sampleVariance, sum } from './arithmetic.js';
import { StatsError } from './error.js';
import { label, list, optional, real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { benjaminiYekutieli } from './multiplicity.js';
import { studentLower } from './student-t.js';
import { requireInsideUnit, requireSameLength, requireTwo, requireUnit } from './validate.js';

/** Input of {@link altTest}. */
export interface AltTestInput {
  /** The judge's label of every item. */
  llm: readonly (string | number)[];
  /** One row an annotator, each with a label of every item; at least two annotators. */
  humans: readonly (readonly (string | number)[])[];
  /** What replacing an annotator may cost, 0..1: 0.2 for experts, 0.15 skilled, 0.1 crowd. */
  epsilon: number;
  /** False discovery rate, strictly inside 0..1. */
  q?: number;
}

/** Whether the judge may replace an annotator. */
export interface AltTest {
  /** One p-value an annotator, in their order. */
  pValues: number[];
  /** Share of annotators the judge is shown to do as well as. */
  winningRate: number;
  /** Mean share of items on which the judge agrees with the others at least as well. */
  advantageProbability: number;
  passes: boolean;
}

const DEFAULT_Q = 0.05;

/**
 * Alternative annotator test: each annotator in turn is held out; on every item the judge and the held-out annotator
 * score 1 if they agree with the rest at least as well as the other. d = human - judge; one-sided t test of
 * mean(d) < epsilon (without spread p is 0 if mean(d) < epsilon, else 1); Benjamini-Yekutieli at q; passes when at
 * least half are rejected. Errors: RATERS_LT_2, N_LT_2, LENGTH_MISMATCH, INVALID_INPUT.
 * Source: Calderon et al. 2025, "The Alternative Annotator Test for LLM-as-a-Judge".
 */
export function altTest({ llm, humans, epsilon, q = DEFAULT_Q }: AltTestInput): AltTest {
  if (humans.length < 2)
    throw new StatsError('RATERS_LT_2', `humans needs at least two rows, got ${humans.length}`);
  for (const [index, row] of humans.entries()) requireSameLength(llm, row, 'llm', `humans[${index}]`);
  requireTwo(llm, 'llm');
  requireUnit({ epsilon });
  requireInsideUnit({ q });
  const trials = humans.map((held, index) => {
    const rest = humans.filter((_, other) => other !== index);
    return llm.map((choice, item) => {
      const agreeing = (given: string | number): number =>
        rest.filter((row) => at(row, item) === given).length;
      const judge = agreeing(choice);
      const human = agreeing(at(held, item));
      return { judge: judge >= human ? 1 : 0, human: human >= judge ? 1 : 0 };
    });
  });
  const pValues = trials.map((items) =>
    shortfallP(
      items.map(({ judge, human }) => human - judge),
      epsilon,
    ),
  );
  const rejected = benjaminiYekutieli({ p: pValues }).adjusted.filter((p) => p <= q).length;
  const winningRate = rejected / humans.length;
  return {
    pValues,
    winningRate,
    advantageProbability: mean(trials.map((items) => sum(items.map(({ judge }) => judge)) / items.length)),
    passes: winningRate >= 0.5,
  };
}

/** One-sided t test that the mean is below epsilon. */
function shortfallP(differences: readonly number[], epsilon: number): number {
  const centre = mean(differences);
  if (isConstant(differences)) return centre < epsilon ? 0 : 1;
  const se = Math.sqrt(sampleVariance(differences) / differences.length);
  return studentLower((centre - epsilon) / se, differences.length - 1);
}

const labels = list('one label an item', label('a label'));

/** The groups of this file. */
export const annotatorTestGroups: readonly StatsGroup[] = [
  defineGroup<AltTestInput, AltTest>({
    name: 'altTest',
    summary: 'Whether a judge may replace a human annotator.',
    formula: 'leave one annotator out; t test of mean(human - judge) < epsilon; Benjamini-Yekutieli at q',
    fields: {
      llm: labels,
      humans: list('one row an annotator', labels),
      epsilon: real('what replacing may cost'),
      q: optional(real('false discovery rate'), DEFAULT_Q),
    },
    outputs: {
      pValues: 'one an annotator',
      winningRate: 'share of annotators matched',
      advantageProbability: 'mean share of items at least as good',
      passes: 'winningRate >= 0.5',
    },
    example: {
      llm: [1, 0, 1, 1, 0, 1],
      humans: [
        [1, 0, 1, 1, 0, 1],
        [1, 0, 1, 0, 0, 1],
        [1, 0, 0, 1, 0, 1],
      ],
      epsilon: 0.2,
    },
    compute: altTest,
  }),
];
