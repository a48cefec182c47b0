import type { LanguageModelV3GenerateResult } from '@ai-sdk/provider';

/** A tool call that a model asked for. */
export interface RequestedCall {
  id: string;
  name: string;
  /** Arguments as the model wrote them: JSON text. */
  input: string;
}

/** Text, reasoning and calls of a reply, each put together from its parts. */
export function readReply(reply: LanguageModelV3GenerateResult): {
  text: string;
  reasoning: string;
  calls: RequestedCall[];
} {
  let text = '';
  let reasoning = '';
  const calls: RequestedCall[] = [];
  for (const part of reply.content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'reasoning') reasoning += part.text;
    else if (part.type === 'tool-call') {
      calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
    }
  }
  return { text, reasoning, calls };
}

/** US dollars a reply cost: 0 for a scripted model, the adapter's figure when it gives one, else unknown. */
export function reportedCost(reply: LanguageModelV3GenerateResult): number | null {
  if (reply.response?.modelId === 'scripted') return 0;
  const cost = reply.providerMetadata?.['assay']?.['cost'];
  return typeof cost === 'number' ? cost : null;
}
