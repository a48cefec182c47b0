import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { scriptFromTurns, wireEvidence, type WireItem, type WireTrial } from '../../src/wire/index.js';
import { calls, text, trialOf } from './support.js';

const EMOJI = `é 👩‍👩‍👧‍👦 ${'😀'.repeat(50)}`;
const SCHEMA = { type: 'object' as const, properties: { message: { type: 'string' } } };

function messageOf(input: unknown): string {
  const message: unknown =
    typeof input === 'object' && input !== null && 'message' in input ? input.message : '';
  return typeof message === 'string' ? message : '';
}

/** The vendor's own tool runner, which by default relies on the server to remember the conversation. */
async function anthropic(trial: WireTrial, stream: boolean): Promise<string> {
  const client = new Anthropic({ baseURL: trial.urls.anthropic, apiKey: 'any', maxRetries: 2 });
  const runner = client.beta.messages.toolRunner({
    model: 'claude-x',
    max_tokens: 1000,
    stream,
    messages: [{ role: 'user', content: 'Say hi' }],
    tools: [
      {
        name: 'write',
        description: 'Writes a message.',
        input_schema: SCHEMA,
        parse: (input: unknown) => input,
        run: async (input: unknown) => `wrote ${messageOf(input)}`,
      },
    ],
  });
  const message = await runner.runUntilDone();
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function openai(trial: WireTrial, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: trial.urls['openai-chat'], apiKey: 'any', maxRetries: 2 });
  const settings = {
    model: 'gpt-x',
    messages: [{ role: 'user' as const, content: 'Say hi' }],
    tools: [
      {
        type: 'function' as const,
        function: {
          name: 'write',
          description: 'Writes a message.',
          parameters: SCHEMA,
          parse: (input: string): unknown => JSON.parse(input),
          function: async (input: unknown) => `wrote ${messageOf(input)}`,
        },
      },
    ],
  };
  const runner = stream
    ? client.chat.completions.runTools({ ...settings, stream: true })
    : client.chat.completions.runTools(settings);
  return (await runner.finalContent()) ?? '';
}

/** The Responses client has no tool runner: this is the loop of its documentation, on its own parsed events. */
async function responses(trial: WireTrial, stream: boolean): Promise<string> {
  const client = new OpenAI({ baseURL: trial.urls['openai-responses'], apiKey: 'any', maxRetries: 2 });
  const tools = [{ type: 'function' as const, name: 'write', parameters: SCHEMA, strict: false }];
  let previous: string | null = null;
  let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Say hi' }];
  for (;;) {
    const asked = { model: 'gpt-x', tools, input, previous_response_id: previous };
    const response: OpenAI.Responses.Response = stream
      ? await client.responses.stream(asked).finalResponse()
      : await client.responses.create(asked);
    const called = response.output.filter((item) => item.type === 'function_call');
    if (called.length === 0) return response.output_text;
    previous = response.id;
    input = called.map((item) => ({
      type: 'function_call_output' as const,
      call_id: item.call_id,
      output: `wrote ${messageOf(JSON.parse(item.arguments))}`,
    }));
  }
}

const CLIENTS = [
  { name: '@anthropic-ai/sdk', go: anthropic },
  { name: 'openai over Chat Completions', go: openai },
  { name: 'openai over Responses', go: responses },
].flatMap((client) => [false, true].map((stream) => ({ ...client, stream, mode: stream ? 'SSE' : 'JSON' })));

function scripted(items: WireItem[], writeBytes?: number): Promise<WireTrial> {
  return trialOf(
    scriptFromTurns([{ user: 'Say hi', steps: items }]),
    writeBytes === undefined ? {} : { writeBytes },
  );
}

describe.each(CLIENTS)('$name, $mode', ({ go, stream }) => {
  test.each([undefined, 1])('plays parallel calls and a text, at %s bytes a write', async (writeBytes) => {
    const step = calls(['c1', 'write', { message: EMOJI }], ['c2', 'write', { message: 'two' }]);
    const trial = await scripted([step, text(`Done ${EMOJI}`)], writeBytes);
    expect(await go(trial, stream)).toBe(`Done ${EMOJI}`);
    const evidence = wireEvidence(trial);
    expect(evidence.toolCalls).toMatchObject([
      { id: 'c1', result: `wrote ${EMOJI}`, executed: true },
      { id: 'c2', result: 'wrote two', executed: true },
    ]);
    expect(evidence.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(trial.close()).toMatchObject({ problems: [], notes: [], requests: 2 });
  });

  test('tries again after a 429 and uses up nothing', async () => {
    const trial = await scripted([
      { type: 'fault', fault: 'status', status: 429, retryAfter: 0 },
      calls(['c1', 'write', { message: 'one' }]),
      { type: 'fault', fault: 'status', status: 529, retryAfter: 0 },
      text('Done'),
    ]);
    expect(await go(trial, stream)).toBe('Done');
    expect(trial.close()).toMatchObject({ problems: [], requests: 4, steps: 2 });
  });

  test('stops at once at the end of its script', async () => {
    const trial = await scripted([calls(['c1', 'write', { message: 'one' }])]);
    await expect(go(trial, stream)).rejects.toThrow(/Script exhausted/);
    expect(trial.close()).toMatchObject({ requests: 2, problems: [{ kind: 'exhausted' }] });
  });
});
