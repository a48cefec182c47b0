import type { JsonObject, JsonValue } from '../../src/core/index.js';
import { isJsonObject } from '../../src/core/index.js';
import type { Protocol } from '../../src/wire/index.js';
import { at, eventObjects, post, type Answer } from './support.js';

export interface Call {
  id: string;
  name: string;
  arguments: JsonValue;
}

export interface Said {
  text: string;
  calls: Call[];
  /** What goes into the history. */
  entries: JsonValue[];
}

/** A client of one protocol, written from its documentation and nothing of ours. */
export interface Dialect {
  path(stream: boolean): string;
  user(text: string): JsonValue;
  body(system: string, history: JsonValue[], tools: string[], stream: boolean): JsonObject;
  read(answer: Answer, stream: boolean): Said;
  results(calls: Call[], outputs: string[]): JsonValue[];
}

const MODEL = 'model-x';
const SCHEMA = { type: 'object', properties: { message: { type: 'string' } } };

function str(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

const anthropic: Dialect = {
  path: () => '/v1/messages?beta=true',
  user: (text) => ({ role: 'user', content: text }),
  body: (system, history, tools, stream) => ({
    model: MODEL,
    max_tokens: 1000,
    stream,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system }] }),
    messages: history,
    tools: tools.map((name) => ({ name, description: name, input_schema: SCHEMA })),
  }),
  read(answer, stream) {
    let content = list(answer.json['content']);
    if (stream) {
      content = [];
      const inputs: string[] = [];
      for (const event of eventObjects(answer.text)) {
        const index = Number(event['index'] ?? 0);
        if (event['type'] === 'content_block_start')
          content[index] = { ...(event['content_block'] as JsonObject) };
        const block = content[index];
        if (event['type'] !== 'content_block_delta' || block === undefined) continue;
        inputs[index] = (inputs[index] ?? '') + str(at(event, 'delta', 'partial_json'));
        if (block['type'] === 'text') block['text'] = str(block['text']) + str(at(event, 'delta', 'text'));
        if (block['type'] === 'tool_use' && inputs[index] !== '') {
          try {
            block['input'] = JSON.parse(inputs[index] ?? '') as JsonValue;
          } catch {
            // not whole yet
          }
        }
      }
    }
    return {
      text: content.map((block) => str(block['text'])).join(''),
      calls: content
        .filter((block) => block['type'] === 'tool_use')
        .map((block) => ({
          id: str(block['id']),
          name: str(block['name']),
          arguments: block['input'] ?? null,
        })),
      entries: [{ role: 'assistant', content }],
    };
  },
  results: (calls, outputs) => [
    {
      role: 'user',
      content: calls.map((call, index) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: outputs[index] ?? '',
      })),
    },
  ],
};

const chat: Dialect = {
  path: () => '/v1/chat/completions',
  user: (text) => ({ role: 'user', content: text }),
  body: (system, history, tools, stream) => ({
    model: MODEL,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...history],
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } })) }),
  }),
  read(answer, stream) {
    let message = (at(answer.json, 'choices', 0, 'message') ?? {}) as JsonObject;
    if (stream) {
      message = { role: 'assistant', content: null };
      const made: JsonObject[] = [];
      for (const chunk of eventObjects(answer.text)) {
        const delta = at(chunk, 'choices', 0, 'delta');
        const piece = at(delta, 'content');
        if (typeof piece === 'string' && piece !== '') message['content'] = str(message['content']) + piece;
        for (const part of list(at(delta, 'tool_calls'))) {
          const index = Number(part['index']);
          const known = made[index];
          if (known === undefined) {
            made[index] = {
              id: str(part['id']),
              type: 'function',
              function: { ...(part['function'] as JsonObject) },
            };
          } else {
            const called = known['function'] as JsonObject;
            called['arguments'] = str(called['arguments']) + str(at(part, 'function', 'arguments'));
          }
        }
      }
      if (made.length > 0) message['tool_calls'] = made;
    }
    return {
      text: str(message['content']),
      calls: list(message['tool_calls']).map((call) => ({
        id: str(call['id']),
        name: str(at(call, 'function', 'name')),
        arguments: JSON.parse(str(at(call, 'function', 'arguments'))) as JsonValue,
      })),
      entries: [message],
    };
  },
  results: (calls, outputs) =>
    calls.map((call, index) => ({ role: 'tool', tool_call_id: call.id, content: outputs[index] ?? '' })),
};

