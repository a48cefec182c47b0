import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe } from 'vitest';
import type { WireTrial } from '../../src/wire/index.js';
import { listedScripts, messageOf, write, type Talk } from './client-list.js';

const SCHEMA = { type: 'object' as const, properties: { message: { type: 'string' } } };
const NOTHING = { type: 'object' as const, properties: {} };

/** The tools of an agent by name. */
function toolsOf({ bare, spawn }: Talk): {
  name: string;
  schema: typeof SCHEMA | typeof NOTHING;
  run: (input: unknown) => Promise<string>;
}[] {
  if (bare === true) return [];
  const start = async (): Promise<string> => {
    spawn?.();
    return 'started';
  };
  return [
    { name: 'write', schema: SCHEMA, run: async (input) => write(messageOf(input)) },
    { name: 'spawn', schema: NOTHING, run: start },
  ];
}

/** The vendor's own tool runner, which by default relies on the server to remember the conversation. */
async function anthropic(trial: WireTrial, talk: Talk, stream: boolean): Promise<string> {
  const client = new Anthropic({ baseURL: trial.urls.anthropic, apiKey: 'any', maxRetries: 2 });
  const runner = client.beta.messages.toolRunner({
    model: 'claude-x',
    max_tokens: 1000,
    stream,
    ...(talk.system === undefined ? {} : { system: talk.system }),
    messages: [{ role: 'user', content: talk.prompt }],
    tools: toolsOf(talk).map(({ name, schema, run }) => ({
      name,
      description: name,
      input_schema: schema,
      parse: (input: unknown) => input,
      run,
    })),
  });
  const message = await runner.runUntilDone();
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function openai(trial: WireTrial, talk: Talk, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: trial.urls['openai-chat'], apiKey: 'any', maxRetries: 2 });
  const system = talk.system === undefined ? [] : [{ role: 'system' as const, content: talk.system }];
  const messages = [...system, { role: 'user' as const, content: talk.prompt }];
  if (talk.bare === true) {
    const answer = await client.chat.completions.create({ model: 'gpt-x', messages });
    return answer.choices[0]?.message.content ?? '';
  }
  const settings = {
    model: 'gpt-x',
    messages,
    tools: toolsOf(talk).map(({ name, schema, run }) => ({
      type: 'function' as const,
      function: {
        name,
        description: name,
        parameters: schema,
        parse: (input: string): unknown => JSON.parse(input),
        function: run,
      },
    })),
  };
  const most = { maxChatCompletions: 30 };
  const runner = stream
    ? client.chat.completions.runTools({ ...settings, stream: true }, most)
    : client.chat.completions.runTools(settings, most);
  return (await runner.finalContent()) ?? '';
}

/** The Responses client has no tool runner: this is the loop of its documentation, on its own parsed events. */
async function responses(trial: WireTrial, talk: Talk, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: trial.urls['openai-responses'], apiKey: 'any', maxRetries: 2 });
  const known = toolsOf(talk);
  const tools = known.map(({ name, schema }) => ({
    type: 'function' as const,
    name,
    parameters: schema,
    strict: false,
  }));
  const answer = async (name: string, input: string): Promise<string> => {
    const found = known.find((one) => one.name === name);
    try {
      return found === undefined ? `error: unknown tool ${name}` : await found.run(JSON.parse(input));
    } catch (error) {
      return String(error);
    }
  };
  let previous: string | null = null;
  let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: talk.prompt }];
  for (;;) {
    const asked = {
      model: 'gpt-x',
      tools,
      input,
      previous_response_id: previous,
      ...(talk.system === undefined ? {} : { instructions: talk.system }),
    };
    const response: OpenAI.Responses.Response = stream
      ? await client.responses.stream(asked).finalResponse()
      : await client.responses.create(asked);
    const called = response.output.filter((item) => item.type === 'function_call');
    if (called.length === 0) return response.output_text;
    previous = response.id;
    input = [];
    for (const { call_id, name, arguments: given } of called) {
      input.push({ type: 'function_call_output', call_id, output: await answer(name, given) });
    }
  }
}

const CLIENTS = [
  { name: '@anthropic-ai/sdk', go: anthropic, failingTool: 'result' as const },
  { name: 'openai over Chat Completions', go: openai, failingTool: 'abort' as const },
  { name: 'openai over Responses', go: responses, failingTool: 'result' as const },
].flatMap((client) => [false, true].map((stream) => ({ ...client, stream, mode: stream ? 'SSE' : 'JSON' })));

describe.each(CLIENTS)('$name, $mode', ({ go, stream, failingTool }) => {
  listedScripts({
    run: (trial, talk) => go(trial, talk, stream),
    unknownTool: 'result',
    badArguments: 'unchecked',
    failingTool,
    retries: true,
  });
});
