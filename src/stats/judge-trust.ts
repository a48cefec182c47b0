import { mcnemar } from './comparison.js';
import { DEFAULT_CONFIDENCE } from './defaults.js';
import { StatsError } from './error.js';
import { choice, list, optional, pair, real, whole } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { exactLower, exactUpper, wilson } from './intervals.js';
import { requireCounts, requireInsideUnit, requireSome } from './validate.js';

/** A judge's record on gold labels; the positive class is "human says pass". */
export interface ConfusionInput {
  /** Human pass, judge pass. */
  tp: number;
  /** Human pass, judge fail. */
  fn: number;
  /** Human fail, judge fail. */
  tn: number;
  /** Human fail, judge pass: a defect let through. */
  fp: number;
}

/** Sensitivity and specificity with their Wilson 95% intervals. */
export interface SensitivitySpecificity {
  sensitivity: number;
  specificity: number;
  /** sensitivity + specificity - 1. */
  youden: number;
  sensLo: number;
  sensHi: number;
  specLo: number;
  specHi: number;
  accuracy: number;
}

/**
 * Sensitivity tp/(tp+fn) and specificity tn/(tn+fp). Accuracy alone hides a judge that passes everything.
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE, MISSING_CLASS when the gold set lacks passes or fails.
 */
export function sensitivitySpecificity({ tp, fn, tn, fp }: ConfusionInput): SensitivitySpecificity {
  requireCounts({ tp, fn, tn, fp });
  const passes = tp + fn;
  const fails = tn + fp;
  if (passes === 0 || fails === 0) {
    throw new StatsError(
      'MISSING_CLASS',
      `the gold set has ${passes} passes and ${fails} fails; both are needed`,
    );
  }
  const sens = wilson({ n: passes, c: tp });
  const spec = wilson({ n: fails, c: tn });
  return {
    sensitivity: tp / passes,
    specificity: tn / fails,
    youden: tp / passes + tn / fails - 1,
    sensLo: sens.lo,
    sensHi: sens.hi,
    specLo: spec.lo,
    specHi: spec.hi,
    accuracy: (tp + tn) / (passes + fails),
  };
}

/** Input of {@link judgeTrust}. */
export interface JudgeTrustInput extends ConfusionInput {
  /** What both rates must reach, strictly inside 0..1. */
  bar?: number;
  /** One-sided confidence of each bound, strictly inside 0..1. */
  confidence?: number;
}

/** Exact bounds and the state they prove; bounds are null when a class is missing. */
export interface JudgeTrust {
  sensLower: number | null;
  specLower: number | null;
  sensUpper: number | null;
  specUpper: number | null;
  state: 'trusted' | 'untrusted' | 'inconclusive' | 'unmeasured';
}

/** Default bar of judgeTrust. */
const DEFAULT_BAR = 0.8;

/**
 * Whether a judge may gate: trusted when both one-sided exact lower bounds reach the bar, untrusted when an upper
 * bound falls short of it, unmeasured when a class is missing, else inconclusive.
 * Errors: NOT_INTEGER, C_OUT_OF_RANGE, INVALID_INPUT.
 */
export function judgeTrust(input: JudgeTrustInput): JudgeTrust {
  const { tp, fn, tn, fp, bar = DEFAULT_BAR, confidence = DEFAULT_CONFIDENCE } = input;
  requireCounts({ tp, fn, tn, fp });
  requireInsideUnit({ bar, confidence });
  if (tp + fn === 0 || tn + fp === 0) {
    return { sensLower: null, specLower: null, sensUpper: null, specUpper: null, state: 'unmeasured' };
  }
  const alpha = 1 - confidence;
  const sensLower = exactLower(tp + fn, tp, alpha);
  const specLower = exactLower(tn + fp, tn, alpha);
  const sensUpper = exactUpper(tp + fn, tp, alpha);
  const specUpper = exactUpper(tn + fp, tn, alpha);
  let state: JudgeTrust['state'] = 'inconclusive';
  if (sensLower >= bar && specLower >= bar) state = 'trusted';
  else if (sensUpper < bar || specUpper < bar) state = 'untrusted';
  return { sensLower, specLower, sensUpper, specUpper, state };
}

/** The slot a pairwise judge chose: 1, 2, or 0 for a tie. */
export type Slot = 0 | 1 | 2;