const responses: Dialect = {
  path: () => '/v1/responses',
  user: (text) => ({ role: 'user', content: [{ type: 'input_text', text }] }),
  body: (system, history, tools, stream) => ({
    model: MODEL,
    stream,
    store: false,
    ...(system === '' ? {} : { instructions: system }),
    input: history,
    tools: tools.map((name) => ({ type: 'function', name, parameters: SCHEMA })),
  }),
  read(answer, stream) {
    const output = stream
      ? eventObjects(answer.text)
          .filter((event) => event['type'] === 'response.output_item.done')
          .map((event) => event['item'] as JsonObject)
      : list(answer.json['output']);
    return {
      text: output.flatMap((item) => list(item['content']).map((part) => str(part['text']))).join(''),
      calls: output
        .filter((item) => item['type'] === 'function_call')
        .map((item) => ({
          id: str(item['call_id']),
          name: str(item['name']),
          arguments: JSON.parse(str(item['arguments'])) as JsonValue,
        })),
      entries: output,
    };
  },
  results: (calls, outputs) =>
    calls.map((call, index) => ({
      type: 'function_call_output',
      call_id: call.id,
      output: outputs[index] ?? '',
    })),
};

const gemini: Dialect = {
  path: (stream) => `/v1beta/models/${MODEL}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  body: (system, history, tools) => ({
    contents: history,
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: tools.map((name) => ({ name, parameters: SCHEMA })) }] }),
  }),
  read(answer, stream) {
    const chunks = stream ? eventObjects(answer.text) : [answer.json];
    const parts = chunks.flatMap((chunk) => list(at(chunk, 'candidates', 0, 'content', 'parts')));
    return {
      text: parts
        .filter((part) => part['thought'] !== true)
        .map((part) => str(part['text']))
        .join(''),
      calls: parts
        .filter((part) => 'functionCall' in part)
        .map((part) => ({
          id: str(at(part, 'functionCall', 'id')),
          name: str(at(part, 'functionCall', 'name')),
          arguments: at(part, 'functionCall', 'args') ?? null,
        })),
      entries: [{ role: 'model', parts }],
    };
  },
  results: (calls, outputs) => [
    {
      role: 'user',
      parts: calls.map((call, index) => ({
        functionResponse: { id: call.id, name: call.name, response: { output: outputs[index] ?? '' } },
      })),
    },
  ],
};

export const DIALECTS: { readonly [Name in Protocol]: Dialect } = {
  anthropic,
  'openai-chat': chat,
  'openai-responses': responses,
  gemini,
};

export interface AgentSetting {
  baseUrl: string;
  protocol: Protocol;
  stream: boolean;
  system?: string;
  tools?: string[];
  headers?: { [name: string]: string };
  /** Runs a call; absent: `ran NAME ARGUMENTS`. */
  run?: (call: Call) => string | Promise<string>;
  /** Tries of one request before it gives up. */
  tries?: number;
}

export interface AgentRun {
  text: string;
  history: JsonValue[];
  answers: Answer[];
}

/** A small agent with a memory: asks, runs what it is told to, returns results, until it is told something in words. */
export async function ask(setting: AgentSetting, history: JsonValue[], prompt: string): Promise<AgentRun> {
  const dialect = DIALECTS[setting.protocol];
  const answers: Answer[] = [];
  const run = setting.run ?? ((call: Call): string => `ran ${call.name} ${JSON.stringify(call.arguments)}`);
  const memory = [...history, dialect.user(prompt)];
  for (let step = 0; step < 20; step += 1) {
    const body = dialect.body(setting.system ?? '', memory, setting.tools ?? [], setting.stream);
    const answer = await withRetries(setting, setting.baseUrl + dialect.path(setting.stream), body);
    answers.push(answer);
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.text}`);
    const said = dialect.read(answer, setting.stream);
    memory.push(...said.entries);
    if (said.calls.length === 0) return { text: said.text, history: memory, answers };
    const outputs: string[] = [];
    for (const call of said.calls) outputs.push(await run(call));
    memory.push(...dialect.results(said.calls, outputs));
  }
  throw new Error('the agent never came to an end');
}

async function withRetries(setting: AgentSetting, url: string, body: JsonValue): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= (setting.tries ?? 1);
    try {
      const answer = await post(url, body, setting.headers);
      if (last || answer.status < 429) return answer;
    } catch (error) {
      if (last) throw error;
    }
  }
}
