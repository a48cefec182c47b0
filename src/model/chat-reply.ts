import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { kindOfStatus, ModelError } from './model-error.js';
import { providerUsage, tokenCount } from './usage.js';

const FINISH_REASONS: ReadonlyMap<string, LanguageModelV3FinishReason['unified']> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
]);

/** The finish reason of a choice. Servers that say `stop` after tool calls are read as what they did. */
export function chatFinish(raw: JsonValue | undefined, hasCalls: boolean): LanguageModelV3FinishReason {
  const word = typeof raw === 'string' ? raw : undefined;
  const unified = word === undefined ? 'other' : (FINISH_REASONS.get(word) ?? 'other');
  return { unified: hasCalls && unified === 'stop' ? 'tool-calls' : unified, raw: word };
}

/** The usage member of a reply or a chunk. */
export function chatUsage(value: JsonValue | undefined): LanguageModelV3Usage {
  const usage = isJsonObject(value) ? value : {};
  const prompt = isJsonObject(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const completion = isJsonObject(usage['completion_tokens_details'])
    ? usage['completion_tokens_details']
    : {};
  return providerUsage({
    input: tokenCount(usage['prompt_tokens']),
    output: tokenCount(usage['completion_tokens']),
    cacheRead: tokenCount(prompt['cached_tokens']),
    reasoning: tokenCount(completion['reasoning_tokens']),
  });
}

/** The cost some gateways put into `usage`, US dollars. */
export function chatCost(value: JsonValue | undefined): number | null {
  const cost = isJsonObject(value) ? value['cost'] : null;
  return typeof cost === 'number' && cost >= 0 ? cost : null;
}

/** The reasoning text of a message or a delta, under either of its names. */
export function chatReasoning(message: JsonObject): string {
  const reasoning = message['reasoning_content'] ?? message['reasoning'];
  return typeof reasoning === 'string' ? reasoning : '';
}

/** The error of a body that carries one; some servers send it with status 200. */
export function chatError(
  body: JsonValue,
  status: number | null,
  retryAfterMs: number | null = null,
): ModelError {
  const error = isJsonObject(body) ? body['error'] : undefined;
  const message =
    typeof error === 'string'
      ? error
      : isJsonObject(error) && typeof error['message'] === 'string'
        ? error['message']
        : 'the server gave no message';
  const code = isJsonObject(error) ? tokenCount(error['code']) : undefined;
  const known = status ?? (code !== undefined && code >= 400 && code < 600 ? code : null);
  if (known === null) return new ModelError('invalid-reply', `the server reported an error: ${message}`);
  return new ModelError(kindOfStatus(known), `the server answered ${known}: ${message}`, {
    status: known,
    retryAfterMs,
  });
}

function readCalls(message: JsonObject): LanguageModelV3Content[] {
  const calls = message['tool_calls'];
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw new ModelError('invalid-reply', 'tool_calls is not a list');
  return calls.map((call, index) => {
    const called = isJsonObject(call) ? call['function'] : undefined;
    if (!isJsonObject(call) || !isJsonObject(called) || typeof called['name'] !== 'string') {
      throw new ModelError('invalid-reply', `tool call ${index + 1} has no function name`);
    }
    const input = called['arguments'];
    return {
      type: 'tool-call',
      toolCallId: typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call_${index + 1}`,
      toolName: called['name'],
      // Some servers give the arguments as an object; a call without arguments has an empty text.
      input: typeof input === 'string' ? (input === '' ? '{}' : input) : JSON.stringify(input ?? {}),
    };
  });
}

/** Reads a whole Chat Completions reply. Throws `ModelError`: `non-json`, `invalid-reply`, or what the server reports. */
export function chatReply(text: string, warnings: SharedV3Warning[]): LanguageModelV3GenerateResult {
  const parsed = parseJson(text);
  if (!parsed.ok)
    throw new ModelError('non-json', `the server did not answer in JSON: ${text.slice(0, 200)}`, {
      output: text,
    });
  const body = parsed.value;
  if (!isJsonObject(body))
    throw new ModelError('invalid-reply', 'the reply is not an object', { output: text });
  const choice = Array.isArray(body['choices']) ? body['choices'][0] : undefined;
  if (!isJsonObject(choice) || !isJsonObject(choice['message'])) {
    if (body['error'] !== undefined && body['error'] !== null) throw chatError(body, null);
    throw new ModelError('invalid-reply', 'the reply has no message', { output: text });
  }
  const { message } = choice;
  const content: LanguageModelV3Content[] = [];
  const reasoning = chatReasoning(message);
  if (reasoning !== '') content.push({ type: 'reasoning', text: reasoning });
  if (typeof message['content'] === 'string' && message['content'] !== '') {
    content.push({ type: 'text', text: message['content'] });
  }
  const calls = readCalls(message);
  const refusal = message['refusal'];
  if (typeof refusal === 'string' && refusal !== '' && content.length === 0 && calls.length === 0) {
    throw new ModelError('refusal', `the model refused to answer: ${refusal}`, { output: refusal });
  }
  return {
    content: [...content, ...calls],
    finishReason: chatFinish(choice['finish_reason'], calls.length > 0),
    usage: chatUsage(body['usage']),
    warnings,
    providerMetadata: { assay: { cost: chatCost(body['usage']) } },
    response: {
      ...(typeof body['id'] === 'string' ? { id: body['id'] } : {}),
      ...(typeof body['model'] === 'string' ? { modelId: body['model'] } : {}),
    },
  };
}
