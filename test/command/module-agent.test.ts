import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { call, fixture, replaySuite, say, temporary } from './support.js';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** An agent as people write them with the AI SDK: it is given the model and knows nothing of scripts. */
const AGENT = (way: string): string => `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, streamText, stepCountIs, tool, jsonSchema } from 'ai';

export default async function agent({ model, prompt, workspace }) {
  const settings = {
    model,
    prompt,
    stopWhen: stepCountIs(20),
    tools: {
      write: tool({
        description: 'writes a file',
        inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } }),
        execute: ({ path, text }) => {
          if (path === 'forbidden') throw new Error('not there');
          writeFileSync(join(workspace, path), text);
          return 'wrote ' + path;
        },
      }),
    },
  };
  ${way}
}
`;

describe.each([
  ['generateText', 'return (await generateText(settings)).text;'],
  ['streamText', 'const result = streamText(settings); return await result.text;'],
])('an agent of the AI SDK by %s', (_name, way) => {
  it('runs its own tools as its scripted model asks, and its calls and results are recorded', async () => {
    const directory = await temporary({
      'agent.mjs': AGENT(way),
      'case.json': JSON.stringify(
        fixture('module', {
          agent: { module: 'agent.mjs' },
          steps: [
            call(
              ['a', 'write', { path: 'x.txt', text: 'hello' }],
              ['b', 'write', { path: 'forbidden', text: '' }],
            ),
            say('all done', { reasoning: 'thought about it' }),
          ],
          expects: {
            response_contains: ['all done'],
            exact_tool_calls: 2,
            tool_results_contain: [{ tool: 'write', needle: 'wrote x.txt' }],
            workspace: { file_contains: { 'x.txt': ['hello'] } },
            budget: { max_llm_calls: 2 },
          },
        }),
      ),
    });
    await symlink(MODULES, join(directory, 'node_modules'));
    const { trials } = await replaySuite(directory);
    expect(trials[0]?.error).toBeNull();
    expect(trials[0]?.status).toBe('passed');
    expect(trials[0]?.recording?.toolCalls.map(({ ok }) => ok)).toEqual([true, false]);
    expect(trials[0]?.recording?.usage).toMatchObject({ inputTokens: 30, outputTokens: 12 });
  });

  it('that stops before its script is at an end fails', async () => {
    const directory = await temporary({
      'agent.mjs': `export default ({ model }) => 'all done';`,
      'case.json': JSON.stringify(fixture('lazy', { agent: { module: 'agent.mjs' }, steps: [say('done')] })),
    });
    const { trials } = await replaySuite(directory);
    expect(trials[0]?.error?.kind).toBe('script');
  });
});
