import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider';

/** What a model without tools gives back. */
export interface TextReply {
  text: string;
  usage: LanguageModelV3Usage;
  /** The model as served, when it is known. */
  servedModel: string | null;
  /** Another model answered than the one asked for. */
  downgraded: boolean;
  /** US dollars, when they were reported. */
  cost: number | null;
  finishReason: LanguageModelV3FinishReason;
  warnings: SharedV3Warning[];
}

/** A reply in the form of the model interface; facts it has no place for go to `providerMetadata.assay`. */
export function generateResult(reply: TextReply): LanguageModelV3GenerateResult {
  return {
    content: reply.text === '' ? [] : [{ type: 'text', text: reply.text }],
    finishReason: reply.finishReason,
    usage: reply.usage,
    warnings: reply.warnings,
    providerMetadata: { assay: { downgraded: reply.downgraded, cost: reply.cost } },
    ...(reply.servedModel === null ? {} : { response: { modelId: reply.servedModel } }),
  };
}

function partsOf(content: LanguageModelV3Content, index: number): LanguageModelV3StreamPart[] {
  const id = String(index);
  switch (content.type) {
    case 'text':
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: content.text },
        { type: 'text-end', id },
      ];
    case 'reasoning':
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: content.text },
        { type: 'reasoning-end', id },
      ];
    case 'tool-call':
      return [
        { type: 'tool-input-start', id: content.toolCallId, toolName: content.toolName },
        { type: 'tool-input-delta', id: content.toolCallId, delta: content.input },
        { type: 'tool-input-end', id: content.toolCallId },
        content,
      ];
    case 'file':
    case 'source':
    case 'tool-result':
    case 'tool-approval-request':
      return [content];
  }
}

/** The same answer as a stream of whole parts, for models that only generate. */
export function streamResult(result: LanguageModelV3GenerateResult): LanguageModelV3StreamResult {
  const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: result.warnings }];
  if (result.response?.modelId !== undefined) {
    parts.push({ type: 'response-metadata', modelId: result.response.modelId });
  }
  parts.push(...result.content.flatMap(partsOf));
  parts.push({
    type: 'finish',
    usage: result.usage,
    finishReason: result.finishReason,
    ...(result.providerMetadata === undefined ? {} : { providerMetadata: result.providerMetadata }),
  });
  return {
    stream: new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  };
}

/** A warning for every setting of a request that a text-only model leaves out. */
export function unsupportedSettings(options: LanguageModelV3CallOptions): SharedV3Warning[] {
  const asked: [string, unknown][] = [
    ['maxOutputTokens', options.maxOutputTokens],
    ['temperature', options.temperature],
    ['topP', options.topP],
    ['topK', options.topK],
    ['presencePenalty', options.presencePenalty],
    ['frequencyPenalty', options.frequencyPenalty],
    ['seed', options.seed],
    ['stopSequences', options.stopSequences],
    ['responseFormat', options.responseFormat?.type === 'json' ? options.responseFormat : undefined],
  ];
  return asked
    .filter(([, value]) => value !== undefined)
    .map(([feature]) => ({ type: 'unsupported', feature }));
}

/** A warning in free words. */
export function note(message: string): SharedV3Warning {
  return { type: 'other', message };
}
