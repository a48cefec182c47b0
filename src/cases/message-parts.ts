import { canonicalJson, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/index.js';
import { anyMember, member, objectMember, textMember } from './json-fields.js';

/** A part of a message, whatever API it was written for. */
export type MessagePart =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; arguments: JsonValue }
  | { kind: 'result'; id: string; text: string; ok: boolean }
  /** Something that a case cannot hold; `what` names it. */
  | { kind: 'other'; what: string }
  /** Something that means nothing to a case. */
  | { kind: 'silent' };

/** Arguments as JSON: most APIs write them as a text that holds JSON. */
export function argumentsOf(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return {};
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return {};
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

/** What a tool gave back, as text. */
export function resultText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => isJsonObject(item) && 'type' in item)) {
    return value.map(blockText).join('\n');
  }
  return canonicalJson(value);
}

function blockText(block: JsonValue): string {
  if (!isJsonObject(block)) return '';
  const text = anyMember(block, ['text', 'content']);
  return typeof text === 'string' ? text : `[${textMember(block, 'type')}]`;
}

/** The typed output of an AI SDK tool result. */
function typedOutput(part: JsonObject): { text: string; ok: boolean } {
  const output = anyMember(part, ['output', 'result']);
  if (!isJsonObject(output) || typeof output['type'] !== 'string') {
    return { text: resultText(output), ok: member(part, 'isError') !== true };
  }
  const { type } = output;
  if (type === 'execution-denied') return { text: textMember(output, 'reason') || 'denied', ok: false };
  const known = ['text', 'json', 'error-text', 'error-json', 'content'].includes(type);
  const text = resultText(known ? member(output, 'value') : output);
  return { text, ok: !type.startsWith('error') };
}

/** A part of an AI SDK UI message, which holds a call and what came back in one. */
function uiToolParts(part: JsonObject, name: string): MessagePart[] {
  const id = textMember(part, 'toolCallId');
  const call: MessagePart = { kind: 'call', id, name, arguments: argumentsOf(member(part, 'input')) };
  const state = textMember(part, 'state');
  if (state === 'output-available')
    return [call, { kind: 'result', id, text: resultText(member(part, 'output')), ok: true }];
  if (state === 'output-error')
    return [call, { kind: 'result', id, text: textMember(part, 'errorText'), ok: false }];
  return [call];
}

const SILENT = new Set([
  'reasoning',
  'thinking',
  'redacted_thinking',
  'step-start',
  'summary_text',
  'item_reference',
]);

/** What a part of a message says. */
export function readPart(part: JsonValue): MessagePart[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  if (!isJsonObject(part)) return [];
  const type = textMember(part, 'type');
  const call = (id: string, name: string, input: JsonValue | undefined): MessagePart[] => [
    { kind: 'call', id, name, arguments: argumentsOf(input) },
  ];
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [{ kind: 'text', text: textMember(part, 'text', 'content') }];
    case 'refusal':
      return [{ kind: 'text', text: textMember(part, 'refusal', 'content', 'text') }];
    case 'tool_use':
    case 'server_tool_use':
      return call(textMember(part, 'id'), textMember(part, 'name'), member(part, 'input'));
    case 'tool-call':
      return call(
        textMember(part, 'toolCallId'),
        textMember(part, 'toolName'),
        anyMember(part, ['input', 'args']),
      );
    case 'tool_call':
      return call(textMember(part, 'id'), textMember(part, 'name'), member(part, 'arguments'));
    case 'function_call':
    case 'custom_tool_call':
      return call(
        textMember(part, 'call_id', 'id'),
        textMember(part, 'name'),
        anyMember(part, ['arguments', 'input']),
      );
    case 'local_shell_call':
      return call(textMember(part, 'call_id', 'id'), 'local_shell', objectMember(part, 'action'));
    case 'function':
      return call(
        textMember(part, 'id'),
        textMember(objectMember(part, 'function'), 'name'),
        member(objectMember(part, 'function'), 'arguments'),
      );
    case 'custom':
      return call(
        textMember(part, 'id'),
        textMember(objectMember(part, 'custom'), 'name'),
        member(objectMember(part, 'custom'), 'input'),
      );
    case 'tool_result':
      return [
        {
          kind: 'result',
          id: textMember(part, 'tool_use_id'),
          text: resultText(member(part, 'content')),
          ok: member(part, 'is_error') !== true,
        },
      ];
    case 'tool-result':
      return [{ kind: 'result', id: textMember(part, 'toolCallId'), ...typedOutput(part) }];
    case 'tool-error':
      return [
        {
          kind: 'result',
          id: textMember(part, 'toolCallId'),
          text: resultText(member(part, 'error')),
          ok: false,
        },
      ];
    case 'tool_call_response':
      return [
        {
          kind: 'result',
          id: textMember(part, 'id'),
          text: resultText(anyMember(part, ['response', 'result'])),
          ok: true,
        },
      ];
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return [itemOutput(part)];
    case 'dynamic-tool':
      return uiToolParts(part, textMember(part, 'toolName'));
    default:
      if (type.startsWith('tool-') && 'toolCallId' in part)
        return uiToolParts(part, type.slice('tool-'.length));
      return SILENT.has(type)
        ? [{ kind: 'silent' }]
        : [{ kind: 'other', what: `part of type ${type || 'none'}` }];
  }
}

/** The output of a call in OpenAI's item form; Codex wraps it as `{output, metadata}` or `{content, success}`. */
function itemOutput(part: JsonObject): MessagePart {
  const id = textMember(part, 'call_id', 'id');
  const output = member(part, 'output');
  const parsed = typeof output === 'string' && output.startsWith('{') ? parseJson(output) : null;
  const wrapped = isJsonObject(output) ? output : parsed?.ok === true ? parsed.value : null;
  if (isJsonObject(wrapped ?? undefined) && isJsonObject(wrapped)) {
    const code = member(objectMember(wrapped, 'metadata'), 'exit_code');
    if (typeof wrapped['output'] === 'string' && (code === undefined || typeof code === 'number')) {
      return { kind: 'result', id, text: wrapped['output'], ok: code === undefined || code === 0 };
    }
    if ('success' in wrapped)
      return {
        kind: 'result',
        id,
        text: resultText(member(wrapped, 'content')),
        ok: wrapped['success'] === true,
      };
  }
  return { kind: 'result', id, text: resultText(output), ok: true };
}
