import { z } from 'zod';
import { agentSchema } from './assertion-agent.js';
import { assertionSchema } from './assertion-schema.js';
import { json, text } from './assertion-text.js';
import { caseCuration, lintBlock, reviewedAt } from './curation-schema.js';
import { graderFilesSchema } from './grader-files.js';
import { scenarioHeadSchema, scenarioSchema } from './scenario-schema.js';
import { limitsSchema } from './trial-limits.js';

/** Most trials that a suite or a case may ask for. */
export const MOST_TRIALS = 1000;

const share = z.number().min(0).max(1);
const level = z.enum(['low', 'medium', 'high', 'max']);
const trials = z.int().min(1).max(MOST_TRIALS);
const variables = z
  .record(z.string(), json)
  .describe('Variables for {{name}} in prompts and assertions. Without them double braces are literal.');

const criterion = z.strictObject({
  metric: text.describe('pass_rate, pass^k, pass@k, mean, or the metric of an assertion.'),
  threshold: share.describe('What the lower confidence bound must reach.'),
  confidence: z.number().gt(0.5).lt(1).default(0.95),
});

const suiteShape = {
  name: text.optional().describe('A title; results are filed under the name of the file.'),
  description: text.optional(),
  domain: text.optional(),
  type: z.enum(['regression', 'capability']).optional(),
  pass_threshold: share
    .default(0.75)
    .describe('Score a case must reach when it has no threshold of its own, and the suite with gate mean.'),
  agent_level: level.default('medium'),
  judge_level: level.default('high'),
  agent_model: text.optional().describe('Model of the agent, such as claude-cli:sonnet.'),
  judge_model: text.optional().describe('Model of the judge.'),
  simulator_level: level.default('medium').describe('Level of the model that plays the users of scenarios.'),
  simulator_model: text.optional().describe('Model that plays the users of scenarios.'),
  trials: trials.default(3).describe('Attempts at every case.'),
  system_prompt: text.optional().describe('Replaces the default system text.'),
  saturation_threshold: share.default(0.95),
  gate: z
    .enum(['mean', 'pass^k', 'all'])
    .optional()
    .describe(
      'How cases become the verdict: mean score, mean pass^k against pass_threshold, or all pass. mean when absent; all for a regression suite with a scenario.',
    ),
  criteria: z.array(criterion).default([]),
  owner: text.optional(),
  vars: variables.optional(),
  tags: z.array(text).optional().describe('Tags of every case.'),
  limits: limitsSchema.optional(),
  created_at: text.optional(),
  updated_at: text.optional(),
  lint: lintBlock.optional(),
  reviewed_at: reviewedAt.optional(),
};

const caseShape = {
  prompt: text.optional().describe('What the user says; the first turn when there are turns as well.'),
  threshold: share.optional().describe('Weighted score the case must reach.'),
  negative: z.boolean().default(false).describe('The case shows what the agent should not do.'),
  tags: z.array(text).optional(),
  trials: trials.optional(),
  cluster: text.optional().describe('Label of a family of correlated cases.'),
  owner: text.optional(),
  expected: z.literal('failing').optional().describe('The case is known to fail.'),
  allow_empty: z.boolean().default(false).describe('An empty answer may pass.'),
  setup: z
    .strictObject({ workspace_files: z.record(z.string(), text).default({}) })
    .optional()
    .describe('Files to write before the agent starts.'),
  tools: z.array(text).optional().describe('Tools the case asks for in live mode.'),
  limits: limitsSchema.optional(),
  ...caseCuration,
};

/** A member that is checked on its own, so that a fault in it hides no other. */
const apart = json.optional();

/** The keys of a suite apart from its cases and agent. */
export const suiteHeadSchema = z.strictObject({ ...suiteShape, agent: apart, cases: apart });

/** The keys of a suite with their defaults. */
export type SuiteHead = z.output<typeof suiteHeadSchema>;

const headTurn = z.strictObject({ prompt: text, assert: z.array(json).optional() });

const caseHead = {
  ...caseShape,
  vars: variables.optional(),
  agent: apart,
  grader_files: apart,
  turns: z.array(headTurn).optional(),
  scenario: scenarioHeadSchema.optional(),
  assert: z.array(json).optional(),
};

/** The keys of a case apart from its agent and the inside of its assertions. */
export const caseHeadSchema = z.strictObject({ id: text, ...caseHead });

/** The same for the template of cases made from rows: the id may be left out. */
export const templateHeadSchema = z.strictObject({ id: text.optional(), ...caseHead });

/** The keys of a case with their defaults. */
export type CaseHead = z.output<typeof templateHeadSchema>;

/** `cases` made from the rows of a data file. */
export const fromSchema = z.strictObject({
  from: text.describe('A .csv, .jsonl or .json file of rows, relative to the suite file.'),
  template: json,
});

const assertions = z.array(assertionSchema).min(1);

const caseBody = {
  ...caseShape,
  vars: variables.optional(),
  agent: agentSchema.optional(),
  grader_files: graderFilesSchema.optional(),
  turns: z
    .array(z.strictObject({ prompt: text, assert: assertions.optional() }))
    .min(1)
    .optional()
    .describe('Several user turns, each with assertions of its own answer.'),
  scenario: scenarioSchema
    .optional()
    .describe('A conversation with a simulated or scripted user, instead of prompt and turns.'),
  assert: assertions.optional(),
};

/**
 * An assertion suite as a human writes it: the single source of its types and JSON Schema. Loading checks it member by
 * member, so that all faults are reported at once.
 */
export const assertionSuiteSchema = z.strictObject({
  ...suiteShape,
  agent: agentSchema.optional().describe('What is under test; prompt when absent.'),
  cases: z.union([
    z.array(z.strictObject({ id: text.describe('Unique in the suite.'), ...caseBody })).min(1),
    z.strictObject({
      from: fromSchema.shape.from,
      template: z
        .strictObject({ id: text.optional().describe('row-1, row-2, … when absent.'), ...caseBody })
        .describe('A case with {{column}} where a row differs from the next.'),
    }),
  ]),
});

/** An assertion suite as it may be written; what `defineSuite` takes. */
export type SuiteDefinition = z.input<typeof assertionSuiteSchema>;
