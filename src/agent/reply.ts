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

/** The parts of a reply from which its cost can be told. */
type Priced = {
  response?: { modelId?: string };
  providerMetadata?: LanguageModelV3GenerateResult['providerMetadata'];
};

/** US dollars a reply cost: what its adapter says, or 0 for the scripted model, which has none; else unknown. */
export function reportedCost(reply: Priced): number | null {
  const adapter = reply.providerMetadata?.['assay'];
  if (adapter === undefined) return reply.response?.modelId === 'scripted' ? 0 : null;
  const { cost } = adapter;
  return typeof cost === 'number' ? cost : null;
}
