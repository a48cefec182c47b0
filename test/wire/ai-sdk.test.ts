import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorMessage } from '../../src/core/index.js';
import { scriptFromTurns, type Protocol, type WireTrial } from '../../src/wire/index.js';
import { listedScripts, write, type Talk } from './client-list.js';
import { calls, MODES, text, trialOf } from './support.js';

const MODELS: { readonly [Name in Protocol]: (trial: WireTrial) => LanguageModel } = {
  anthropic: (trial) =>
    createAnthropic({ baseURL: `${trial.urls.anthropic}/v1`, apiKey: 'any' })('claude-sonnet-4-5'),
  'openai-chat': (trial) =>
    createOpenAICompatible({
      name: 'scripted',
      baseURL: trial.urls['openai-chat'],
      apiKey: 'any',
      includeUsage: true,
    })('model-x'),
  'openai-responses': (trial) =>
    createOpenAI({ baseURL: trial.urls['openai-responses'], apiKey: 'any' }).responses('gpt-x'),
  gemini: (trial) =>
    createGoogleGenerativeAI({ baseURL: trial.urls.gemini, apiKey: 'any' })('gemini-2.5-flash'),
};

interface Ended {
  text: string;
  reasoning: string | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}

/** Runs an AI SDK agent to its end. */
async function run(trial: WireTrial, protocol: Protocol, stream: boolean, talk: Talk): Promise<Ended> {
  const { spawn } = talk;
  const settings = {
    model: MODELS[protocol](trial),
    prompt: talk.prompt,
    ...(talk.system === undefined ? {} : { system: talk.system }),
    stopWhen: stepCountIs(20),
    maxRetries: 2,
    tools: {
      write: tool({
        description: 'Writes a message.',
        inputSchema: z.object({ message: z.string() }),
        execute: async ({ message }) => write(message),
      }),
      spawn: tool({
        description: 'Starts helpers.',
        inputSchema: z.object({}),
        execute: async () => {
          spawn?.();
          return 'started';
        },
      }),
    },
    ...(talk.bare === true ? { tools: {} } : {}),
  };
  let failure: unknown = null;
  try {
    const result = stream
      ? streamText({ ...settings, onError: ({ error }) => void (failure = error) })
      : await generateText(settings);
    const steps = await result.steps;
    const usage = await result.totalUsage;
    const ended = {
      text: await result.text,
      reasoning: steps[0]?.reasoningText,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
    };
    if (failure === null) return ended;
  } catch (error) {
    failure ??= error;
  }
  throw failure instanceof Error ? failure : new Error(errorMessage(failure));
}

describe.each(MODES)('the AI SDK over $name', ({ protocol, stream }) => {
  listedScripts({
    run: async (trial, talk) => (await run(trial, protocol, stream, talk)).text,
    unknownTool: 'result',
    badArguments: 'result',
    failingTool: 'result',
    retries: true,
  });

  test('gets the reasoning and adds up the tokens', async () => {
    const step = calls(['c1', 'write', { message: 'one' }]);
    const items = [{ ...step, reasoning: 'I must write.' }, text('Done')];
    const trial = await trialOf(scriptFromTurns([{ user: 'Say hi', steps: items }]));
    expect(await run(trial, protocol, stream, { prompt: 'Say hi' })).toEqual({
      text: 'Done',
      reasoning: 'I must write.',
      inputTokens: 30,
      outputTokens: 12,
    });
  });
});
