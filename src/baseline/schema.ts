import { z } from 'zod';

/** Schema of baselines that Assay writes. */
export const BASELINE_SCHEMA = 'assay/baseline/v1';

/** Schema of the baselines of the harness whose fixtures Assay runs; read, never written. */
export const REFERENCE_BASELINE_SCHEMA = 'zeroclaw-eval/baseline/v1';

const CATEGORIES = [
  'response',
  'tool',
  'side_effect',
  'budget',
  'judge',
  'program',
  'config',
  'tampered',
] as const;

const names = z.array(z.string());
const tokens = z.number().min(0).nullable();
const score = z.number().min(0).max(1).nullable();

/** What both schemas say of a case. */
const shared = {
  case_id: z.string().min(1).describe('Identity of the case; unique in the file.'),
  case_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .describe("SHA-256 of the case's content."),
  mode: z.enum(['replay', 'live', 'record', 'outputs']),
  provider_ref: z.string().min(1).describe('The model as named.'),
  tool_surface: z.strictObject({ requested: names, effective: names, registered: names }),
  sandbox: z.strictObject({ autonomy: z.string(), workspace_only: z.boolean() }),
  verdict: z.enum(['pass', 'fail']),
};

const checkSchema = z.strictObject({
  check: z.string().min(1),
  passed: z.boolean().describe('Passed in every scored trial.'),
  category: z.enum(CATEGORIES),
  diagnostic: z.boolean(),
});

const entrySchema = z.strictObject({
  ...shared,
  checks: z.array(checkSchema),
  total_tokens: tokens.describe('Mean over the scored trials.'),
  score,
  judge_ref: z.string().min(1).nullable(),
  repeat: z.strictObject({
    k: z.int().min(1).describe('Trials.'),
    passes: z.int().min(0).describe('Trials that passed.'),
  }),
});

/** A baseline file: the single source of its types and validation. */
export const baselineSchema = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  suite: z.string(),
  entries: z.array(entrySchema),
});

/** A baseline of the reference harness. */
export const referenceBaselineSchema = z.strictObject({
  schema: z.literal(REFERENCE_BASELINE_SCHEMA),
  entries: z.array(
    z.strictObject({
      ...shared,
      checks: z.record(z.string(), z.boolean()),
      total_tokens: tokens.optional(),
      score: score.optional(),
      judge_ref: z.string().nullable().optional(),
    }),
  ),
});

/** One case of a baseline. */
export type BaselineEntry = z.output<typeof entrySchema>;

/** One check of a case of a baseline. */
export type BaselineCheck = z.output<typeof checkSchema>;

/** A baseline as it is read: its file, and its entries by case id, in the order of the file. */
export interface Baseline {
  /** The file, as the user would name it. */
  file: string;
  /** Name of the suite; null when the file does not say. */
  suite: string | null;
  entries: ReadonlyMap<string, BaselineEntry>;
}
