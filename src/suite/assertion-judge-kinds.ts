import { z } from 'zod';
import { assertionKind, graded, named } from './assertion-kind.js';
import { labelText, labelTexts } from './check-maker.js';
import { text } from './assertion-text.js';

const judged = {
  ...graded,
  include_transcript: z.boolean().default(false).describe('Shows the judge the tool calls as well.'),
  model: text.optional().describe('Model of the judge; the configured one when absent.'),
};

const reference = text.optional().describe('A known good answer, shown to the judge.');

function judgeOptions(assertion: {
  include_transcript: boolean;
  reference?: string | undefined;
  model?: string | undefined;
}): { includeTranscript: boolean; reference?: string; model?: string } {
  return {
    includeTranscript: assertion.include_transcript,
    ...(assertion.reference === undefined ? {} : { reference: assertion.reference }),
    ...(assertion.model === undefined ? {} : { model: assertion.model }),
  };
}

/** Lowest passing score of a rubric, on the 0..1 scale, when the suite does not say: 4 of 5. */
const RUBRIC_THRESHOLD = 0.6;

/** `llm-rubric`: a judge scores the answer from 1 to 5. */
export const rubricKind = assertionKind(
  'llm-rubric',
  z.strictObject({
    ...named('llm-rubric'),
    ...judged,
    reference,
    value: text.describe('What a good answer is, for a judge that scores 1 to 5.'),
    threshold: z
      .number()
      .gt(0)
      .max(1)
      .default(RUBRIC_THRESHOLD)
      .describe('Lowest passing score, above 0 and up to 1.'),
  }),
  (assertion, maker) => {
    const { value, threshold, model } = assertion;
    if (maker.refuseBlank('value', value) || maker.refuseBlank('model', model)) return null;
    if (maker.refuseBlank('reference', assertion.reference)) return null;
    return {
      ...maker.base('judge', labelText(value)),
      type: 'llm-rubric',
      rubric: value,
      threshold,
      ...judgeOptions(assertion),
    };
  },
);

/** `llm-assert`: a judge finds every statement true. */
export const assertKind = assertionKind(
  'llm-assert',
  z.strictObject({
    ...named('llm-assert'),
    ...judged,
    reference,
    value: z
      .union([text, z.array(text)])
      .describe('A statement about the answer, or a list of them; all must hold.'),
  }),
  (assertion, maker) => {
    const { value, model } = assertion;
    const statements = Array.isArray(value) ? value : [value];
    if (statements.length === 0) {
      return maker.refuse('value', 'the list is empty, so it tests nothing', 'add a statement');
    }
    const blank = statements.findIndex((statement) => statement.trim() === '');
    if (maker.refuseBlank(Array.isArray(value) ? ['value', blank] : 'value', statements[blank])) return null;
    if (maker.refuseBlank('reference', assertion.reference) || maker.refuseBlank('model', model)) return null;
    return {
      ...maker.base('judge', labelTexts(statements)),
      type: 'llm-assert',
      statements,
      ...judgeOptions(assertion),
    };
  },
);

/** `pairwise`: the answer does not lose against a reference answer. */
export const pairwiseKind = assertionKind(
  'pairwise',
  z.strictObject({
    ...named('pairwise'),
    ...judged,
    value: text.describe('What makes one answer better than the other.'),
    reference: text.describe('The answer to compare with; the graded answer must not lose.'),
  }),
  (assertion, maker) => {
    const { value, model } = assertion;
    if (maker.refuseBlank('value', value) || maker.refuseBlank('reference', assertion.reference)) return null;
    if (maker.refuseBlank('model', model)) return null;
    return {
      ...maker.base('judge', labelText(value)),
      type: 'pairwise',
      criteria: value,
      ...judgeOptions(assertion),
      reference: assertion.reference,
    };
  },
);
