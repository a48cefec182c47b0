import { z } from 'zod';
import type { BudgetMetric } from '../core/index.js';
import { assertionKind, compared, named } from './assertion-kind.js';
import type { CheckMaker } from './check-maker.js';

const count = z.int().min(0);

/** A bound may stand in `value` or in `threshold`, as suites in the field write it. */
interface Bounded {
  value?: number | undefined;
  threshold?: number | undefined;
}

function boundOf({ value, threshold }: Bounded, maker: CheckMaker): number | null {
  if (value === undefined && threshold === undefined) {
    return maker.refuse('value', 'missing; a number is required here', 'write the bound as value');
  }
  if (value !== undefined && threshold !== undefined && value !== threshold) {
    return maker.refuse(
      'threshold',
      `two bounds that differ: value is ${value}, threshold is ${threshold}`,
      'keep one of them',
    );
  }
  return value ?? threshold ?? null;
}

const lengthBound = {
  ...compared,
  value: count.optional().describe('The bound, in UTF-16 units.'),
  threshold: count.optional().describe('The same bound under the name older suites use.'),
};

/** `max-length`: at most so many UTF-16 units. */
export const maxLengthKind = assertionKind(
  'max-length',
  z.strictObject({ ...named('max-length'), ...lengthBound }),
  (assertion, maker) => {
    const limit = boundOf(assertion, maker);
    if (limit === null || maker.refuseEmptyOnly('value', limit === 0 && !maker.negated)) return null;
    return Object.assign(maker.textBase(`${limit}`), { type: 'max-length' as const, limit });
  },
);

/** `min-length`: at least so many UTF-16 units. */
export const minLengthKind = assertionKind(
  'min-length',
  z.strictObject({ ...named('min-length'), ...lengthBound }),
  (assertion, maker) => {
    const limit = boundOf(assertion, maker);
    if (limit === null) return null;
    if (limit === 0) {
      return maker.refuse(
        'value',
        'a length of at least 0 is always true and tests nothing',
        'write 1 or more',
      );
    }
    if (maker.refuseEmptyOnly('value', limit === 1 && maker.negated)) return null;
    return Object.assign(maker.textBase(`${limit}`), { type: 'min-length' as const, limit });
  },
);

/** Exact, lowest and highest count; `value` is another word for `exact`. */
interface Counted {
  value?: number | undefined;
  exact?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

/** The keys of an assertion that bounds a count. */
export const countBounds = {
  value: count.optional().describe('The exact count; the same as exact.'),
  exact: count.optional(),
  min: count.optional(),
  max: count.optional(),
};

/** Admitted bounds of a count; at least one is there. */
export interface CountBounds {
  exact?: number;
  min?: number;
  max?: number;
}

/** The bounds of a count; null after refusing bounds that are missing, always true or impossible. */
export function countBoundsOf(counted: Counted, maker: CheckMaker): CountBounds | null {
  const { value, min, max } = counted;
  if (value !== undefined && counted.exact !== undefined) {
    return maker.refuse('value', 'value and exact say the same thing', 'keep one of them');
  }
  const exact = value ?? counted.exact;
  if (exact !== undefined) {
    if (min === undefined && max === undefined) return { exact };
    return maker.refuse(
      min === undefined ? 'max' : 'min',
      `an exact count of ${exact} needs no bound beside it`,
      'keep the exact count or the bounds',
    );
  }
  if (min === undefined && max === undefined) {
    return maker.refuse([], 'no bound is given', 'add exact, min or max');
  }
  if (min === 0)
    return maker.refuse(
      'min',
      'a count of at least 0 is always true and tests nothing',
      'write 1 or more, or remove it',
    );
  if (min !== undefined && max !== undefined && min > max) {
    return maker.refuse('min', `min ${min} exceeds max ${max}: no answer can pass`, `write at most ${max}`);
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** `exact 2`, `min 1, max 3`. */
export function labelBounds(bounds: CountBounds): string {
  return Object.entries(bounds)
    .map(([name, bound]) => `${name} ${bound}`)
    .join(', ');
}

/** `word-count`: a number of words within bounds. */
export const wordCountKind = assertionKind(
  'word-count',
  z.strictObject({ ...named('word-count'), ...compared, ...countBounds }),
  (assertion, maker) => {
    const bounds = countBoundsOf(assertion, maker);
    if (bounds === null) return null;
    const none = bounds.exact === 0 || bounds.max === 0 ? !maker.negated : bounds.min === 1 && maker.negated;
    if (maker.refuseEmptyOnly(bounds.min === 1 ? 'min' : bounds.max === 0 ? 'max' : 'value', none))
      return null;
    return Object.assign(maker.textBase(labelBounds(bounds)), {
      type: 'word-count' as const,
      ...bounds,
    });
  },
);

/** `latency`: at most so many milliseconds. */
export const latencyKind = assertionKind(
  'latency',
  z.strictObject({
    ...named('latency'),
    value: z.number().positive().optional().describe('Most milliseconds the trial may take.'),
    threshold: z.number().positive().optional().describe('The same bound under another name.'),
  }),
  (assertion, maker) => {
    const limit = boundOf(assertion, maker);
    if (limit === null) return null;
    return { ...maker.base('budget', `${limit}`), type: 'budget', metric: 'duration_ms', limit };
  },
);

/** `cost`: at most so many US dollars. */
export const costKind = assertionKind(
  'cost',
  z.strictObject({
    ...named('cost'),
    value: z.number().min(0).optional().describe('Most US dollars the trial may cost.'),
    threshold: z.number().min(0).optional().describe('The same bound under another name.'),
  }),
  (assertion, maker) => {
    const limit = boundOf(assertion, maker);
    if (limit === null) return null;
    return { ...maker.base('budget', `${limit}`), type: 'budget', metric: 'cost', limit };
  },
);

const TOKEN_METRICS: { readonly [Kind in 'input' | 'output' | 'total']: BudgetMetric } = {
  input: 'input_tokens',
  output: 'output_tokens',
  total: 'total_tokens',
};

/** `tokens`: at most so many tokens. */
export const tokensKind = assertionKind(
  'tokens',
  z.strictObject({
    ...named('tokens'),
    value: z.int().min(1).optional().describe('Most tokens the trial may use.'),
    threshold: z.int().min(1).optional().describe('The same bound under another name.'),
    kind: z.enum(['input', 'output', 'total']).default('total').describe('Which tokens are counted.'),
  }),
  (assertion, maker) => {
    const limit = boundOf(assertion, maker);
    if (limit === null) return null;
    const { kind } = assertion;
    return {
      ...maker.base('budget', kind === 'total' ? `${limit}` : `${kind}, ${limit}`),
      type: 'budget',
      metric: TOKEN_METRICS[kind],
      limit,
    };
  },
);
