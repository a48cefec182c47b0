import { GoogleGenAI, type CallableTool, type FunctionCall, type Part } from '@google/genai';
import { describe } from 'vitest';
import type { WireTrial } from '../../src/wire/index.js';
import { listedScripts, messageOf, write, type Talk } from './client-list.js';

/** The tools of an agent, called by the client itself. */
function toolsOf({ spawn }: Talk): CallableTool {
  const answer = ({ name, args }: FunctionCall): string => {
    if (name === 'write') return write(messageOf(args));
    if (name !== 'spawn') throw new Error(`unknown tool ${name}`);
    spawn?.();
    return 'started';
  };
  return {
    tool: async () => ({
      functionDeclarations: [
        {
          name: 'write',
          parametersJsonSchema: { type: 'object', properties: { message: { type: 'string' } } },
        },
        { name: 'spawn', parametersJsonSchema: { type: 'object', properties: {} } },
      ],
    }),
    callTool: async (functionCalls) =>
      functionCalls.map((call): Part => {
        const { id, name = '' } = call;
        const response = { output: answer(call) };
        return { functionResponse: id === undefined ? { name, response } : { id, name, response } };
      }),
  };
}

async function run(trial: WireTrial, talk: Talk, stream: boolean): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: trial.baseUrl } });
  const asked = {
    model: 'gemini-2.5-flash',
    contents: talk.prompt,
    config: {
      ...(talk.system === undefined ? {} : { systemInstruction: talk.system }),
      ...(talk.bare === true ? {} : { tools: [toolsOf(talk)] }),
      automaticFunctionCalling: { maximumRemoteCalls: 30 },
    },
  };
  if (!stream) return (await client.models.generateContent(asked)).text ?? '';
  let said = '';
  for await (const { candidates } of await client.models.generateContentStream(asked)) {
    for (const part of candidates?.[0]?.content?.parts ?? []) said += part.text ?? '';
  }
  return said;
}

describe.each([
  { stream: false, mode: 'JSON' },
  { stream: true, mode: 'SSE' },
])('@google/genai, $mode', ({ stream }) => {
  listedScripts({
    run: (trial, talk) => run(trial, talk, stream),
    unknownTool: 'abort',
    badArguments: 'unchecked',
    failingTool: 'abort',
    retries: false,
  });
});
