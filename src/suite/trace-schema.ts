import { z } from 'zod';
import type { JsonValue } from '../core/index.js';
import { agentSchema } from './assertion-agent.js';
import { acceptedMutants, lintBlock, reviewedAt } from './curation-schema.js';
import { graderFilesSchema } from './grader-files.js';
import { faultsSchema, lanesSchema, recordedSchema } from './trace-script.js';
import { responseSchema } from './trace-step.js';
import { limitsSchema } from './trial-limits.js';

// Keys stand in alphabetical order: a parsed fixture is then canonical as it is, and its hash costs little.

const U32_MAX = 4_294_967_295;

const count = z.int().min(0);
const count32 = z.int().min(0).max(U32_MAX);
const entry = z.string().min(1);
const entries = z.array(entry).default([]);

/** Any JSON value, taken as it is. */
const json = z.unknown().transform((value) => value as JsonValue);

const notBlank = z.string().refine((text) => text.trim() !== '', {
  error: 'must not be blank',
  params: { fix: 'write some text' },
});

const payload = z.strictObject({
  call_index: count
    .nullable()
    .default(null)
    .describe('0-based among the calls to that tool, in dispatch order; null means any of them.'),
  needle: entry.describe('Text that must occur. Arguments are compact JSON: no space after a colon.'),
  tool: notBlank.describe('Name of the tool whose calls are looked at.'),
});

const workspace = z.strictObject({
  file_absent: z.array(z.string()).default([]).describe('Paths at which nothing may exist.'),
  file_contains: z
    .record(z.string(), z.array(entry).min(1))
    .default({})
    .describe('Text that must occur in a file, by path.'),
  file_exists: z.array(z.string()).default([]).describe('Regular files that must exist.'),
});

const budget = z.strictObject({
  max_duration_ms: count.nullable().default(null),
  max_input_tokens: count.nullable().default(null),
  max_llm_calls: count32.nullable().default(null),
  max_output_tokens: count.nullable().default(null),
  max_total_tokens: count.nullable().default(null),
});

const rubric = z.strictObject({
  include_transcript: z.boolean().default(false),
  name: notBlank,
  rubric: notBlank,
  threshold: z.number().min(0).max(1).default(0.7),
});

const textExpectations = {
  response_contains: entries.describe('Text that must occur in the response.'),
  response_matches: entries.describe('Regular expressions (linear-time syntax) that must match somewhere.'),
  response_not_contains: entries.describe('Text that must not occur in the response.'),
};

const turnExpects = z
  .strictObject(textExpectations)
  .describe('Assay extension: checks of the text this turn ended with.');

const expects = z.strictObject({
  all_tools_succeeded: z.boolean().nullable().default(null),
  assert: z
    .array(json)
    .optional()
    .describe('Assay extension: assertions of the YAML suites, checked beside the rest.'),
  budget: budget.nullable().default(null),
  exact_tool_calls: count.nullable().default(null),
  judge: z.array(rubric).default([]).describe('Rubrics for a judge model; diagnostic until calibrated.'),
  max_tool_calls: count.nullable().default(null),
  min_tool_calls: count.nullable().default(null),
  response_contains: textExpectations.response_contains,
  response_json: z.record(z.string(), json).default({}).describe('JSON pointer to the value it must have.'),
  response_matches: textExpectations.response_matches,
  response_not_contains: textExpectations.response_not_contains,
  tool_arguments_contain: z.array(payload).default([]),
  tool_results_contain: z.array(payload).default([]),
  tools_not_used: entries.describe('Tools that must not be called.'),
  tools_used: entries.describe('Tools that must be called at least once, successfully or not.'),
  workspace: workspace.nullable().default(null),
});

const turn = z.strictObject({
  expects: turnExpects.optional(),
  steps: z
    .array(z.strictObject({ response: responseSchema }))
    .nullable()
    .default(null)
    .describe('Scripted model replies, in order. Required in replay, forbidden in live mode.'),
  user_input: z.string().describe('What the user says.'),
});

const setup = z.strictObject({
  workspace_files: z.record(z.string(), z.string()).default({}).describe('Files to write before a live run.'),
});

/** A trace fixture as a human writes it: the single source of its types, validation and JSON Schema. */
export const traceFixtureSchema = z.strictObject({
  accepted_mutants: acceptedMutants.optional(),
  agent: agentSchema
    .optional()
    .describe('Assay extension: what is under test; the loop with echo when absent.'),
  cluster: z.string().nullable().default(null).describe('Label of a family of correlated cases.'),
  expects: expects.prefault({}),
  faults: faultsSchema.optional(),
  grader_files: graderFilesSchema.optional(),
  id: z.string().nullable().default(null).describe('Stable identity, used everywhere instead of model_name.'),
  lanes: lanesSchema.optional(),
  limits: limitsSchema.optional(),
  lint: lintBlock.optional(),
  model_name: z.string().describe('Name of the trace; the identity of the case when there is no id.'),
  owner: notBlank.optional().describe('Assay extension: who looks after the case.'),
  recorded: recordedSchema.optional(),
  repeat: count32.default(1).describe('Live runs of this case, 1 to 50; replay always runs once.'),
  reviewed_at: reviewedAt.optional(),
  setup: setup.nullable().default(null),
  tags: z.array(entry).min(1).optional().describe('Assay extension: labels for --tag.'),
  tools: z.array(z.string()).nullable().default(null).describe('Tools the case asks for in live mode.'),
  turns: z.array(turn).min(1),
});

/** Keys of a fixture that are for its upkeep: they are no part of its hash. */
export const UPKEEP_KEYS = ['owner', 'reviewed_at', 'accepted_mutants', 'lint'] as const;

/** A trace fixture with its defaults filled in. */
export type TraceFixture = z.output<typeof traceFixtureSchema>;

/** The checks of a fixture, defaults filled in. */
export type TraceExpects = TraceFixture['expects'];
