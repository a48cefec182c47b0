import { z } from 'zod';

/** Sentinels by name: files that shape an agent. `preset:NAME` among the sentinels stands for its globs. */
export const SENTINEL_PRESETS = {
  'agent-files': [
    '**/CLAUDE.md',
    '**/CLAUDE.local.md',
    '**/AGENTS.md',
    '**/AGENTS.override.md',
    '**/GEMINI.md',
  ],
  lifeos: [
    '/**/LIFEOS/LIFEOS_SYSTEM_PROMPT.md',
    '/**/DIGITAL_ASSISTANT/DA_IDENTITY.md',
    '/**/PRINCIPAL/PRINCIPAL_IDENTITY.md',
    '/**/CONFIG/OPERATIONAL_RULES.md',
    '/**/*.hook.ts',
    '/**/CLAUDE.md',
  ],
} as const satisfies { [name: string]: readonly string[] };

/** Name of a preset of sentinels. */
export type SentinelPreset = keyof typeof SENTINEL_PRESETS;

const PRESET = 'preset:';
const PRESET_NAMES = Object.keys(SENTINEL_PRESETS)
  .map((name) => PRESET + name)
  .join(', ');

/** The name of the preset that a sentinel stands for; null for a glob and for a preset that does not exist. */
export function sentinelPreset(sentinel: string): SentinelPreset | null {
  if (!sentinel.startsWith(PRESET)) return null;
  const name = sentinel.slice(PRESET.length);
  const found = Object.keys(SENTINEL_PRESETS).find((preset): preset is SentinelPreset => preset === name);
  return found ?? null;
}

const sentinel = z
  .string()
  .min(1)
  .refine((text) => !text.startsWith(PRESET) || sentinelPreset(text) !== null, {
    message: `there is no such preset; write one of ${PRESET_NAMES}`,
  })
  .refine((text) => text.startsWith(PRESET) || !/^!|[{}[\]\\\0]/.test(text), {
    message: 'globs know *, ? and ** only; write one entry for each alternative, with / between directories',
  })
  .refine((text) => !text.split('/').includes('..'), {
    message: 'a glob has no ..; begin it with / or ~/ for files outside the project',
  })
  .refine((text) => !/(?:^|\/)\/|\/$|\/\.\/|^\.\/|^\.$/.test(text.slice(1)) && text !== '/' && text !== '~', {
    message: 'write a plain path or glob of files, such as prompts/**/*.md',
  });

const webhook = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    message: 'not an address of http or https; write one such as http://127.0.0.1:31337/notify',
  })
  .describe('Gets a POST of {message, voice_enabled: false}.');

const notifyBlock = z.strictObject({
  desktop: z.boolean().default(true).describe('notify-send or osascript, where there is one.'),
  webhook: webhook.optional(),
  command: z
    .array(z.string())
    .min(1)
    .refine(([program]) => program !== '', { message: 'the program has no name' })
    .optional()
    .describe('Program and arguments, no shell; gets the event as JSON on standard input.'),
  timeout_secs: z.number().positive().max(60).default(4).describe('Time limit of each of them, seconds.'),
});

/** The `config_change` block: what `assay watch` and `assay hook` look at, and what they do then. */
export const configChangeSchema = z
  .strictObject({
    sentinels: z
      .array(sentinel)
      .min(1)
      .default(['preset:agent-files'])
      .describe('Globs of files that shape the agent, and presets of them.'),
    quiet_secs: z
      .number()
      .min(0)
      .max(86_400)
      .default(60)
      .describe('Seconds without another edit after which a burst is over.'),
    max_wait_secs: z
      .number()
      .positive()
      .max(604_800)
      .default(900)
      .describe('Seconds after the first edit after which a burst is tested although it goes on.'),
    trials: z.int().min(1).max(1000).optional().describe('Trials a case, overriding the suite.'),
    timeout_secs: z.number().positive().max(86_400).default(3600).describe('Time limit of the run, seconds.'),
    max_cost: z.number().positive().optional().describe('US dollars that one run may cost.'),
    max_drop: z
      .number()
      .gt(0)
      .max(1)
      .default(0.1)
      .describe('Drop of the mean that is reported although chance may explain it; 0.1 is 10 points.'),
    alpha: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.05)
      .describe('Chance of calling a drop a regression when nothing has changed.'),
    subagents: z.enum(['skip', 'test']).default('skip').describe('What an edit made by a subagent does.'),
    keep_environment: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'not the name of a variable'))
      .default([])
      .describe('Names of keys and addresses that the run may see although it would not.'),
    notify: notifyBlock.prefault({}),
  })
  .refine((block) => block.max_wait_secs >= block.quiet_secs, {
    path: ['max_wait_secs'],
    message: 'shorter than quiet_secs, so that no burst would ever be waited for; make it at least as long',
  });

/** The `config_change` block with its defaults filled in. */
export type ConfigChange = z.output<typeof configChangeSchema>;
