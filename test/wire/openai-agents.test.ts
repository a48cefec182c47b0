import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
  type Model,
} from '@openai/agents';
import OpenAI from 'openai';
import { describe } from 'vitest';
import { z } from 'zod';
import type { WireTrial } from '../../src/wire/index.js';
import { listedScripts, write, type Talk } from './client-list.js';

setTracingDisabled(true);

type Interface = 'openai-chat' | 'openai-responses';

function modelOf(trial: WireTrial, protocol: Interface): Model {
  const client = new OpenAI({ baseURL: trial.urls[protocol], apiKey: 'any', maxRetries: 2 });
  return protocol === 'openai-chat'
    ? new OpenAIChatCompletionsModel(client, 'gpt-x')
    : new OpenAIResponsesModel(client, 'gpt-x');
}

async function run(
  trial: WireTrial,
  talk: Talk,
  { protocol, stream }: { protocol: Interface; stream: boolean },
): Promise<string> {
  const { spawn } = talk;
  const tools = [
    tool({
      name: 'write',
      description: 'Writes a message.',
      parameters: z.object({ message: z.string() }),
      execute: async ({ message }) => write(message),
    }),
    tool({
      name: 'spawn',
      description: 'Starts helpers.',
      parameters: z.object({}),
      execute: async () => {
        spawn?.();
        return 'started';
      },
    }),
  ];
  const agent = new Agent({
    name: 'writer',
    ...(talk.system === undefined ? {} : { instructions: talk.system }),
    model: modelOf(trial, protocol),
    tools: talk.bare === true ? [] : tools,
  });
  const runner = new Runner({ tracingDisabled: true });
  if (!stream) return (await runner.run(agent, talk.prompt, { maxTurns: 30 })).finalOutput ?? '';
  const result = await runner.run(agent, talk.prompt, { maxTurns: 30, stream: true });
  await result.completed;
  return result.finalOutput ?? '';
}

const MODES = (['openai-chat', 'openai-responses'] as const).flatMap((protocol) =>
  [false, true].map((stream) => ({ protocol, stream, mode: stream ? 'SSE' : 'JSON' })),
);

describe.each(MODES)('@openai/agents over $protocol, $mode', (mode) => {
  listedScripts({
    run: (trial, talk) => run(trial, talk, mode),
    unknownTool: 'abort',
    badArguments: 'result',
    failingTool: 'result',
    retries: true,
  });
});
