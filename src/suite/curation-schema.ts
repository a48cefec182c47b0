import { z } from 'zod';
import { json, text } from './assertion-text.js';

/** Every rule of `assay lint`, by the id under which it is reported and silenced. */
export const LINT_RULES = [
  'balance',
  'path-only',
  'duplicate-prompt',
  'weak-pattern',
  'likert-judge',
  'lenient-threshold',
  'name-without-check',
  'no-placeholder',
  'no-owner',
  'stale',
  'live-simulator',
  'one-turn-scenario',
] as const;

/** Id of a lint rule. */
export type LintRule = (typeof LINT_RULES)[number];

const notBlank = text.refine((value) => value.trim() !== '', {
  error: 'must not be blank',
  params: { fix: 'write some text' },
});

const reason = notBlank.describe('Why; whoever reads it next must be able to agree.');

const ignored = z.strictObject({ id: z.enum(LINT_RULES).describe('The finding.'), reason });

const day = text
  .refine((value) => isDay(value), {
    error: 'must be a day, such as 2026-01-31',
    params: { fix: 'write year-month-day' },
  })
  .describe('A day, such as 2026-01-31.');

function isDay(value: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value.trim());
  if (match === null) return false;
  const time = Date.parse(`${match[1] ?? ''}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(match[1] ?? ' ');
}

/** `lint` of a case or of a suite. */
export const lintBlock = z
  .strictObject({
    ignore: z.array(ignored).min(1).describe('Findings that are silenced here, each with its reason.'),
  })
  .describe('What assay lint must not report here.');

/** `accepted_mutants` of a case. */
export const acceptedMutants = z
  .array(
    z.strictObject({
      id: notBlank.describe('Id of the mutant as printed; a * at its end stands for any ending.'),
      reason,
    }),
  )
  .min(1)
  .describe('Mutants that may survive assay suite prove, each with its reason.');

/** `reviewed_at` of a case or of a suite. */
export const reviewedAt = day.describe('Day on which a person last looked at it.');

const answerParts = {
  output: z
    .union([text, z.array(text).min(1)])
    .optional()
    .describe('The answer; for several turns a list with the answer of each.'),
  tool_calls: z
    .array(
      z.strictObject({
        name: notBlank,
        arguments: json.optional().describe('Any JSON; {} when absent.'),
        result: text.default(''),
        ok: z.boolean().default(true),
      }),
    )
    .min(1)
    .optional()
    .describe('Tool calls that belong to the answer.'),
  files: z.record(z.string(), text).optional().describe('Files in the workspace at the end.'),
  recording: notBlank
    .optional()
    .describe('A stored recording instead: a JSON file, relative to the suite file.'),
  reason: notBlank.optional(),
};

/** An answer as it is written in a case. */
export const writtenAnswer = z.strictObject(answerParts);

/** An answer as the schema gives it. */
export type WrittenAnswerInput = z.output<typeof writtenAnswer>;

/** The keys of upkeep that a case of an assertion suite may have. */
export const caseCuration = {
  reference: writtenAnswer
    .optional()
    .describe('An answer that must pass every check that needs no model; assay suite verify shows it.'),
  known_bad: z
    .array(z.union([text, writtenAnswer]))
    .min(1)
    .optional()
    .describe('Answers that must fail the case.'),
  accepted_mutants: acceptedMutants.optional(),
  lint: lintBlock.optional(),
  reviewed_at: reviewedAt.optional(),
};
