import { generateText, stepCountIs, tool, type ModelMessage, type UIMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readTranscript } from '../../src/cases/index.js';

const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

/** A conversation that the AI SDK itself keeps: one tool that works, one that throws, one answer. */
async function conversation(): Promise<ModelMessage[]> {
  let asked = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      asked += 1;
      const calls = ['read', 'broken'].map((toolName, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call_${index + 1}`,
        toolName,
        input: '{"path":"server.conf"}',
      }));
      return {
        content: asked === 1 ? calls : [{ type: 'text' as const, text: 'The server uses port 8080.' }],
        finishReason: { unified: asked === 1 ? ('tool-calls' as const) : ('stop' as const), raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
  const inputSchema = z.object({ path: z.string() });
  const prompt: ModelMessage[] = [{ role: 'user', content: 'Which port does the server use?' }];
  const result = await generateText({
    model,
    messages: prompt,
    stopWhen: stepCountIs(5),
    tools: {
      read: tool({ description: 'reads', inputSchema, execute: () => ({ text: 'port = 8080' }) }),
      broken: tool({
        description: 'breaks',
        inputSchema,
        execute: ({ path }): { text: string } => {
          if (path !== '') throw new Error('no such file');
          return { text: path };
        },
      }),
    },
  });
  return [...prompt, ...result.response.messages];
}

describe('Messages that the AI SDK makes', () => {
  it('are read with calls, results and failures', async () => {
    const messages = await conversation();
    const transcript = readTranscript(JSON.stringify(messages), 'messages', {
      format: null,
      trace: null,
      line: null,
    });
    expect(transcript.format).toBe('ai-sdk');
    expect(transcript.turns).toHaveLength(1);
    expect(transcript.turns[0]?.steps).toMatchObject([
      {
        calls: [
          { name: 'read', arguments: { path: 'server.conf' }, result: '{"text":"port = 8080"}', ok: true },
          { name: 'broken', result: 'no such file', ok: false },
        ],
      },
      { text: 'The server uses port 8080.', calls: [] },
    ]);
    expect(transcript.notes).toEqual([]);
  });

  it('are read as a user interface keeps them', () => {
    const messages: UIMessage[] = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Which port?' }] },
      {
        id: 'a',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm' },
          {
            type: 'dynamic-tool',
            toolName: 'read',
            toolCallId: 'c1',
            state: 'output-error',
            input: { path: 'a' },
            errorText: 'gone',
          },
          { type: 'text', text: 'I cannot say.' },
        ],
      },
    ];
    const transcript = readTranscript(JSON.stringify(messages), 'messages', {
      format: null,
      trace: null,
      line: null,
    });
    expect(transcript.turns[0]?.steps).toMatchObject([
      { calls: [{ name: 'read', result: 'gone', ok: false }] },
      { text: 'I cannot say.' },
    ]);
  });
});
