import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3Warning,
} from '@ai-sdk/provider';
import type { JsonObject } from '../core/index.js';
import { ModelError } from './model-error.js';

/** The body of a Chat Completions request, before its settings of transport. */
export type ChatBody = Record<string, unknown>;

function dataUrl(part: LanguageModelV3FilePart): string {
  if (part.data instanceof URL) return part.data.href;
  const type = part.mediaType === 'image/*' ? 'image/png' : part.mediaType;
  const encoded = typeof part.data === 'string' ? part.data : Buffer.from(part.data).toString('base64');
  return `data:${type};base64,${encoded}`;
}

function userContent(content: Extract<LanguageModelV3Message, { role: 'user' }>['content']): unknown {
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return only.text;
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (!part.mediaType.startsWith('image/')) {
      throw new ModelError('request', `this model takes text and images, not ${part.mediaType}`);
    }
    return { type: 'image_url', image_url: { url: dataUrl(part) } };
  });
}

function toolText(part: LanguageModelV3ToolResultPart): string {
  const { output } = part;
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type === 'execution-denied') return output.reason ?? 'The tool call was denied.';
  return JSON.stringify(output.value);
}

function assistantMessage(
  content: Extract<LanguageModelV3Message, { role: 'assistant' }>['content'],
): ChatBody {
  let text = '';
  const calls: ChatBody[] = [];
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'tool-call') {
      calls.push({
        id: part.toolCallId,
        type: 'function',
        function: {
          name: part.toolName,
          arguments: typeof part.input === 'string' ? part.input : JSON.stringify(part.input),
        },
      });
    }
  }
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function chatMessages(message: LanguageModelV3Message): ChatBody[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content
        .filter((part) => part.type === 'tool-result')
        .map((part) => ({ role: 'tool', tool_call_id: part.toolCallId, content: toolText(part) }));
  }
}

function chatTools(options: LanguageModelV3CallOptions): ChatBody {
  const { tools, toolChoice } = options;
  if (tools === undefined || tools.length === 0) return {};
  const written = tools.map((tool) => {
    if (tool.type === 'provider')
      throw new ModelError('request', `this model has no provider tool ${tool.id}`);
    return {
      type: 'function',
      function: {
        name: tool.name,
        parameters: tool.inputSchema,
        ...(tool.description === undefined ? {} : { description: tool.description }),
        ...(tool.strict === undefined ? {} : { strict: tool.strict }),
      },
    };
  });
  const choice =
    toolChoice === undefined
      ? {}
      : {
          tool_choice:
            toolChoice.type === 'tool'
              ? { type: 'function', function: { name: toolChoice.toolName } }
              : toolChoice.type,
        };
  return { tools: written, ...choice };
}

function chatFormat(format: LanguageModelV3CallOptions['responseFormat']): ChatBody {
  if (format?.type !== 'json') return {};
  if (format.schema === undefined) return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: format.name ?? 'reply',
        schema: format.schema,
        ...(format.description === undefined ? {} : { description: format.description }),
      },
    },
  };
}

function given(values: Readonly<Record<string, unknown>>): ChatBody {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The body of a Chat Completions request. `extra` are the members of the configuration: they may add to the body but
 * not replace what the request says.
 */
export function chatBody(
  model: string,
  options: LanguageModelV3CallOptions,
  extra: JsonObject,
): { body: ChatBody; warnings: SharedV3Warning[] } {
  const warnings: SharedV3Warning[] =
    options.topK === undefined ? [] : [{ type: 'unsupported', feature: 'topK' }];
  const body: ChatBody = {
    ...extra,
    ...given({
      max_tokens: options.maxOutputTokens,
      temperature: options.temperature,
      top_p: options.topP,
      presence_penalty: options.presencePenalty,
      frequency_penalty: options.frequencyPenalty,
      seed: options.seed,
      stop: options.stopSequences,
    }),
    model,
    messages: options.prompt.flatMap(chatMessages),
    ...chatTools(options),
    ...chatFormat(options.responseFormat),
  };
  return { body, warnings };
}
