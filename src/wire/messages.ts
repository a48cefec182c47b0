import { canonicalJson, type Message } from '../core/index.js';
import type { NeutralReply, NeutralRequest, Protocol } from './neutral.js';

/** A reply as the message that the client is expected to send back with its next request. */
export function replyMessage(reply: NeutralReply): Message {
  const message: Message = { role: 'assistant', text: reply.refusal ?? reply.text ?? '' };
  if (reply.toolCalls.length > 0) {
    message.toolCalls = reply.toolCalls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: canonicalJson(call.arguments),
    }));
  }
  if (reply.reasoning !== null) message.reasoning = reply.reasoning;
  return message;
}

/**
 * What the user said first: every user message before the first answer. Some agents put the surroundings in one user
 * message and the prompt in the next.
 */
export function firstUserText(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages) {
    if (message.role === 'user') texts.push(message.text);
    else if (message.role !== 'system') break;
  }
  return texts.join('\n');
}

/** The text of all user messages in a list. */
export function userText(messages: readonly Message[]): string {
  return messages
    .filter((message) => message.role === 'user')
    .map((message) => message.text)
    .join('\n');
}

/** Text with every run of white space made one blank, for comparing what agents wrap and indent. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Adds a message, joining it to the one before when both are parts of one assistant answer. */
export function appendMessage(messages: Message[], message: Message): void {
  const last = messages.at(-1);
  if (message.role !== 'assistant' || last?.role !== 'assistant') {
    messages.push(message);
    return;
  }
  last.text += message.text;
  if (message.toolCalls !== undefined) last.toolCalls = [...(last.toolCalls ?? []), ...message.toolCalls];
  if (message.reasoning !== undefined) last.reasoning = (last.reasoning ?? '') + message.reasoning;
}

/** Gives tool messages the name of the call they answer, where the protocol sends the id only. */
export function nameResults(messages: readonly Message[]): void {
  const names = new Map<string, string>();
  for (const message of messages) {
    for (const call of message.toolCalls ?? []) names.set(call.id, call.name);
    if (message.role !== 'tool' || message.toolName !== undefined || message.toolCallId === undefined)
      continue;
    const name = names.get(message.toolCallId);
    if (name !== undefined) message.toolName = name;
  }
}

/** The tools of a request that a model can call by name. */
export function offeredNames(request: NeutralRequest): string[] {
  return request.tools.filter((tool) => tool.kind !== 'hosted').map((tool) => tool.name);
}

/** A request of which nothing could be read. */
export function emptyRequest(protocol: Protocol): NeutralRequest {
  return {
    protocol,
    model: '',
    system: '',
    messages: [],
    tools: [],
    stream: 'none',
    output: { type: 'text' },
    parameters: {},
    ids: { previous: null, attempt: 0 },
    hints: {},
  };
}
