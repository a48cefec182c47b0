import type { ScriptedToolCall } from '../core/index.js';
import { replyIds } from './ids.js';
import type { FinishReason, NeutralReply, NeutralRequest, ReplyCall } from './neutral.js';
import { schemaInstance } from './schema-instance.js';
import type { WireStep } from './script.js';

function finishOf(step: WireStep): FinishReason {
  if (step.finishReason !== undefined) return step.finishReason;
  if (step.type === 'tool_calls') return 'tool_calls';
  return step.type === 'refusal' ? 'refusal' : 'stop';
}

function replyCall(call: ScriptedToolCall, id: string, itemId: string, request: NeutralRequest): ReplyCall {
  const offered = request.tools.find((tool) => tool.name === call.name && tool.kind !== 'hosted');
  const custom = offered?.kind === 'custom';
  return {
    id,
    itemId: `${custom ? 'ctc' : 'fc'}_${itemId}`,
    name: call.name,
    arguments: call.arguments,
    kind: custom ? 'custom' : 'function',
    namespace: offered?.namespace ?? null,
  };
}

/** What a reply is made from besides its step. */
export interface ReplySeed {
  /** Letters, digits and underscores, used once. */
  seed: string;
  /** Id of each call, in order. */
  callIds: readonly string[];
  /** Unix seconds. */
  createdAt: number;
}

/** Turns a scripted step into a reply to a request: same model name, custom tools as custom calls. */
export function buildReply(step: WireStep, request: NeutralRequest, from: ReplySeed): NeutralReply {
  const ids = replyIds(request.protocol, from.seed);
  const calls = step.type === 'tool_calls' ? step.toolCalls : [];
  return {
    id: ids.reply,
    messageId: ids.message,
    reasoningId: ids.reasoning,
    model: request.model,
    reasoning: step.reasoning ?? null,
    text: step.type === 'refusal' ? null : (step.content ?? null),
    refusal: step.type === 'refusal' ? step.content : null,
    toolCalls: calls.map((call, index) =>
      replyCall(call, from.callIds[index] ?? call.id, `${from.seed}_${index}`, request),
    ),
    finishReason: finishOf(step),
    usage: {
      inputTokens: step.inputTokens,
      outputTokens: step.outputTokens,
      cachedInputTokens: step.cachedInputTokens ?? 0,
      reasoningTokens: step.reasoningTokens ?? 0,
    },
    createdAt: from.createdAt,
  };
}

/** What a side request is told when nobody says otherwise: a short text, or JSON when it asks for JSON. */
export function sideStep(request: NeutralRequest, text: string | undefined): WireStep {
  const made =
    request.output.type === 'json' ? JSON.stringify(schemaInstance(request.output.schema)) : 'Session';
  return { type: 'text', content: text ?? made, inputTokens: 1, outputTokens: 1 };
}