/** How often a pairwise judge keeps its verdict when the answers swap slots. */
export interface PositionBias {
  /** Share of pairs where the same answer wins, or both are ties. */
  consistency: number;
  /** Pairs where the first slot won twice. */
  firstBoth: number;
  /** Pairs where the second slot won twice. */
  secondBoth: number;
  /** Other inconsistent pairs: a tie in one order only. */
  other: number;
  /** Two-sided exact p of firstBoth against secondBoth. */
  p: number;
}

/**
 * Position bias of a pairwise judge. pairs: the slot chosen in the original and in the swapped order; consistent are
 * (1,2), (2,1) and (0,0). Errors: EMPTY, INVALID_INPUT for another slot.
 */
export function positionBias({ pairs }: { pairs: readonly (readonly [Slot, Slot])[] }): PositionBias {
  requireSome(pairs, 'pairs');
  for (const slots of pairs) {
    if (slots.length !== 2 || slots.some((slot) => slot !== 0 && slot !== 1 && slot !== 2)) {
      throw new StatsError('INVALID_INPUT', 'pairs must hold two slots each, 0, 1 or 2');
    }
  }
  const count = (first: Slot, second: Slot): number =>
    pairs.filter(([original, swapped]) => original === first && swapped === second).length;
  const consistent = count(1, 2) + count(2, 1) + count(0, 0);
  const firstBoth = count(1, 1);
  const secondBoth = count(2, 2);
  return {
    consistency: consistent / pairs.length,
    firstBoth,
    secondBoth,
    other: pairs.length - consistent - firstBoth - secondBoth,
    p: mcnemar({ b: firstBoth, c: secondBoth }).exactTwoSided,
  };
}

const confusion = {
  tp: whole('human pass, judge pass'),
  fn: whole('human pass, judge fail'),
  tn: whole('human fail, judge fail'),
  fp: whole('human fail, judge pass'),
};
const slot = choice('slot chosen, 0 is a tie', [0, 1, 2]);

/** The groups of this file. */
export const judgeTrustGroups: readonly StatsGroup[] = [
  defineGroup<ConfusionInput, SensitivitySpecificity>({
    name: 'sensitivitySpecificity',
    summary: 'How often a judge is right on what humans passed and on what they failed.',
    formula: 'tp/(tp+fn), tn/(tn+fp), Wilson 95% each',
    fields: confusion,
    outputs: {
      sensitivity: 'share of human passes passed',
      specificity: 'share of human fails failed',
      youden: 'sensitivity + specificity - 1',
      sensLo: 'lower end',
      sensHi: 'upper end',
      specLo: 'lower end',
      specHi: 'upper end',
      accuracy: 'share of all items right',
    },
    example: { tp: 46, fn: 4, tn: 44, fp: 6 },
    compute: sensitivitySpecificity,
  }),
  defineGroup<JudgeTrustInput, JudgeTrust>({
    name: 'judgeTrust',
    summary: 'Whether a judge has earned the right to gate.',
    formula: 'trusted if both one-sided exact lower bounds >= bar; untrusted if an upper bound < bar',
    fields: {
      ...confusion,
      bar: optional(real('what both rates must reach'), DEFAULT_BAR),
      confidence: optional(real('one-sided confidence'), DEFAULT_CONFIDENCE),
    },
    outputs: {
      sensLower: 'lower bound, sensitivity',
      specLower: 'lower bound, specificity',
      sensUpper: 'upper bound, sensitivity',
      specUpper: 'upper bound, specificity',
      state: 'trusted, untrusted, inconclusive or unmeasured',
    },
    example: { tp: 48, fn: 2, tn: 47, fp: 3, bar: 0.8, confidence: 0.95 },
    compute: judgeTrust,
  }),
  defineGroup<{ pairs: readonly (readonly [Slot, Slot])[] }, PositionBias>({
    name: 'positionBias',
    summary: 'Whether a pairwise judge prefers a slot over an answer.',
    formula: 'exact McNemar on first-slot-twice against second-slot-twice',
    fields: { pairs: list('slot chosen in original and swapped order', pair('one pair', slot, slot)) },
    outputs: {
      consistency: 'share of consistent pairs',
      firstBoth: 'first slot twice',
      secondBoth: 'second slot twice',
      other: 'tie in one order only',
      p: 'two-sided p',
    },
    example: {
      pairs: [
        [1, 1],
        [2, 2],
        [1, 2],
        [0, 0],
        [0, 1],
      ],
    },
    compute: positionBias,
  }),
];
