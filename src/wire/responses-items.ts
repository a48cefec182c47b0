import { sha256, type JsonObject } from '../core/index.js';
import { customInput } from './custom-input.js';
import type { NeutralReply, NeutralRequest, ReplyCall } from './neutral.js';
import { pieces } from './pieces.js';

/** An output item, what it looks like when it begins, and the events between the two. */
export interface ResponseItem {
  whole: JsonObject;
  begun: JsonObject;
  /** Events without `sequence_number` and `output_index`, which the writer adds. */
  events: JsonObject[];
}

function messageItem(reply: NeutralReply, kind: 'output_text' | 'refusal', text: string): ResponseItem {
  const id = reply.messageId;
  const extra: JsonObject = kind === 'output_text' ? { annotations: [], logprobs: [] } : {};
  const field = kind === 'output_text' ? 'text' : 'refusal';
  const part = (content: string): JsonObject => ({ type: kind, [field]: content, ...extra });
  const place = { item_id: id, content_index: 0 };
  const more: JsonObject = kind === 'output_text' ? { logprobs: [] } : {};
  const base = { id, type: 'message', role: 'assistant' };
  return {
    whole: { ...base, status: 'completed', content: [part(text)] },
    begun: { ...base, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', ...place, part: part('') },
      ...pieces(text).map((piece) => ({ type: `response.${kind}.delta`, ...place, delta: piece, ...more })),
      { type: `response.${kind}.done`, ...place, [field]: text, ...more },
      { type: 'response.content_part.done', ...place, part: part(text) },
    ],
  };
}

function reasoningItem(reply: NeutralReply, reasoning: string, encrypted: boolean): ResponseItem {
  const id = reply.reasoningId;
  const place = { item_id: id, summary_index: 0 };
  const part = (text: string): JsonObject => ({ type: 'summary_text', text });
  const secret: JsonObject = encrypted
    ? { encrypted_content: Buffer.from(sha256(reasoning), 'hex').toString('base64') }
    : {};
  return {
    whole: { id, type: 'reasoning', summary: [part(reasoning)], ...secret },
    begun: { id, type: 'reasoning', summary: [], ...secret },
    events: [
      { type: 'response.reasoning_summary_part.added', ...place, part: part('') },
      ...pieces(reasoning).map((piece) => ({
        type: 'response.reasoning_summary_text.delta',
        ...place,
        delta: piece,
      })),
      { type: 'response.reasoning_summary_text.done', ...place, text: reasoning },
      { type: 'response.reasoning_summary_part.done', ...place, part: part(reasoning) },
    ],
  };
}

function callItem(call: ReplyCall): ResponseItem {
  const custom = call.kind === 'custom';
  const field = custom ? 'input' : 'arguments';
  const event = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const text = custom ? customInput(call.arguments) : JSON.stringify(call.arguments);
  const base = {
    id: call.itemId,
    type: custom ? 'custom_tool_call' : 'function_call',
    call_id: call.id,
    name: call.name,
    ...(call.namespace === null ? {} : { namespace: call.namespace }),
  };
  const place = { item_id: call.itemId };
  return {
    whole: { ...base, status: 'completed', [field]: text },
    begun: { ...base, status: 'in_progress', [field]: '' },
    events: [
      ...pieces(text).map((piece) => ({ type: `${event}.delta`, ...place, delta: piece })),
      { type: `${event}.done`, ...place, ...(custom ? {} : { name: call.name }), [field]: text },
    ],
  };
}

/** The output items of a reply, in the order in which they are sent: reasoning, text or refusal, calls. */
export function responseItems(reply: NeutralReply, request: NeutralRequest): ResponseItem[] {
  const include = request.parameters['include'];
  const encrypted = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  const items: ResponseItem[] = [];
  if (reply.reasoning !== null) items.push(reasoningItem(reply, reply.reasoning, encrypted));
  if (reply.text !== null) items.push(messageItem(reply, 'output_text', reply.text));
  if (reply.refusal !== null) items.push(messageItem(reply, 'refusal', reply.refusal));
  return [...items, ...reply.toolCalls.map(callItem)];
}
