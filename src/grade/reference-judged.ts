import {
  optional,
  required,
  turnParameter,
  type CheckParameter,
  type ReferenceRow,
} from './reference-entry.js';

const JUDGED: CheckParameter[] = [
  optional('include_transcript', 'true or false', 'shows the judge the whole conversation; default false'),
  optional('model', 'model', 'the judge of this check; default the judge of the run'),
  turnParameter,
];

const NOTES = ['An answer the judge cannot decide is unknown: no pass, also under not-.'];

/** Checks that ask a model. */
export const judgedRows: ReferenceRow[] = [
  {
    name: 'llm-rubric',
    passes: 'the judge passes the answer against the rubric, with at least the threshold as its score',
    notes: NOTES,
    parameters: [
      required('value', 'text', 'the rubric'),
      optional('threshold', 'number above 0, up to 1', 'the lowest passing score; default 0.6'),
      optional('reference', 'text', 'a good answer, shown to the judge'),
      ...JUDGED,
    ],
    example: { type: 'llm-rubric', value: 'Is the answer polite and to the point?' },
  },
  {
    name: 'llm-assert',
    passes: 'the judge finds every statement true of the answer',
    notes: [
      ...NOTES,
      'The criteria of a scenario and of its checkpoints are this check, required, about the conversation.',
    ],
    parameters: [
      required('value', 'list of texts', 'the statements; one text is a list of one'),
      optional('reference', 'text', 'a good answer, shown to the judge'),
      ...JUDGED,
    ],
    example: { type: 'llm-assert', value: ['The first sentence answers the question'] },
  },
  {
    name: 'pairwise',
    passes: 'the answer does not lose against the reference, asked in both orders',
    notes: NOTES,
    parameters: [
      required('value', 'text', 'by what the two are compared'),
      required('reference', 'text', 'the answer to compare with'),
      ...JUDGED,
    ],
    example: { type: 'pairwise', value: 'Which is clearer?', reference: 'Use git switch -c.' },
  },
];
