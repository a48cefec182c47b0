import { optional, type CheckParameter, type ReferenceRow } from './reference-entry.js';

function limit(what: string): CheckParameter[] {
  return [
    optional('value', 'number', `the upper limit in ${what}; this or threshold is required`),
    optional('threshold', 'number', 'the same bound under another name'),
  ];
}

const INCLUSIVE = 'The limit itself passes.';

/** Upper limits of what a trial used; all compile to `budget`. */
export const budgetRows: ReferenceRow[] = [
  {
    name: 'latency',
    passes: 'the trial took at most this many milliseconds',
    notes: [INCLUSIVE],
    parameters: limit('milliseconds'),
    example: { type: 'latency', value: 30_000 },
  },
  {
    name: 'cost',
    passes: 'the trial cost at most this many US dollars',
    notes: [INCLUSIVE, 'An unknown cost is an error, never 0.'],
    parameters: limit('US dollars'),
    example: { type: 'cost', value: 0.05 },
  },
  {
    name: 'tokens',
    passes: 'the trial used at most this many tokens',
    notes: [INCLUSIVE],
    parameters: [
      ...limit('tokens'),
      optional('kind', 'input, output or total', 'which tokens are counted; default total'),
    ],
    example: { type: 'tokens', value: 4000 },
  },
];
