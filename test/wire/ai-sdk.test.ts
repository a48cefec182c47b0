import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorMessage } from '../../src/core/index.js';
import {
  scriptFromTurns,
  wireEvidence,
  type Protocol,
  type WireItem,
  type WireTrial,
} from '../../src/wire/index.js';
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
  error: string | null;
}

/** Runs an AI SDK agent to its end. */
async function run(trial: WireTrial, protocol: Protocol, stream: boolean, prompt = 'Say hi'): Promise<Ended> {
  const settings = {
    model: MODELS[protocol](trial),
    prompt,
    stopWhen: stepCountIs(20),
    maxRetries: 2,
    tools: {
      write: tool({
        description: 'Writes a message.',
        inputSchema: z.object({ message: z.string() }),
        execute: async ({ message }) => {
          if (message === 'fail') throw new Error('disk full');
          return `wrote ${message}`;
        },
      }),
    },
  };
  const none = { text: '', reasoning: undefined, inputTokens: undefined, outputTokens: undefined };
  let failure: unknown = null;
  try {
    const result = stream
      ? streamText({ ...settings, onError: ({ error }) => void (failure = error) })
      : await generateText(settings);
    const steps = await result.steps;
    const usage = await result.totalUsage;
    return {
      text: await result.text,
      reasoning: steps[0]?.reasoningText,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      error: failure === null ? null : errorMessage(failure),
    };
  } catch (error) {
    return { ...none, error: errorMessage(failure ?? error) };
  }
}

function scripted(items: WireItem[], writeBytes?: number): Promise<WireTrial> {
  return trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: items }]),
    writeBytes === undefined ? {} : { writeBytes },
  );
}

const EMOJI = `é 👩‍👩‍👧‍👦 ${'😀'.repeat(50)}`;

describe.each(MODES)('the AI SDK over $name', ({ protocol, stream }) => {
  test.each([undefined, 1])('plays parallel calls and a text, at %s bytes a write', async (writeBytes) => {
    const step = calls(['c1', 'write', { message: EMOJI }], ['c2', 'write', { message: 'two' }]);
    const trial = await scripted(
      [{ ...step, reasoning: 'I must write.' }, text(`Done ${EMOJI}`)],
      writeBytes,
    );
    const ended = await run(trial, protocol, stream);
    expect(ended).toEqual({
      text: `Done ${EMOJI}`,
      reasoning: 'I must write.',
      inputTokens: 30,
      outputTokens: 12,
      error: null,
    });
    expect(wireEvidence(trial).toolCalls).toMatchObject([
      { id: 'c1', name: 'write', result: `wrote ${EMOJI}`, ok: true, executed: true },
      { id: 'c2', name: 'write', result: 'wrote two', ok: true, executed: true },
    ]);
    expect(trial.close()).toMatchObject({ problems: [], notes: [] });
  });

  test('plays a run of twelve calls', async () => {
    const steps = Array.from({ length: 12 }, (_, index) =>
      calls([`c${index}`, 'write', { message: 'same' }]),
    );
    const trial = await scripted([...steps, text('Done')]);
    expect((await run(trial, protocol, stream)).text).toBe('Done');
    expect(wireEvidence(trial).toolCalls.filter((call) => call.executed)).toHaveLength(12);
    expect(trial.close().problems).toEqual([]);
  });

  test('tries again after a 429 and uses up nothing', async () => {
    const trial = await scripted([
      { type: 'fault', fault: 'status', status: 429, retryAfter: 0 },
      calls(['c1', 'write', { message: 'one' }]),
      text('Done'),
    ]);
    expect(await run(trial, protocol, stream)).toMatchObject({ text: 'Done', error: null });
    expect(trial.close()).toMatchObject({ problems: [], requests: 3, steps: 2 });
  });

  test('stops at once at the end of its script', async () => {
    const trial = await scripted([calls(['c1', 'write', { message: 'one' }])]);
    expect((await run(trial, protocol, stream)).error).toContain('Script exhausted');
    expect(trial.close()).toMatchObject({ requests: 2, problems: [{ kind: 'exhausted' }] });
  });

  test('an unknown tool, bad arguments and a failing tool come back as results', async () => {
    const trial = await scripted([
      calls(['c1', 'fly', {}]),
      calls(['c2', 'write', { wrong: 1 }]),
      calls(['c3', 'write', { message: 'fail' }]),
      text('Done'),
    ]);
    expect(await run(trial, protocol, stream)).toMatchObject({ text: 'Done', error: null });
    const [unknown, bad, failing] = wireEvidence(trial).toolCalls;
    expect(unknown).toMatchObject({ offered: false, answered: true, executed: false, ok: false });
    expect(bad?.result).toContain('Invalid input');
    expect(failing?.result).toContain('disk full');
    expect(trial.close().toolsNotOffered).toMatchObject([{ tool: 'fly', offered: ['write'] }]);
  });
});
