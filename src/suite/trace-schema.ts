import { z } from 'zod';
import type { JsonValue } from '../core/index.js';
import { agentSchema } from './assertion-agent.js';
import { acceptedMutants, lintBlock, reviewedAt } from './curation-schema.js';
import { graderFilesSchema } from './grader-files.js';
import { limitsSchema } from './trial-limits.js';

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
  tool: notBlank.describe('Name of the tool whose calls are looked at.'),
  needle: entry.describe('Text that must occur. Arguments are compact JSON: no space after a colon.'),
  call_index: count
    .nullable()
    .default(null)
    .describe('0-based among the calls to that tool, in dispatch order; null means any of them.'),
});

const workspace = z.strictObject({
  file_exists: z.array(z.string()).default([]).describe('Regular files that must exist.'),
  file_absent: z.array(z.string()).default([]).describe('Paths at which nothing may exist.'),
  file_contains: z
    .record(z.string(), z.array(entry).min(1))
    .default({})
    .describe('Text that must occur in a file, by path.'),
});

const budget = z.strictObject({
  max_input_tokens: count.nullable().default(null),
  max_output_tokens: count.nullable().default(null),
  max_total_tokens: count.nullable().default(null),
  max_duration_ms: count.nullable().default(null),
  max_llm_calls: count32.nullable().default(null),
});

const rubric = z.strictObject({
  name: notBlank,
  rubric: notBlank,
  threshold: z.number().min(0).max(1).default(0.7),
  include_transcript: z.boolean().default(false),
});

const textExpectations = {
  response_contains: entries.describe('Text that must occur in the response.'),
  response_not_contains: entries.describe('Text that must not occur in the response.'),
  response_matches: entries.describe('Regular expressions (linear-time syntax) that must match somewhere.'),
};

const turnExpects = z
  .strictObject(textExpectations)
  .describe('Assay extension: checks of the text this turn ended with.');

const expects = z.strictObject({
  ...textExpectations,
  tools_used: entries.describe('Tools that must be called at least once, successfully or not.'),
  tools_not_used: entries.describe('Tools that must not be called.'),
  max_tool_calls: count.nullable().default(null),
  min_tool_calls: count.nullable().default(null),
  exact_tool_calls: count.nullable().default(null),
  all_tools_succeeded: z.boolean().nullable().default(null),
  tool_arguments_contain: z.array(payload).default([]),
  tool_results_contain: z.array(payload).default([]),
  workspace: workspace.nullable().default(null),
  budget: budget.nullable().default(null),
  response_json: z.record(z.string(), json).default({}).describe('JSON pointer to the value it must have.'),
  judge: z.array(rubric).default([]).describe('Rubrics for a judge model; diagnostic until calibrated.'),
  assert: z
    .array(json)
    .optional()
    .describe('Assay extension: assertions of the YAML suites, checked beside the rest.'),
});

const scriptedToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: json.refine((value) => value !== undefined, {
    error: 'missing; any JSON value is required here',
    params: { fix: 'add it, {} when the tool takes none' },
  }),
});

const response = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    content: z.string(),
    input_tokens: count.default(0),
    output_tokens: count.default(0),
  }),
  z.strictObject({
    type: z.literal('tool_calls'),
    tool_calls: z.array(scriptedToolCall),
    input_tokens: count.default(0),
    output_tokens: count.default(0),
  }),
]);

const turn = z.strictObject({
  user_input: z.string().describe('What the user says.'),
  steps: z
    .array(z.strictObject({ response }))
    .nullable()
    .default(null)
    .describe('Scripted model replies, in order. Required in replay, forbidden in live mode.'),
  expects: turnExpects.optional(),
});

const setup = z.strictObject({
  workspace_files: z.record(z.string(), z.string()).default({}).describe('Files to write before a live run.'),
});

/** A trace fixture as a human writes it: the single source of its types, validation and JSON Schema. */
export const traceFixtureSchema = z.strictObject({
  model_name: z.string().describe('Name of the trace; the identity of the case when there is no id.'),
  id: z.string().nullable().default(null).describe('Stable identity, used everywhere instead of model_name.'),
  turns: z.array(turn).min(1),
  expects: expects.prefault({}),
  setup: setup.nullable().default(null),
  tools: z.array(z.string()).nullable().default(null).describe('Tools the case asks for in live mode.'),
  repeat: count32.default(1).describe('Live runs of this case, 1 to 50; replay always runs once.'),
  cluster: z.string().nullable().default(null).describe('Label of a family of correlated cases.'),
  tags: z.array(entry).min(1).optional().describe('Assay extension: labels for --tag.'),
  agent: agentSchema
    .optional()
    .describe('Assay extension: what is under test; the loop with echo when absent.'),
  grader_files: graderFilesSchema.optional(),
  limits: limitsSchema.optional(),
  owner: notBlank.optional().describe('Assay extension: who looks after the case.'),
  reviewed_at: reviewedAt.optional(),
  accepted_mutants: acceptedMutants.optional(),
  lint: lintBlock.optional(),
});

/** Keys of a fixture that are for its upkeep: they are no part of its hash. */
export const UPKEEP_KEYS = ['owner', 'reviewed_at', 'accepted_mutants', 'lint'] as const;

/** A trace fixture with its defaults filled in. */
export type TraceFixture = z.output<typeof traceFixtureSchema>;

/** The checks of a fixture, defaults filled in. */
export type TraceExpects = TraceFixture['expects'];
