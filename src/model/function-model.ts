import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { readCallContext } from './call-context.js';
import { classifyFailure } from './classify.js';
import { readConversation, type PlainMessage } from './conversation.js';
import { ModelError } from './model-error.js';
import { generateResult, streamResult, unsupportedSettings } from './reply.js';
import { providerUsage } from './usage.js';

/** What a function of the user's is given. */
export interface ModuleRequest {
  /** The last user message. */
  prompt: string;
  /** Null when there is no system text. */
  system: string | null;
  /** The whole conversation, the last user message among it. */
  messages: PlainMessage[];
  caseId: string;
  /** 1-based. */
  trial: number;
  /** Aborts at the time limit and when the run is interrupted. */
  signal: AbortSignal;
}

const answerSchema = z.strictObject({
  text: z.string(),
  usage: z
    .strictObject({ inputTokens: z.int().min(0).optional(), outputTokens: z.int().min(0).optional() })
    .optional(),
  /** US dollars. */
  cost: z.number().min(0).optional(),
  /** The model as served. */
  model: z.string().min(1).optional(),
});

/** What a function of the user's returns: the text, or the text with what it used. */
export type ModuleAnswer = string | z.infer<typeof answerSchema>;

/** A function of the user's that answers. */
export type ModuleFunction = (request: ModuleRequest) => ModuleAnswer | Promise<ModuleAnswer>;

type AnyFunction = (request: ModuleRequest) => unknown;

function readAnswer(returned: unknown, name: string): z.infer<typeof answerSchema> {
  if (typeof returned === 'string') return { text: returned };
  const checked = answerSchema.safeParse(returned);
  if (checked.success) return checked.data;
  const what = returned === null ? 'null' : typeof returned;
  const issue = what === 'object' ? checked.error.issues[0]?.message : undefined;
  throw new ModelError('module', `${name} returned ${what}${issue === undefined ? '' : ` (${issue})`}`, {
    fix: 'return a string, or {text, usage?: {inputTokens, outputTokens}, cost?, model?}',
  });
}

async function askFunction(
  answer: AnyFunction,
  name: string,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3GenerateResult> {
  if (options.tools !== undefined && options.tools.length > 0) {
    throw new ModelError('request', `${name} is a function and cannot call tools`, {
      fix: 'export a language model of the AI SDK instead',
    });
  }
  const { system, messages } = readConversation(options.prompt);
  const { caseId, trial } = readCallContext(options);
  const prompt = messages.findLast((message) => message.role === 'user')?.text ?? '';
  const signal = options.abortSignal ?? new AbortController().signal;
  let returned: unknown;
  try {
    returned = await answer({ prompt, system, messages, caseId, trial, signal });
  } catch (error) {
    throw classifyFailure(error, options.abortSignal, Date.now(), 'module');
  }
  const { text, usage, cost, model } = readAnswer(returned, name);
  return generateResult({
    text,
    usage: providerUsage({ input: usage?.inputTokens, output: usage?.outputTokens }),
    servedModel: model ?? null,
    downgraded: false,
    cost: cost ?? null,
    finishReason: { unified: 'stop', raw: undefined },
    warnings: unsupportedSettings(options),
  });
}

/** A function as a language model. */
export function createFunctionModel(answer: AnyFunction, name: string): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'assay.module',
    modelId: name,
    supportedUrls: {},
    doGenerate: (options) => askFunction(answer, name, options),
    doStream: async (options) => streamResult(await askFunction(answer, name, options)),
  };
}
