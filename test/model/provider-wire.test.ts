import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemSource } from '../../src/core/index.js';
import { resolveModel, type ModelsConfig, type ResolvedModel } from '../../src/model/index.js';
import { startScriptedServer, type WireItem, type WireTrial } from '../../src/wire/index.js';
import { ask, callModel, failureOf, testServices } from './support.js';

/** One reference for each way to reach a server, and the protocol it speaks there. */
const ROUTES = [
  {
    ref: () => 'anthropic:claude-sonnet-4-5',
    provider: 'anthropic',
    url: (trial: WireTrial) => `${trial.urls.anthropic}/v1`,
  },
  {
    ref: () => 'openai:gpt-x',
    provider: 'openai',
    url: (trial: WireTrial) => trial.urls['openai-responses'],
  },
  { ref: () => 'google:gemini-2.5-flash', provider: 'google', url: (trial: WireTrial) => trial.urls.gemini },
  {
    ref: (trial: WireTrial) => `openai-compatible:model-x@${trial.urls['openai-chat']}`,
    provider: null,
    url: (trial: WireTrial) => trial.urls['openai-chat'],
  },
] as const;

type Route = (typeof ROUTES)[number];

const hello: WireItem = { type: 'text', content: 'Hello 👋', inputTokens: 11, outputTokens: 3 };

/** A model that reaches a server which answers with these items, in order. */
async function reach(route: Route, items: WireItem[]): Promise<{ model: ResolvedModel; trial: WireTrial }> {
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  const trial = server.openTrial({ id: 'provider', script: { lanes: [{ name: 'main', items }] } });
  const config: ModelsConfig =
    route.provider === null ? {} : { providers: { [route.provider]: { base_url: route.url(trial) } } };
  const model = await resolveModel(route.ref(trial), {
    directory: resolve(import.meta.dirname, '../..'),
    environment: {
      PATH: process.env['PATH'],
      ANTHROPIC_API_KEY: 'placeholder',
      OPENAI_API_KEY: 'placeholder',
      GOOGLE_GENERATIVE_AI_API_KEY: 'placeholder',
    },
    source: systemSource(),
    config,
  });
  return { model, trial };
}

describe.each(ROUTES.map((route) => [route.provider ?? 'openai-compatible', route] as const))(
  'the real %s client against a loopback server',
  (_name, route) => {
    it('answers with text and usage, in one try', async () => {
      const { model, trial } = await reach(route, [hello]);
      const call = await callModel(model, ask('Say hello.'), testServices());
      expect(call.text).toBe('Hello 👋');
      expect(call.usage).toMatchObject({ inputTokens: 11, outputTokens: 3 });
      expect(call.tries).toHaveLength(1);
      expect(trial.close()).toMatchObject({ problems: [], requests: 1 });
    });

    it('takes a tool call', async () => {
      const { model } = await reach(route, [
        {
          type: 'tool_calls',
          toolCalls: [{ id: 'call_1', name: 'look', arguments: { at: 'the sky' } }],
          inputTokens: 5,
          outputTokens: 4,
        },
      ]);
      const call = await callModel(
        model,
        ask('Look.', {
          tools: [
            {
              type: 'function',
              name: 'look',
              inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
            },
          ],
        }),
        testServices(),
      );
      const [part] = call.content.filter((content) => content.type === 'tool-call');
      expect(part).toMatchObject({ toolName: 'look' });
      expect(JSON.parse(part?.input ?? '')).toEqual({ at: 'the sky' });
    });

    it.each([
      [429, 1],
      [500, undefined],
      [529, undefined],
    ])(
      'goes on after a %i, with every try recorded and no retries of its own',
      async (status, retryAfter) => {
        const fault: WireItem = {
          type: 'fault',
          fault: 'status',
          status,
          ...(retryAfter === undefined ? {} : { retryAfter }),
        };
        const { model, trial } = await reach(route, [fault, hello]);
        const call = await callModel(model, ask('Say hello.'), testServices());
        expect(call.text).toBe('Hello 👋');
        expect(call.tries.map((one) => one.status)).toEqual([status, null]);
        if (retryAfter !== undefined) expect(call.tries[0]?.waitMs).toBeGreaterThanOrEqual(1000);
        expect(trial.close().requests).toBe(2);
      },
    );

    it('does not ask again after a 400, whatever its text says', async () => {
      const { model, trial } = await reach(route, [
        { type: 'fault', fault: 'status', status: 400, message: 'order 14290 not found: 429' },
        hello,
      ]);
      const failure = await failureOf(callModel(model, ask('Say hello.'), testServices()));
      expect(failure.status).toBe(400);
      expect(trial.close().requests).toBe(1);
    });

    it('fails as infrastructure when the connection keeps dropping', async () => {
      const { model } = await reach(
        route,
        Array.from({ length: 4 }, (): WireItem => ({ type: 'fault', fault: 'drop' })),
      );
      const failure = await failureOf(callModel(model, ask('Say hello.'), testServices()));
      expect(failure.tries.length).toBe(4);
      expect(['network', 'cut']).toContain(failure.kind);
    });

    it('gives up on a slow first byte after its time limit', async () => {
      const { model } = await reach(route, [{ type: 'fault', fault: 'slow', firstByteMs: 30_000 }, hello]);
      const failure = await failureOf(
        callModel(model, ask('Say hello.', { timeoutMs: 300 }), testServices()),
      );
      expect(failure.kind).toBe('timeout');
    });
  },
);
