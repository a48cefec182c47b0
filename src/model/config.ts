import { z } from 'zod';
import { EFFORTS, THINKING, type LevelName } from './level-names.js';

const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRET_HEADER = /^(?:authorization|proxy-authorization|cookie|api-key|x-api-key|x-goog-api-key)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Where a secret comes from: never written into a file. */
export const secretSourceSchema = z.union([
  z.strictObject({
    environment: z.string().regex(ENVIRONMENT_NAME).describe('Name of an environment variable.'),
  }),
  z.strictObject({
    command: z
      .array(z.string().min(1))
      .min(1)
      .describe('Program and arguments whose first line of output is the secret; no shell.'),
  }),
]);

const headersSchema = z
  .record(z.string().regex(HEADER_NAME), z.union([z.string().regex(HEADER_VALUE), secretSourceSchema]))
  .superRefine((headers, refinement) => {
    for (const [name, value] of Object.entries(headers)) {
      if (typeof value === 'string' && SECRET_HEADER.test(name)) {
        refinement.addIssue({
          code: 'custom',
          path: [name],
          message: 'a secret must not be written here; use {environment: NAME} or {command: [...]}',
        });
      }
    }
  });

const HELD_ELSEWHERE = ['apiKey', 'authToken', 'baseURL', 'headers', 'fetch'];

const settingsSchema = z.record(z.string(), z.json()).superRefine((settings, refinement) => {
  for (const name of HELD_ELSEWHERE) {
    if (Object.hasOwn(settings, name)) {
      refinement.addIssue({
        code: 'custom',
        path: [name],
        message: 'use api_key, base_url or headers instead',
      });
    }
  }
});

const baseUrlSchema = z.url({ protocol: /^https?$/ }).describe('Base URL of the API, with its version path.');

/** How one provider package is set up. */
export const providerConfigSchema = z.strictObject({
  api_key: secretSourceSchema.optional().describe('Default: the variable the provider itself documents.'),
  base_url: baseUrlSchema.optional(),
  headers: headersSchema.optional(),
  settings: settingsSchema.optional().describe('Further settings of the provider package.'),
  options: z.record(z.string(), z.json()).optional().describe('Provider options sent with every request.'),
});

/** How one OpenAI-compatible server is set up. */
export const endpointConfigSchema = z.strictObject({
  api_key: secretSourceSchema.optional().describe('Default: no key is sent.'),
  headers: headersSchema.optional(),
  options: z.record(z.string(), z.json()).optional().describe('Members added to every request body.'),
});

/** US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cache_read: z.number().min(0).optional().describe('Default: the price of input.'),
  cache_write: z.number().min(0).optional().describe('Default: the price of input.'),
});

const levelSchema = z.strictObject({
  model: z.string().min(1).optional(),
  timeout_secs: z.number().positive().max(86_400).optional(),
  effort: z.enum(EFFORTS).nullable().optional(),
  thinking: z.enum(THINKING).optional().describe('`off` switches extended thinking off, for quick calls.'),
  fallback: z
    .string()
    .min(1)
    .nullable()
    .optional()
    .describe('Asked once when the model fails; flagged as a downgrade.'),
});

const levelsShape: Record<LevelName, z.ZodOptional<typeof levelSchema>> = {
  low: levelSchema.optional(),
  medium: levelSchema.optional(),
  high: levelSchema.optional(),
  max: levelSchema.optional(),
};

/** The keys of the configuration that concern models. */
export const modelsConfigSchema = z.strictObject({
  levels: z.strictObject(levelsShape).optional(),
  providers: z
    .strictObject({
      anthropic: providerConfigSchema.optional(),
      openai: providerConfigSchema.optional(),
      google: providerConfigSchema.optional(),
    })
    .optional(),
  endpoints: z
    .record(baseUrlSchema, endpointConfigSchema)
    .optional()
    .describe('OpenAI-compatible servers by base URL. A key is sent only to a server named here.'),
  programs: z
    .strictObject({
      claude: z.string().min(1).optional(),
      codex: z.string().min(1).optional(),
      gemini: z.string().min(1).optional(),
    })
    .optional()
    .describe('Paths of the subscription command lines, where they are not on PATH or in the usual places.'),
  prices: z
    .record(z.string().min(1), priceSchema)
    .optional()
    .describe('By model reference or by served model name; used where the provider reports no cost.'),
  retry: z
    .strictObject({
      max_tries: z.int().min(1).max(20).optional(),
      base_secs: z.number().positive().max(600).optional(),
      max_wait_secs: z.number().positive().max(3600).optional(),
      max_total_wait_secs: z.number().min(0).max(86_400).optional(),
    })
    .optional(),
  concurrency: z
    .record(z.string().min(1), z.int().min(1).max(1000))
    .optional()
    .describe('Most calls at once, by kind (`claude-cli`) or endpoint URL; `default` for the rest.'),
});

/** Where a secret comes from. */
export type SecretSource = z.infer<typeof secretSourceSchema>;
/** How one provider package is set up. */
export type ProviderConfig = z.infer<typeof providerConfigSchema>;
/** How one OpenAI-compatible server is set up. */
export type EndpointConfig = z.infer<typeof endpointConfigSchema>;
/** The configuration of models, as written. */
export type ModelsConfig = z.infer<typeof modelsConfigSchema>;
