import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '../../src/model/index.js';
import { calls, text } from '../agent/support.js';

const asked = (words: string): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: words }] }],
});

async function partsOf(model: ScriptedModel, request: LanguageModelV3CallOptions) {
  const { stream } = await model.doStream(request);
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('the script speaks the language-model interface', () => {
  it('a stream holds the same reply as a plain answer, part for part', async () => {
    const steps = [calls(['echo', { message: 'a' }]), text('done', 5, 6)];
    const [plain, streamed] = [new ScriptedModel('case', [steps]), new ScriptedModel('case', [steps])];
    const firstReply = await plain.doGenerate(asked('a'));
    const secondReply = await plain.doGenerate(asked('a'));
    const first = await partsOf(streamed, asked('a'));
    const second = await partsOf(streamed, asked('a'));
    expect(first.map((part) => part.type)).toEqual([
      'stream-start',
      'response-metadata',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ]);
    expect(first).toContainEqual(firstReply.content[0]);
    expect(second.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))).toEqual(['done']);
    expect(second.at(-1)).toEqual({
      type: 'finish',
      usage: secondReply.usage,
      finishReason: secondReply.finishReason,
    });
  });

  const script = (): ScriptedModel =>
    new ScriptedModel('case', [
      [
        {
          ...calls(['shout', { words: 'hey' }], ['shout', { words: 'you' }]),
          inputTokens: 3,
          outputTokens: 4,
        },
        text('They said HEY YOU.', 5, 6),
      ],
    ]);

  const shouting = (heard: string[]) => ({
    shout: tool({
      description: 'Says it louder.',
      inputSchema: jsonSchema<{ words: string }>({
        type: 'object',
        properties: { words: { type: 'string' } },
        required: ['words'],
      }),
      execute: ({ words }) => {
        heard.push(words);
        return words.toUpperCase();
      },
    }),
  });

  const expected = {
    text: 'They said HEY YOU.',
    finishReason: 'stop',
    steps: 2,
    tools: [
      ['shout', { words: 'hey' }, 'HEY'],
      ['shout', { words: 'you' }, 'YOU'],
    ],
    tokens: [8, 10],
  };

  it('generateText of the AI SDK drives it, tools and all', async () => {
    const model = script();
    const heard: string[] = [];
    const result = await generateText({
      model,
      prompt: 'go',
      tools: shouting(heard),
      stopWhen: stepCountIs(5),
    });
    expect({
      text: result.text,
      finishReason: result.finishReason,
      steps: result.steps.length,
      tools: result.steps[0]?.toolResults.map((made) => [made.toolName, made.input, made.output]),
      tokens: [result.totalUsage.inputTokens, result.totalUsage.outputTokens],
    }).toEqual(expected);
    expect(heard).toEqual(['hey', 'you']);
    model.endTurn(0);
    expect(model.currentTurn).toBe(1);
  });

  it('streamText of the AI SDK gives the same', async () => {
    const model = script();
    const heard: string[] = [];
    const result = streamText({ model, prompt: 'go', tools: shouting(heard), stopWhen: stepCountIs(5) });
    let streamed = '';
    for await (const delta of result.textStream) streamed += delta;
    const steps = await result.steps;
    const usage = await result.totalUsage;
    expect({
      text: streamed,
      finishReason: await result.finishReason,
      steps: steps.length,
      tools: steps[0]?.toolResults.map((made) => [made.toolName, made.input, made.output]),
      tokens: [usage.inputTokens, usage.outputTokens],
    }).toEqual(expected);
    expect(heard).toEqual(['hey', 'you']);
    model.endTurn(0);
    expect(model.currentTurn).toBe(1);
  });

  it('an AI SDK agent that asks too often or too rarely is told so', async () => {
    const tooOften = new ScriptedModel('case', [[calls(['shout', { words: 'hey' }])]]);
    await expect(
      generateText({ model: tooOften, prompt: 'go', tools: shouting([]), stopWhen: stepCountIs(5) }),
    ).rejects.toThrow('case "case", turn 1: script exhausted: the agent asked for model reply 2');
    const tooRarely = script();
    await generateText({ model: tooRarely, prompt: 'go', tools: shouting([]), stopWhen: stepCountIs(1) });
    expect(() => tooRarely.endTurn(0)).toThrow('1 scripted step never requested');
  });
});
