import { canonicalJson, isJsonObject, type JsonObject } from '../core/index.js';

/** What of a turn's request an adapter is told. */
interface AdapterRequest {
  prompt: string;
  messages: readonly { role: string; text: string }[];
  caseId: string;
  trial: number;
}

type AdapterCall = (input: object) => unknown;

/**
 * The agent under test of a module in the form of the reference: the member of `agents` with the role Agent, as a
 * function of a turn's request. Null when what is exported is no such module.
 */
export function adapterIn(exported: unknown): ((request: object) => Promise<unknown>) | null {
  const agents: unknown =
    typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'agents') : undefined;
  if (!Array.isArray(agents)) return null;
  const adapter: unknown = agents.find((agent: unknown) => {
    const role: unknown =
      typeof agent === 'object' && agent !== null ? Reflect.get(agent, 'role') : undefined;
    return typeof role === 'string' && role.toLowerCase() === 'agent';
  });
  const call: unknown =
    typeof adapter === 'object' && adapter !== null ? Reflect.get(adapter, 'call') : undefined;
  if (typeof call !== 'function') return null;
  const asked: AdapterCall = (input) => Reflect.apply(call, adapter, [input]) as unknown;
  return async (request) => answerOf(await asked(inputOf(request as AdapterRequest)));
}

function inputOf({ prompt, messages, caseId, trial }: AdapterRequest): object {
  return {
    threadId: `${caseId}-${trial}`,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
    newMessages: [{ role: 'user', content: prompt }],
    requestedRole: 'Agent',
  };
}

/** The parts of a message with one type. */
function partsOf(message: JsonObject, type: string): JsonObject[] {
  const { content } = message;
  return Array.isArray(content) ? content.filter(isJsonObject).filter((part) => part['type'] === type) : [];
}

function textOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return partsOf(message, 'text')
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function resultText(part: JsonObject): string {
  const value = part['result'] ?? part['output'] ?? '';
  const inner = isJsonObject(value) && 'value' in value ? (value['value'] ?? '') : value;
  return typeof inner === 'string' ? inner : canonicalJson(inner);
}

/** What an adapter returns (text, a message, or messages) as the answer of a turn, with the calls in it. */
function answerOf(returned: unknown): unknown {
  if (typeof returned === 'string') return returned;
  const list: unknown[] = Array.isArray(returned) ? returned : [returned];
  const messages = list.filter((message) => isJsonObject(message));
  if (messages.length === 0 || messages.length < list.length) return returned;
  const results = new Map(
    messages.flatMap((message) =>
      partsOf(message, 'tool-result').map((part): [string, string] => [
        typeof part['toolCallId'] === 'string' ? part['toolCallId'] : '',
        resultText(part),
      ]),
    ),
  );
  const answers = messages.filter((message) => message['role'] === 'assistant');
  const toolCalls = answers.flatMap((message) =>
    partsOf(message, 'tool-call').map((part) => {
      const id = typeof part['toolCallId'] === 'string' ? part['toolCallId'] : '';
      const result = results.get(id);
      return {
        id,
        name: part['toolName'],
        arguments: part['input'] ?? part['args'] ?? {},
        ...(result === undefined ? {} : { result }),
      };
    }),
  );
  const last = answers.at(-1);
  return { text: last === undefined ? '' : textOf(last), toolCalls };
}
