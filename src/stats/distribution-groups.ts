import { betaCdf, betaQuantile, type BetaCdfInput, type BetaQuantileInput } from './beta.js';
import { real } from './field.js';
import { defineGroup, type StatsGroup } from './group.js';
import { normalCdf, normalQuantile } from './normal.js';
import { studentTCdf, studentTQuantile } from './student-t.js';

const shapes = { a: real('first shape, above 0'), b: real('second shape, above 0') };
const df = real('degrees of freedom, above 0');

/** The distributions everything else is built on. */
export const distributionGroups: readonly StatsGroup[] = [
  defineGroup<{ x: number }, { p: number }>({
    name: 'normalCdf',
    summary: 'Distribution function of the standard normal.',
    formula: 'Phi(x) = erfc(-x/sqrt 2)/2',
    fields: { x: real('point') },
    outputs: { p: 'probability' },
    example: { x: 1 },
    compute: normalCdf,
  }),
  defineGroup<{ p: number }, { x: number }>({
    name: 'normalQuantile',
    summary: 'Quantile of the standard normal.',
    formula: 'inverse of Phi',
    fields: { p: real('probability, inside 0..1') },
    outputs: { x: 'quantile' },
    example: { p: 0.975 },
    compute: normalQuantile,
  }),
  defineGroup<BetaCdfInput, { p: number }>({
    name: 'betaCdf',
    summary: 'Distribution function of Beta(a, b).',
    formula: 'I_x(a, b)',
    fields: { x: real('point, 0..1'), ...shapes },
    outputs: { p: 'probability' },
    example: { x: 0.5, a: 2, b: 3 },
    compute: betaCdf,
  }),
  defineGroup<BetaQuantileInput, { x: number }>({
    name: 'betaQuantile',
    summary: 'Quantile of Beta(a, b).',
    formula: 'inverse of I_x(a, b) in x',
    fields: { q: real('probability, 0..1'), ...shapes },
    outputs: { x: 'quantile' },
    example: { q: 0.025, a: 9.5, b: 1.5 },
    compute: betaQuantile,
  }),
  defineGroup<{ t: number; df: number }, { p: number }>({
    name: 'studentTCdf',
    summary: "Distribution function of Student's t.",
    formula: 'P(T <= t)',
    fields: { t: real('point'), df },
    outputs: { p: 'probability' },
    example: { t: 2, df: 4 },
    compute: studentTCdf,
  }),
  defineGroup<{ p: number; df: number }, { t: number }>({
    name: 'studentTQuantile',
    summary: "Quantile of Student's t.",
    formula: 'inverse of P(T <= t)',
    fields: { p: real('probability, inside 0..1'), df },
    outputs: { t: 'quantile' },
    example: { p: 0.975, df: 4 },
    compute: studentTQuantile,
  }),
];
