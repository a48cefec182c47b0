import { sum } from './arithmetic.js';
import { choice, list, nullable, optional, text } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { requireSome } from './validate.js';

/** Two texts; compared as they are, without Unicode normalisation. */
export interface TextPair {
  a: string;
  b: string;
}

/** Edit distance of two texts over Unicode code points. */
export interface Levenshtein {
  /** Insertions, deletions and substitutions. */
  distance: number;
  /** 1 - distance / length of the longer; 1 when both are empty. */
  ratio: number;
  /** The same with insertions and deletions only: (la + lb - d)/(la + lb). */
  indelRatio: number;
}

/** Both token lists as numbers, equal tokens as equal numbers, so that comparing is cheap. */
function numbered(left: readonly string[], right: readonly string[]): [Uint32Array, Uint32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (token: string): number => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, numbers.size);
    return numbers.size - 1;
  };
  return [Uint32Array.from(left, numberOf), Uint32Array.from(right, numberOf)];
}

/** Length of the longest common subsequence, one row of the table at a time. */
function commonLength(left: readonly string[], right: readonly string[]): number {
  const [rows, columns] = numbered(left, right);
  const best = new Uint32Array(columns.length + 1);
  for (const item of rows) {
    let diagonal = 0;
    let before = 0;
    for (let column = 1; column <= columns.length; column += 1) {
      const above = best[column] ?? 0;
      before = columns[column - 1] === item ? diagonal + 1 : Math.max(above, before);
      best[column] = before;
      diagonal = above;
    }
  }
  return best[columns.length] ?? 0;
}

function editDistance(left: readonly string[], right: readonly string[]): number {
  const [rows, columns] = numbered(left, right);
  const best = Uint32Array.from({ length: columns.length + 1 }, (_, column) => column);
  let line = 0;
  for (const item of rows) {
    let diagonal = line;
    line += 1;
    let before = line;
    best[0] = line;
    for (let column = 1; column <= columns.length; column += 1) {
      const above = best[column] ?? 0;
      const replaced = columns[column - 1] === item ? diagonal : diagonal + 1;
      before = Math.min(replaced, above + 1, before + 1);
      best[column] = before;
      diagonal = above;
    }
  }
  return best[columns.length] ?? 0;
}

/**
 * Edit distance over code points, with its two ratios. An exploration signal and a fuzzy matcher with an explicit
 * threshold; time grows with the product of the lengths. Errors: none. Source: Levenshtein 1966.
 */
export function levenshtein({ a, b }: TextPair): Levenshtein {
  const left = Array.from(a);
  const right = Array.from(b);
  const total = left.length + right.length;
  if (total === 0) return { distance: 0, ratio: 1, indelRatio: 1 };
  const distance = editDistance(left, right);
  return {
    distance,
    ratio: 1 - distance / Math.max(left.length, right.length),
    indelRatio: (2 * commonLength(left, right)) / total,
  };
}

/** Input of {@link rougeL}. */
export interface RougeInput {
  reference: string;
  hypothesis: string;
}

/** Overlap of two texts by their longest common subsequence of words. */
export interface RougeL {
  precision: number;
  recall: number;
  f1: number;
}

/**
 * ROUGE-L over the words [a-z0-9]+ of the lower-cased texts, without stemming: P = LCS/|hypothesis|,
 * R = LCS/|reference|, F1 = 2PR/(P+R); 0 when a side has no words. For exploration, never a gate.
 * Errors: none. Source: Lin 2004.
 */
