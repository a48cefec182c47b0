import { z } from 'zod';

/** Schema of a history file: one run of one suite, without a word of what was said in it. */
export const HISTORY_SCHEMA = 'assay/history/v1';

const NAME = /^[a-z_-]{1,40}:\d{1,9}$/;
const count = z.int().min(0);
const amount = z.number().min(0).nullable();
const share = z.number().min(0).max(1);
const names = z.array(z.string());
const interval = z.strictObject({ lo: share, hi: share }).nullable();

const checks = z.record(
  z.string().regex(NAME),
  z.strictObject({ passed: z.boolean(), diagnostic: z.boolean() }),
);

const repeat = z.strictObject({
  k: z.int().min(1),
  passes: count,
  completed: count,
  truncated: z.boolean(),
  error: z.boolean(),
  token_mean: amount,
  token_stddev: amount,
  duration_mean_ms: amount,
  duration_stddev_ms: amount,
  check_flips: z.record(z.string().regex(NAME), count),
  attempts: z.array(
    z.strictObject({
      attempt: z.int().min(1),
      outcome: z.enum(['passed', 'failed', 'error']),
      input_tokens: amount,
      output_tokens: amount,
      duration_ms: amount,
      llm_calls: amount,
      checks,
      error: z.boolean(),
    }),
  ),
});

const historyCase = z.strictObject({
  case_id: z.string().min(1),
  case_hash: z.string(),
  provider_ref: z.string().nullable(),
  tool_surface: z.strictObject({ requested: names, effective: names, registered: names }).nullable(),
  judge_ref: z.string().nullable(),
  verdict: z.enum(['pass', 'fail']).nullable(),
  error: z.boolean(),
  score: share.nullable(),
  checks,
  input_tokens: count,
  output_tokens: count,
  duration_ms: amount,
  llm_calls: count.nullable(),
  repeat: repeat.nullable(),
  baseline_comparison: z
    .enum([
      'current_error',
      'new',
      'unverifiable',
      'regression',
      'flaky_unconfirmed',
      'improvement',
      'unchanged',
      'removed',
    ])
    .nullable(),
  regression_categories: names,
});

/** A history file: the single source of its types and validation. */
export const historySchema = z.strictObject({
  schema: z.literal(HISTORY_SCHEMA),
  run_id: z.string(),
  recorded_at: z.iso.datetime(),
  git_sha: z.string().nullable(),
  git_dirty: z.boolean().nullable(),
  assay_version: z.string(),
  suite: z.string(),
  suite_dir: z.string().describe('Relative to the working directory, or only its last name.'),
  suite_kind: z.enum(['regression', 'capability']),
  mode: z.enum(['replay', 'live', 'record', 'outputs']),
  provider_ref: z.string(),
  outcome: z.enum(['passed', 'failed', 'error', 'inconclusive']),
  passed: count,
  failed: count.describe('Cases that were run and did not pass, those without a score among them.'),
  errored: count,
  not_run: count,
  total: count,
  pass_rate_interval: interval.describe('Wilson, 95 %, of the passed among the scored cases.'),
  repeat_ci: z
    .strictObject({
      pass_rate: share.nullable(),
      lower: share.nullable(),
      upper: share.nullable(),
      repeated_cases: count,
      total_cases: count,
      independent_units: count,
      sem: amount,
      small_sample: interval,
    })
    .nullable(),
  cases: z.array(historyCase),
});

/** One run as history keeps it. */
export type HistoryRecord = z.output<typeof historySchema>;

/** One case of it. */
export type HistoryCase = z.output<typeof historyCase>;
