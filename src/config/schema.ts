import { z } from 'zod';
import { modelsConfigSchema } from '../model/index.js';
import { limitsSchema } from '../suite/index.js';
import { configChangeSchema } from './config-change.js';

/** The `eval` block: the reference's names and defaults, and Assay's own. */
const evalBlock = z.strictObject({
  suite_dir: z.string().min(1).default('evals/regression').describe('Suite that assay run takes by default.'),
  mode: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(['replay', 'live']))
    .default('replay'),
  live_provider: z
    .string()
    .transform((text) => text.trim())
    .default('')
    .describe('Model of live runs; empty means none.'),
  live_allowed_tools: z
    .array(z.string().min(1))
    .default([])
    .describe('Tools that live cases may be granted.'),
  limits: limitsSchema.optional(),
  case_timeout_secs: z.number().positive().default(120).describe('Time limit of one live turn, seconds.'),
  judge_provider: z
    .string()
    .transform((text) => text.trim())
    .default('')
    .describe('Model of the judge; empty means the judge level decides.'),
  simulator_provider: z
    .string()
    .transform((text) => text.trim())
    .default('')
    .describe('Model that plays the users of scenarios; empty means the simulator level decides.'),
  judge_gate: z.boolean().default(false).describe('Let calibrated rubrics of trace fixtures gate.'),
  history_dir: z.string().default('').describe('Where history is written; empty switches it off.'),
  max_steps: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe('Model requests of the built-in loop in one turn.'),
  concurrency: z.int().min(1).max(1000).optional().describe('Trials under way at once.'),
  user_suites: z.string().min(1).optional().describe("Directory of the user's own suites."),
  project_suites: z.string().min(1).default('evals').describe('Directory of suites that are named.'),
  config_change_suite: z
    .string()
    .min(1)
    .default('core-dispositions')
    .describe('Suite that a change of a sentinel runs.'),
  system_prompt_files: z
    .array(z.string().min(1))
    .optional()
    .describe('Live prompt files joined into the default system text of prompt agents.'),
});

const store = z.strictObject({
  dir: z.string().min(1).default('.assay').describe('Where runs are stored.'),
  fsync: z.enum(['always', 'batch', 'off']).default('batch'),
  execution_log: z
    .string()
    .min(1)
    .optional()
    .describe('Where assay log notes executions of workflows; without it, execution.jsonl in the store.'),
});

/** The configuration file: the single source of its types, validation and JSON Schema. */
export const configSchema = z.strictObject({
  eval: evalBlock.prefault({}),
  ...modelsConfigSchema.shape,
  store: store.prefault({}),
  config_change: configChangeSchema.prefault({}),
});

/** A configuration with its defaults filled in. */
export type Config = z.output<typeof configSchema>;