export function rougeL({ reference, hypothesis }: RougeInput): RougeL {
  const wanted = reference.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const given = hypothesis.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const common = commonLength(wanted, given);
  if (common === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = common / given.length;
  const recall = common / wanted.length;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/** Input of {@link bleu4}. */
export interface BleuInput {
  /** At least one. */
  references: readonly string[];
  hypothesis: string;
  /** add1 adds one to matches and total of every order above 1; null smooths nothing. */
  smoothing?: 'add1' | null;
}

/** BLEU with its length penalty; the penalty is null for an empty hypothesis. */
export interface Bleu {
  bleu: number;
  brevityPenalty: number | null;
}

const MAX_ORDER = 4;

function words(sentence: string): string[] {
  return sentence.split(/\s+/u).filter((word) => word !== '');
}

/** How often each run of `order` words occurs. Words hold no white space, so a space joins them without clashes. */
function runs(tokens: readonly string[], order: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + order <= tokens.length; start += 1) {
    const run = tokens.slice(start, start + order).join(' ');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

/**
 * BLEU-4 over white-space words: geometric mean of the clipped precisions of 1 to 4 words, times
 * exp(1 - r/c) when the hypothesis (c words) is not longer than the closest reference (r words, the shorter on ties).
 * 0 when a precision is 0. For exploration, never a gate. Errors: EMPTY without references. Source: Papineni et al. 2002.
 */
export function bleu4({ references, hypothesis, smoothing = null }: BleuInput): Bleu {
  requireSome(references, 'references');
  const given = words(hypothesis);
  if (given.length === 0) return { bleu: 0, brevityPenalty: null };
  const wanted = references.map(words);
  const distance = (length: number): number => Math.abs(length - given.length);
  const closest = wanted
    .map((tokens) => tokens.length)
    .reduce((best, length) =>
      distance(length) < distance(best) || (distance(length) === distance(best) && length < best)
        ? length
        : best,
    );
  const brevityPenalty = given.length > closest ? 1 : Math.exp(1 - closest / given.length);
  const logs: number[] = [];
  for (let order = 1; order <= MAX_ORDER; order += 1) {
    const allowed = wanted.map((tokens) => runs(tokens, order));
    const matches = [...runs(given, order)].map(([run, count]) =>
      Math.min(count, Math.max(...allowed.map((counts) => counts.get(run) ?? 0))),
    );
    const added = smoothing === 'add1' && order > 1 ? 1 : 0;
    const total = Math.max(0, given.length - order + 1) + added;
    const matched = sum(matches) + added;
    if (matched === 0) return { bleu: 0, brevityPenalty };
    logs.push(Math.log(matched / total));
  }
  return { bleu: brevityPenalty * Math.exp(sum(logs) / MAX_ORDER), brevityPenalty };
}

/** The groups of this file. */
export const textSimilarityGroups: readonly StatsGroup[] = [
  defineGroup<TextPair, Levenshtein>({
    name: 'levenshtein',
    summary: 'Edit distance of two texts over Unicode code points.',
    formula: 'ratio = 1 - d/max(la, lb); indelRatio = (la + lb - d_indel)/(la + lb)',
    fields: { a: text('one text'), b: text('other text') },
    outputs: { distance: 'edits', ratio: 'similarity, 0..1', indelRatio: 'similarity without substitutions' },
    example: { a: 'kitten', b: 'sitting' },
    compute: levenshtein,
  }),
  defineGroup<RougeInput, RougeL>({
    name: 'rougeL',
    summary: 'Word overlap by longest common subsequence; for exploration only.',
    formula: 'P = LCS/|hyp|, R = LCS/|ref|, F1 = 2PR/(P+R)',
    fields: { reference: text('expected text'), hypothesis: text('given text') },
    outputs: {
      precision: 'share of given words',
      recall: 'share of expected words',
      f1: 'their harmonic mean',
    },
    example: { reference: 'the cat sat on the mat', hypothesis: 'the cat is on the mat' },
    compute: rougeL,
  }),
  defineGroup<BleuInput, Bleu>({
    name: 'bleu4',
    summary: 'Word-run overlap with one or more references; for exploration only.',
    formula: 'BP * exp(mean of log clipped precisions 1..4); BP = exp(1 - r/c) if c <= r',
    fields: {
      references: list('expected texts', text('a reference')),
      hypothesis: text('given text'),
      smoothing: optional(nullable(choice('smoothing', ['add1'])), null),
    },
    outputs: { bleu: 'score, 0..1', brevityPenalty: 'length penalty, null for an empty hypothesis' },
    example: {
      references: ['the cat is on the mat'],
      hypothesis: 'the cat sat on the mat',
      smoothing: 'add1',
    },
    compute: bleu4,
  }),
];
