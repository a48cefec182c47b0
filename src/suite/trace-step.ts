import { z } from 'zod';
import { FINISH_REASONS, type JsonValue, type ScriptedStep } from '../core/index.js';

// Keys stand in alphabetical order: a parsed fixture is then canonical as it is, and its hash costs little.

const count = z.int().min(0);
const json = z.unknown().transform((value) => value as JsonValue);

const scriptedToolCall = z.strictObject({
  arguments: json.refine((value) => value !== undefined, {
    error: 'missing; any JSON value is required here',
    params: { fix: 'add it, {} when the tool takes none' },
  }),
  id: z.string(),
  name: z.string().describe('The agent’s own name of the tool; @shell or @write with a preset.'),
});

const cached = count.optional().describe('Assay extension: part of input_tokens that came from a cache.');
const duration = count
  .optional()
  .describe('Assay extension: milliseconds the reply took; the clock of a replay goes by it.');
const finish = z.enum(FINISH_REASONS).optional().describe('Assay extension: why the model stopped.');
const reasoning = z.string().optional().describe('Assay extension: what the model shows of its reasoning.');
const reasoned = count.optional().describe('Assay extension: part of output_tokens that was reasoning.');
const words = z.string();

/** One scripted reply, as a fixture writes it. */
export const responseSchema = z.discriminatedUnion('type', [
  z.strictObject({
    cached_input_tokens: cached,
    content: words,
    duration_ms: duration,
    finish_reason: finish,
    input_tokens: count.default(0),
    output_tokens: count.default(0),
    reasoning,
    reasoning_tokens: reasoned,
    type: z.literal('text'),
  }),
  z.strictObject({
    cached_input_tokens: cached,
    content: words.optional().describe('Assay extension: words beside the calls.'),
    duration_ms: duration,
    finish_reason: finish,
    input_tokens: count.default(0),
    output_tokens: count.default(0),
    reasoning,
    reasoning_tokens: reasoned,
    tool_calls: z.array(scriptedToolCall),
    type: z.literal('tool_calls'),
  }),
  z.strictObject({
    cached_input_tokens: cached,
    content: words.describe('Assay extension: the words in which the model refuses.'),
    duration_ms: duration,
    finish_reason: finish,
    input_tokens: count.default(0),
    output_tokens: count.default(0),
    reasoning,
    reasoning_tokens: reasoned,
    type: z.literal('refusal'),
  }),
]);

type WrittenResponse = z.output<typeof responseSchema>;

/** Keys of a reply that only Assay reads. */
export const RESPONSE_EXTENSIONS = [
  'cached_input_tokens',
  'duration_ms',
  'finish_reason',
  'reasoning',
  'reasoning_tokens',
] as const;

/** What a reply has besides its text or calls; a plain one costs nothing. */
function extras(response: WrittenResponse): Partial<ScriptedStep> {
  const { reasoning: shown, finish_reason: reason } = response;
  return {
    ...(shown === undefined ? {} : { reasoning: shown }),
    ...(reason === undefined ? {} : { finishReason: reason }),
    ...(response.cached_input_tokens === undefined
      ? {}
      : { cachedInputTokens: response.cached_input_tokens }),
    ...(response.reasoning_tokens === undefined ? {} : { reasoningTokens: response.reasoning_tokens }),
    ...(response.duration_ms === undefined ? {} : { durationMs: response.duration_ms }),
  };
}

function plainStep(response: WrittenResponse): ScriptedStep {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = response;
  if (response.type !== 'tool_calls')
    return { type: response.type, content: response.content, inputTokens, outputTokens };
  const step: ScriptedStep = {
    type: 'tool_calls',
    toolCalls: response.tool_calls,
    inputTokens,
    outputTokens,
  };
  if (response.content !== undefined) step.content = response.content;
  return step;
}

/** A scripted reply, from what a fixture writes. */
export function scriptedStep({ response }: { response: WrittenResponse }): ScriptedStep {
  const step = plainStep(response);
  return RESPONSE_EXTENSIONS.some((key) => response[key] !== undefined)
    ? Object.assign(step, extras(response))
    : step;
}
